// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/web_labels.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/formats/real_labels.h"
#include "core/node_parts/fields/class_list_fields.h"
#include "core/node_parts/fields/json_member.h"
#include "core/node_parts/fields/label_text.h"
#include "core/node_parts/fields/text_classes.h"

namespace millrace::nodes {

namespace {

struct SeenLabels {
  ClassListDetector lists;
  RealLabels numbers;
  std::size_t texts = 0;  ///< neither a number nor a list of numbers
};

/// The texts of the small members that can be read.
std::vector<std::string> textsOf(const WebExtension& part, int fd, std::string_view member) {
  std::vector<std::string> texts;
  std::vector<std::byte> room(WebExtension::kSmall);
  for (const WebShard::Place& place : part.small)
    if (const auto text = webText(fd, place.offset, std::span(room).first(place.size), member))
      texts.push_back(*text);
  return texts;
}

SeenLabels seenIn(const WebExtension& part, int fd, std::string_view member) {
  SeenLabels seen;
  for (const std::string& text : textsOf(part, fd, member)) {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
    const auto list = classListIn(bytes);
    const auto number = realIn(bytes);
    list ? seen.lists.add(*list) : seen.lists.addOther();
    if (number) seen.numbers.add(text);
    if (!number && !list) ++seen.texts;
  }
  return seen;
}

/// Whether the texts are short and most occur again: classes, not captions.
bool textsRepeat(const WebExtension& part, const std::vector<std::string>& texts) {
  constexpr std::size_t kFew = 4;
  constexpr std::size_t kLongest = 64;
  const std::set<std::string> different(texts.begin(), texts.end());
  return part.members >= kFew && texts.size() == part.members &&
         2 * different.size() <= part.members &&
         std::ranges::all_of(texts, [](const std::string& t) { return t.size() <= kLongest; });
}

/// The member of JSON parts that most samples have and whose name says that it is the label; empty
/// if there is none. Texts that do not repeat are captions.
std::string labelMemberIn(const WebSurvey& survey, int fd) {
  const auto part = survey.find("json");
  if (part == survey.end()) return {};
  for (const char* name : {"label", "class", "cls", "target", "y"}) {
    const std::vector<std::string> texts = textsOf(part->second, fd, name);
    const bool numbers = std::ranges::all_of(texts, [](const std::string& text) {
      const auto bytes = std::as_bytes(std::span(text));
      return realIn(bytes) || classListIn(bytes);
    });
    if (2 * texts.size() > part->second.members && (numbers || textsRepeat(part->second, texts)))
      return fmt::format("json/{}", name);
  }
  return {};
}

}  // namespace

std::string labelPartIn(const WebSurvey& survey, int fd) {
  for (const char* name : {"cls", "cls.txt", "label", "label.txt", "class", "class.txt"})
    if (survey.contains(name)) return name;
  if (std::string member = labelMemberIn(survey, fd); !member.empty()) return member;
  const auto text = survey.find("txt");
  return text != survey.end() && textsRepeat(text->second, textsOf(text->second, fd, {}))
             ? text->first
             : std::string();
}

WebLabel webLabelIn(const WebSurvey& survey, int fd, std::vector<ExampleField>& fields) {
  WebLabel label;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    ExampleField& field = fields[i];
    const WebKey key = webKey(field.key);
    const auto part = survey.find(key.member.empty() ? field.key : key.extensions.front());
    if (!isClassNumber(field.spec) || part == survey.end()) continue;
    const SeenLabels seen = seenIn(part->second, fd, key.member);
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

void noteMembers(const std::vector<ExampleField>& fields, std::vector<std::string>& notes) {
  for (const ExampleField& field : fields)
    if (const WebKey key = webKey(field.key); !key.member.empty())
      notes.push_back(fmt::format("{} is the member `{}` of part {}; select others with `parts`",
                                  field.spec.name, visibleName(key.member),
                                  join(key.extensions, " or ")));
}

}  // namespace millrace::nodes
