// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/web_labels.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>

#include "core/base/text/text.h"
#include "core/formats/io/open_file.h"
#include "core/formats/real_labels.h"
#include "core/node_parts/fields/class_list_fields.h"
#include "core/node_parts/fields/label_text.h"
#include "core/node_parts/fields/text_classes.h"

namespace millrace::nodes {

namespace {

struct SeenLabels {
  ClassListDetector lists;
  RealLabels numbers;
  std::size_t texts = 0;  ///< neither a number nor a list of numbers
};

SeenLabels seenIn(const WebExtension& part, int fd) {
  SeenLabels seen;
  std::array<std::byte, WebExtension::kSmall> text{};
  for (const WebShard::Place& place : part.small) {
    const auto got = readAt(fd, place.offset, text.data(), place.size);
    const std::span<const std::byte> bytes = std::span(text).first(got ? *got : 0);
    const auto list = classListIn(bytes);
    const auto number = realIn(bytes);
    list ? seen.lists.add(*list) : seen.lists.addOther();
    if (number) seen.numbers.add(textIn(bytes));
    if (!number && !list) ++seen.texts;
  }
  return seen;
}

/// Whether the texts are short and most occur again: classes, not captions.
bool textsRepeat(const WebExtension& part, int fd) {
  constexpr std::size_t kFew = 4;
  constexpr std::size_t kLongest = 64;
  std::set<std::string> different;
  for (const WebShard::Place& place : part.small) {
    std::array<char, kLongest + 1> text{};
    const auto got =
        readAt(fd, place.offset, text.data(), std::min<std::size_t>(place.size, text.size()));
    if (!got || place.size > kLongest) return false;
    different.emplace(trimmed({text.data(), *got}));
  }
  return part.members >= kFew && part.small.size() == part.members &&
         2 * different.size() <= part.members;
}

}  // namespace

std::string labelPartIn(const WebSurvey& survey, int fd) {
  for (const char* name : {"cls", "cls.txt", "label", "label.txt", "class", "class.txt"})
    if (survey.contains(name)) return name;
  const auto text = survey.find("txt");
  return text != survey.end() && textsRepeat(text->second, fd) ? text->first : std::string();
}

WebLabel webLabelIn(const WebSurvey& survey, int fd, std::vector<ExampleField>& fields) {
  WebLabel label;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    ExampleField& field = fields[i];
    const auto part = survey.find(field.key);
    if (!isClassNumber(field.spec) || part == survey.end()) continue;
    const SeenLabels seen = seenIn(part->second, fd);
    if (seen.lists.isVector())
      field.spec.shape = {static_cast<std::int64_t>(seen.lists.count())};
    else if (seen.lists.isList())
      label.lists = classListsIn("parts", field.key, fields);
    else if (2 * seen.texts > part->second.members)
      label.texts = i;
    else if (seen.numbers.areQuantities())
      field.spec = quantityField(DType::F32);
    break;
  }
  return label;
}

}  // namespace millrace::nodes
