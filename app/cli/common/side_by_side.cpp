// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/side_by_side.h"

#include <algorithm>

#include "app/cli/common/text_layout.h"
#include "core/base/text/text.h"

namespace millrace::cli {

namespace {

constexpr std::size_t kChange = 9;
constexpr std::size_t kLeastColumn = 12;

std::string rightAligned(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, columnsOf(text)), ' ') + text;
}

bool anyOf(const std::vector<std::string>& texts) {
  return std::ranges::any_of(texts, [](const std::string& text) { return !text.empty(); });
}

}  // namespace

SideBySide::SideBySide(std::vector<std::string> runNumbers, bool changes)
    : m_numbers(std::move(runNumbers)), m_changeBeside(changes && m_numbers.size() == 2) {
  m_name = m_numbers.size() > 3 ? 22 : 26;
  const std::size_t beside = m_changeBeside ? kGap + kChange : 0;
  const std::size_t column = (pageColumns() - kIndent - m_name - beside) / m_numbers.size();
  m_column = column >= kLeastColumn + kGap ? column - kGap : 0;
}

std::string SideBySide::heading(const std::string& title) const {
  if (!columns()) return "\n" + title + "\n";
  std::string line = fitted(title, kIndent + m_name);
  for (const std::string& number : m_numbers)
    line += std::string(kGap, ' ') + rightAligned("run " + number, m_column);
  if (m_changeBeside) line += std::string(kGap, ' ') + rightAligned("change", kChange);
  return "\n" + trimmedLine(line);
}

std::string SideBySide::row(const std::string& name, const std::vector<std::string>& cells,
                            const std::vector<std::string>& changes) const {
  const bool fits = columns() && columnsOf(name) <= m_name &&
                    std::ranges::all_of(cells, [&](const std::string& cell) {
                      return columnsOf(cell) <= m_column;
                    });
  if (!columns() && !anyOf(changes)) return valueByValue(name, cells);
  if (!fits) return runByRun(name, cells, changes);
  std::string line = std::string(kIndent, ' ') + fitted(name, m_name);
  for (const std::string& cell : cells)
    line += std::string(kGap, ' ') + rightAligned(cell, m_column);
  if (m_changeBeside && !changes.empty())
    line += std::string(kGap, ' ') + rightAligned(changes.back(), kChange);
  line = trimmedLine(line);
  if (m_changeBeside || !anyOf(changes)) return line;
  std::string below(kIndent + m_name, ' ');
  for (const std::string& change : changes)
    below += std::string(kGap, ' ') + rightAligned(change, m_column);
  return line + trimmedLine(below);
}

std::string SideBySide::runByRun(const std::string& name, const std::vector<std::string>& cells,
                                 const std::vector<std::string>& changes) const {
  std::string text = std::string(kIndent, ' ') + name + "\n";
  std::size_t width = 0;
  for (const std::string& number : m_numbers) width = std::max(width, number.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string head = "    run " + fitted(m_numbers[i], width) + "  ";
    const bool changed = i < changes.size() && !changes[i].empty();
    text += head + wrapped(cells[i] + (changed ? "   " + changes[i] : ""), columnsOf(head),
                           columnsOf(head));
  }
  return text;
}

std::string SideBySide::valueByValue(const std::string& name,
                                     const std::vector<std::string>& cells) const {
  std::vector<std::string> parts;
  std::vector<bool> told(cells.size(), false);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (told[i] || cells[i] == "-") continue;
    std::vector<std::string> numbers;
    for (std::size_t j = i; j < cells.size(); ++j) {
      if (cells[j] != cells[i]) continue;
      told[j] = true;
      numbers.push_back(m_numbers[j]);
    }
    const bool all = numbers.size() == cells.size();
    parts.push_back(all ? cells[i] : cells[i] + " (" + runsText(numbers) + ")");
  }
  const std::string head =
      std::string(kIndent, ' ') + fitted(name, std::max(m_name, columnsOf(name)));
  return head + "  " +
         wrapped(parts.empty() ? "-" : join(parts, "; "), kIndent + m_name + 2,
                 columnsOf(head) + 2);
}

std::string runsText(const std::vector<std::string>& numbers) {
  return (numbers.size() == 1 ? "run " : "runs ") + joinWords(numbers);
}

}  // namespace millrace::cli
