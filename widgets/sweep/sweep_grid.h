// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "core/spec/value.h"

namespace millrace {

class LiveSweep;

/// A sweep over one or two of its parameters: the settings of each cell. If the sweep has more
/// parameters, a cell shows the fastest over the others. Value.
struct SweepGrid {
  std::size_t x = 0;             ///< the parameter of the columns
  std::optional<std::size_t> y;  ///< the parameter of the rows; nullopt: a line over one parameter
  std::vector<Value> columns;    ///< numbers ascending, others in the order given
  std::vector<Value> rows;       ///< one row if there is no y
  bool numbers = false;          ///< the columns are numbers
  /// By row, then column: the setting shown in the cell; nullopt: not measured.
  std::vector<std::optional<std::size_t>> cells;
  /// Lowest and highest samples/s shown; both 0 if nothing is measured.
  double least = 0;
  double most = 0;

  std::optional<std::size_t> at(std::size_t row, std::size_t column) const {
    return cells[row * columns.size() + column];
  }
};

/// `sweep` must be known (isKnown()).
SweepGrid gridOf(const LiveSweep& sweep, std::size_t x, std::optional<std::size_t> y);

/// A value of a parameter as text: "224", "bilinear".
QString shownSetting(const Value& value);
/// "Workers › Threads".
QString shownParameter(const LiveSweep& sweep, std::size_t axis);

}  // namespace millrace
