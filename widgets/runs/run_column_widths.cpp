// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_column_widths.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace millrace {

namespace {

constexpr int kNarrowest = 16;
constexpr int kBroadest = 4000;  ///< of a width in settings that may be damaged

int sumOf(const std::vector<int>& widths) {
  return std::accumulate(widths.begin(), widths.end(), 0);
}

/// Each column gives up the same part of what it has above its floor, until all fit or none has
/// anything left.
void shrink(std::vector<int>& widths, const std::vector<int>& floors, int room) {
  const int spare = sumOf(widths) - sumOf(floors);
  const int lacking = std::clamp(sumOf(widths) - room, 0, std::max(0, spare));
  if (lacking == 0) return;
  const double share = static_cast<double>(lacking) / spare;
  for (std::size_t i = 0; i < widths.size(); ++i)
    widths[i] -= static_cast<int>(std::ceil(share * (widths[i] - floors[i])));
}

bool isSameColumn(const RunColumnWidths::Column& one, const RunColumnWidths::Column& other) {
  return one.id == other.id;
}

}  // namespace

void RunColumnWidths::choose(std::size_t column, int width) {
  if (column < m_columns.size()) m_chosen[m_columns[column].id] = width;
}

void RunColumnWidths::forget(std::size_t column) {
  if (column < m_columns.size()) m_chosen.remove(m_columns[column].id);
}

void RunColumnWidths::setColumns(std::vector<Column> columns) {
  if (std::ranges::equal(columns, m_columns, isSameColumn))
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns[i].natural = std::max(columns[i].natural, m_columns[i].natural);
      columns[i].usual = std::max(columns[i].usual, m_columns[i].usual);
      columns[i].least = std::max(columns[i].least, m_columns[i].least);
    }
  m_columns = std::move(columns);
}

std::vector<int> RunColumnWidths::in(int room) const {
  std::vector<int> widths;
  std::vector<int> usual;
  std::vector<int> least;
  std::vector<int> beforeLast;
  int* rest = nullptr;
  widths.reserve(m_columns.size());
  for (const Column& column : m_columns) {
    const auto chosen = m_chosen.find(column.id);
    const bool isChosen = chosen != m_chosen.end() && chosen->toInt() > 0;
    const int width = isChosen ? std::clamp(chosen->toInt(), kNarrowest, kBroadest) : 0;
    widths.push_back(isChosen ? width : column.natural);
    usual.push_back(isChosen ? width : std::min(column.usual, column.natural));
    least.push_back(isChosen ? width : std::min(column.least, usual.back()));
    beforeLast.push_back(column.givesLast ? usual.back() : least.back());
    if (column.takesRest && !isChosen) rest = &widths.back();
  }
  shrink(widths, usual, room);
  shrink(widths, beforeLast, room);
  // Where a scroll bar is needed anyway, nothing is gained by cutting these, too.
  if (sumOf(least) <= room) shrink(widths, least, room);
  if (rest != nullptr) *rest += std::max(0, room - sumOf(widths));
  return widths;
}

}  // namespace millrace
