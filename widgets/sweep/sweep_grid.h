// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "core/spec/value.h"

namespace millrace {

class LiveSweep;

/// A sweep over one or two of its parameters: which settings stand where. With more parameters than
/// are shown the fastest stands for its others. Value.
struct SweepGrid {
  std::size_t x = 0;             ///< which parameter runs to the right
  std::optional<std::size_t> y;  ///< and which downwards; nothing: one parameter, a line
  std::vector<Value> columns;    ///< numbers ascending, others as they were asked for
  std::vector<Value> rows;       ///< one where there is no y
  bool numbers = false;          ///< the columns are
  /// By row, then column: the setting that is shown there; nothing: that is not measured.
  std::vector<std::optional<std::size_t>> cells;
  /// Least and most samples/s of what is shown; both 0 where nothing is measured.
  double least = 0;
  double most = 0;

  std::optional<std::size_t> at(std::size_t row, std::size_t column) const {
    return cells[row * columns.size() + column];
  }
};

/// Of a sweep that is known.
SweepGrid gridOf(const LiveSweep& sweep, std::size_t x, std::optional<std::size_t> y);

/// How a value of the parameter is shown: "224", "bilinear".
QString shownSetting(const Value& value);
/// "Workers › Threads".
QString shownParameter(const LiveSweep& sweep, std::size_t axis);

}  // namespace millrace
