// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/runs/run_table.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "app/cli/common/text_layout.h"
#include "core/base/text/csv_cell.h"

namespace millrace::cli {

namespace {

std::vector<std::size_t> widthsOf(const TextTable& table) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.heads.size(); ++c) {
    std::size_t width = columnsOf(table.heads[c]);
    for (const auto& row : table.rows) width = std::max(width, columnsOf(row[c]));
    widths.push_back(width);
  }
  return widths;
}

/// Narrows the widest text columns until all columns fit; returns false if that is impossible.
bool shrink(const TextTable& table, std::vector<std::size_t>& widths) {
  constexpr std::size_t kNarrowest = 8;
  const std::size_t gaps = kGap * (widths.size() - 1);
  while (std::accumulate(widths.begin(), widths.end(), gaps) > tableColumns()) {
    std::size_t widest = widths.size();
    for (std::size_t c = 0; c < widths.size(); ++c) {
      if (table.numbers[c] || widths[c] <= std::max(kNarrowest, columnsOf(table.heads[c])))
        continue;
      if (widest == widths.size() || widths[c] > widths[widest]) widest = c;
    }
    if (widest == widths.size()) return false;
    --widths[widest];
  }
  return true;
}

std::string lineOf(const TextTable& table, const std::vector<std::string>& cells,
                   const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (c > 0) line += std::string(kGap, ' ');
    const std::size_t used = columnsOf(cells[c]);
    if (table.numbers[c])
      line += std::string(widths[c] - std::min(widths[c], used), ' ') + cells[c];
    else
      line += fitted(cells[c], widths[c]);
  }
  return trimmedLine(std::move(line));
}

std::string blocksText(const TextTable& table) {
  std::size_t width = 0;
  for (const std::string& head : table.heads) width = std::max(width, columnsOf(head));
  std::string text;
  for (const auto& row : table.rows) {
    if (!text.empty()) text += "\n";
    for (std::size_t c = 0; c < row.size(); ++c)
      text += fitted(table.heads[c], width) + "  " + wrapped(row[c], width + 2, width + 2);
  }
  return text;
}

std::string csvLine(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t c = 0; c < cells.size(); ++c) line += (c > 0 ? "," : "") + csvCell(cells[c]);
  return line + "\n";
}

}  // namespace

std::string tableText(const TextTable& table) {
  std::vector<std::size_t> widths = widthsOf(table);
  if (!shrink(table, widths)) return blocksText(table);
  std::string text = lineOf(table, table.heads, widths);
  for (const auto& row : table.rows) text += lineOf(table, row, widths);
  return text;
}

std::string csvText(const TextTable& table) {
  std::string text = csvLine(table.heads);
  for (const auto& row : table.rows) text += csvLine(row);
  return text;
}

}  // namespace millrace::cli
