// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/text_classes.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/folder/manifest_table.h"

namespace millrace::nodes {

namespace {

std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

bool isClassNumber(const FieldSpec& field) {
  return field.role == Role::Label && field.dtype == DType::I64 && field.shape.rank() == 0;
}

Status TextClasses::add(std::span<const std::byte> text) {
  ++m_added;
  // An empty text is a sample without a class.
  if (text.empty()) return {};
  if (text.size() > kMostBytes)
    return Error{fmt::format("a text has {} bytes", grouped(text.size()))};
  if (m_found.find(textOf(text)) != m_found.end()) return {};
  if (m_found.size() == kMostClasses)
    return Error{fmt::format("there are more than {} different texts", grouped(kMostClasses))};
  m_found.emplace(textOf(text));
  return {};
}

Status TextClasses::learn(std::string_view kind, const std::string& name,
                          std::vector<std::string> given, const std::function<Status()>& addAll,
                          std::vector<std::string>& notes) {
  if (!given.empty()) {
    use(std::move(given));
    return {};
  }
  Status numbered = addAll();
  if (numbered) numbered = number();
  if (!numbered)
    return Error{
        fmt::format("{} `{}` holds texts, not classes: {}", kind, name, numbered.error().message)};
  if (!m_names.empty()) notes.push_back(note(name));
  return {};
}

Status TextClasses::number() {
  constexpr std::size_t kFewSamples = 20;
  if (m_found.empty()) return Error{"all texts are empty"};
  if (std::ranges::all_of(m_found,
                          [](const std::string& text) { return classNumber(text).has_value(); })) {
    for (const std::string& text : m_found) m_numbers.emplace(text, *classNumber(text));
    m_found.clear();
    return {};
  }
  if (m_added > kFewSamples && m_found.size() * 2 > m_added)
    return Error{fmt::format("{} samples have {} different texts", grouped(m_added),
                             grouped(m_found.size()))};
  use({m_found.begin(), m_found.end()});
  return {};
}

void TextClasses::use(std::vector<std::string> names) {
  m_found.clear();
  m_names = std::move(names);
  for (std::size_t i = 0; i < m_names.size(); ++i)
    m_numbers.try_emplace(m_names[i], static_cast<std::int64_t>(i));
}

std::string TextClasses::note(const std::string& name) const {
  constexpr std::size_t kMostShown = 4;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(kMostShown, m_names.size()); ++i)
    shown.push_back(fmt::format("{} is {}", singleLine(m_names[i]), i));
  return fmt::format(
      "the texts in `{}` are numbered in alphabetical order: {}{}; a file `classes.txt` next to "
      "the data, with a class on each line, sets the numbers for all splits",
      name, join(shown, ", "), m_names.size() > kMostShown ? ", ..." : "");
}

Result<std::int64_t> TextClasses::numberOf(std::span<const std::byte> text) const {
  const auto found = m_numbers.find(textOf(text));
  if (found != m_numbers.end()) return found->second;
  if (text.empty()) return Error{"its text is empty, not a class"};
  const std::string_view shown = textOf(text).substr(0, kMostBytes);
  return Error{fmt::format("`{}` is not one of the {} classes", singleLine(shown),
                           grouped(m_numbers.size()))};
}

}  // namespace millrace::nodes
