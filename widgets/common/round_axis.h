// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QString>

namespace millrace {

/// A value axis with round ticks: every chart has this one. Value.
struct PlotAxis {
  double low = 0;
  double high = 1;
  std::vector<double> ticks;
  double step = 1;  ///< between them

  double shareOf(double value) const { return (value - low) / (high - low); }
  /// A tick's label, with as many decimals as the step needs: "0", "0.5", "1 000".
  QString word(double tick) const;
};

/// The smallest axis with steps of 1, 2, 2.5 or 5 times a power of ten that holds both; never
/// empty.
PlotAxis roundAxis(double low, double high, int mostTicks = 6);

/// An axis from `low` to `high` exactly, with the round ticks that lie within; for time, where the
/// ends are those of the data.
PlotAxis exactAxis(double low, double high, int mostTicks = 6);

}  // namespace millrace
