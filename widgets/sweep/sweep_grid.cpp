// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/sweep_grid.h"

#include <algorithm>

#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/models/search/live_sweep.h"

namespace millrace {

namespace {

std::optional<double> numberOf(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

/// The values that the settings have, including the current one.
std::vector<Value> valuesOf(const LiveSweep& sweep, std::size_t axis, bool& numbers) {
  std::vector<Value> values = sweep.plan().axes[axis].values;
  for (const SweepPoint& point : sweep.plan().points)
    if (std::ranges::find(values, point.values[axis]) == values.end())
      values.push_back(point.values[axis]);
  numbers =
      std::ranges::all_of(values, [](const Value& value) { return numberOf(value).has_value(); });
  if (numbers) std::ranges::sort(values, {}, [](const Value& value) { return *numberOf(value); });
  return values;
}

/// Chooses which of two settings of one cell is shown: one being measured, then the fastest, then
/// any.
bool isShownBefore(const LiveSweep& sweep, std::size_t a, std::size_t b) {
  const auto weight = [&](std::size_t point) {
    if (sweep.running() == point) return std::pair(3, 0.0);
    if (const auto rate = sweep.rateOf(point)) return std::pair(2, *rate);
    return std::pair(sweep.points()[point].failed() ? 1 : 0, 0.0);
  };
  return weight(a) > weight(b);
}

std::size_t indexOf(const std::vector<Value>& values, const Value& value) {
  return static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
}

}  // namespace

SweepGrid gridOf(const LiveSweep& sweep, std::size_t x, std::optional<std::size_t> y) {
  SweepGrid grid;
  grid.x = x;
  grid.y = y;
  grid.columns = valuesOf(sweep, x, grid.numbers);
  bool rowNumbers = false;
  grid.rows = y ? valuesOf(sweep, *y, rowNumbers) : std::vector<Value>{Value{}};
  grid.cells.resize(grid.columns.size() * grid.rows.size());
  const std::vector<SweepPoint>& points = sweep.plan().points;
  for (std::size_t p = 0; p < points.size(); ++p) {
    const std::size_t row = y ? indexOf(grid.rows, points[p].values[*y]) : 0;
    auto& cell = grid.cells[row * grid.columns.size() + indexOf(grid.columns, points[p].values[x])];
    if (!cell || isShownBefore(sweep, p, *cell)) cell = p;
  }
  bool any = false;
  for (const auto& cell : grid.cells) {
    const auto rate = cell ? sweep.rateOf(*cell) : std::nullopt;
    if (!rate) continue;
    grid.least = any ? std::min(grid.least, *rate) : *rate;
    grid.most = any ? std::max(grid.most, *rate) : *rate;
    any = true;
  }
  return grid;
}

QString shownSetting(const Value& value) {
  if (const auto number = numberOf(value)) return shownNumber(*number);
  return toQt(textOf(value));
}

QString shownParameter(const LiveSweep& sweep, std::size_t axis) { return sweep.nameOf(axis); }

}  // namespace millrace
