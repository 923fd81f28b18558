// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/label_lists.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/folder/manifest_columns.h"

namespace millrace {

namespace {

bool isInBrackets(std::string_view cell) {
  return cell.size() >= 2 && ((cell.front() == '[' && cell.back() == ']') ||
                              (cell.front() == '{' && cell.back() == '}') ||
                              (cell.front() == '(' && cell.back() == ')'));
}

bool isQuote(char c) { return c == '"' || c == '\''; }

/// The end of the part that starts at `at`; a separator inside quotes does not end it.
std::size_t endOfPart(std::string_view text, std::size_t at, char separator) {
  const std::size_t first = std::min(text.find_first_not_of(' ', at), text.size());
  if (first < text.size() && isQuote(text[first])) {
    const std::size_t closed = text.find(text[first], first + 1);
    if (closed != std::string_view::npos) at = closed;
  }
  return std::min(text.find(separator, at), text.size());
}

/// Cells with several labels, divided by this separator, count as evidence.
bool divides(std::span<const std::string> cells, char separator) {
  std::set<std::string> parts;
  std::set<std::string_view> whole;
  std::set<std::string> ofLists;
  bool numbers = true;
  std::size_t count = 0;
  std::size_t lists = 0;
  std::size_t full = 0;
  for (const std::string& cell : cells) {
    const std::vector<std::string> labels = labelsIn(cell, separator);
    if (labels.empty()) continue;
    ++full;
    count += labels.size();
    whole.insert(cell);
    parts.insert(labels.begin(), labels.end());
    if (labels.size() < 2) continue;
    ++lists;
    ofLists.insert(labels.begin(), labels.end());
    // Decimal commas: `1,0`.
    numbers = numbers && isNumber(labels.back()) && labels.size() == 2;
  }
  if (ofLists.empty()) return false;
  // A name may have a semicolon, but not those of every second class.
  if (separator == '|' || (separator == ';' && 2 * lists >= full)) return true;
  if (separator == ',' && numbers) return false;
  // Sentences.
  constexpr std::size_t kMostWords = 6;
  if (separator == ' ' && count > kMostWords * cells.size()) return false;
  // Words that come again in different numbers: tags, and no names of two words.
  std::set<std::size_t> lengths;
  std::size_t words = 0;
  for (const std::string_view cell : whole) {
    lengths.insert(labelsIn(cell, separator).size());
    words += labelsIn(cell, separator).size();
  }
  if (lengths.size() > 2 && words >= 2 * parts.size()) return true;
  const auto alone = std::ranges::count_if(
      ofLists, [&](const std::string& label) { return whole.contains(label); });
  return parts.size() < whole.size() || 2 * static_cast<std::size_t>(alone) >= ofLists.size();
}

}  // namespace

std::vector<std::string> labelsIn(std::string_view cell, char separator) {
  cell = trimmed(cell);
  if (separator == kBrackets) separator = ',';
  if (isInBrackets(cell)) {
    cell = cell.substr(1, cell.size() - 2);
    if (cell.find(',') != std::string_view::npos) separator = ',';
  }
  std::vector<std::string> labels;
  for (std::size_t at = 0; at < cell.size();) {
    const std::size_t end =
        separator == kNoSeparator ? cell.size() : endOfPart(cell, at, separator);
    std::string_view label = trimmed(cell.substr(at, end - at));
    if (label.size() >= 2 && isQuote(label.front()) && label.back() == label.front())
      label = label.substr(1, label.size() - 2);
    if (!label.empty()) labels.emplace_back(label);
    at = end + 1;
  }
  return labels;
}

char findLabelSeparator(std::span<const std::string> cells) {
  const auto full = std::ranges::count_if(cells, [](const auto& cell) { return !cell.empty(); });
  const auto lists = std::ranges::count_if(
      cells, [](const auto& cell) { return cell.starts_with('[') && isInBrackets(cell); });
  if (full > 0 && 10 * lists >= 9 * full) return kBrackets;
  for (const char separator : kLabelSeparators)
    if (divides(cells, separator)) return separator;
  return kNoSeparator;
}

std::string separatorText(char separator) {
  if (separator == ' ') return "spaces";
  if (separator == kBrackets) return "commas in brackets";
  return fmt::format("`{}`", separator);
}

}  // namespace millrace
