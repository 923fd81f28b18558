// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/round_axis.h"

#include <algorithm>
#include <cmath>

#include "widgets/common/format.h"

namespace millrace {

namespace {

constexpr double kTolerance = 1e-6;  ///< of a step

double stepFor(double span, int mostTicks) {
  const double rough = span / std::max(1, mostTicks - 1);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double step : {1.0, 2.0, 2.5, 5.0, 10.0})
    if (step * power >= rough * (1 - 1e-9)) return step * power;
  return 10 * power;
}

/// Digits after the point that the step has.
int decimalsOf(double step) {
  constexpr int kMost = 9;
  int decimals = 0;
  for (double scaled = step; decimals < kMost; scaled *= 10, ++decimals)
    if (std::abs(scaled - std::round(scaled)) < kTolerance * scaled) break;
  return decimals;
}

void spread(double& low, double& high) {
  if (high > low) return;
  const double room = low == 0 ? 1 : std::abs(low) * 0.05;
  low -= room;
  high += room;
}

void addTicks(PlotAxis& axis) {
  const double first = std::ceil(axis.low / axis.step - kTolerance);
  const double last = std::floor(axis.high / axis.step + kTolerance);
  for (double i = first; i <= last; ++i) axis.ticks.push_back(i * axis.step);
}

}  // namespace

QString PlotAxis::word(double tick) const {
  if (std::abs(tick) < kTolerance * step) return "0";
  const int decimals = decimalsOf(step);
  if (decimals == 0) return shownNumber(std::round(tick));
  return QString::number(tick, 'f', decimals).replace('-', QChar(0x2212));
}

PlotAxis roundAxis(double low, double high, int mostTicks) {
  spread(low, high);
  PlotAxis axis;
  axis.step = stepFor(high - low, mostTicks);
  axis.low = std::floor(low / axis.step + kTolerance) * axis.step;
  axis.high = std::ceil(high / axis.step - kTolerance) * axis.step;
  addTicks(axis);
  return axis;
}

PlotAxis exactAxis(double low, double high, int mostTicks) {
  spread(low, high);
  PlotAxis axis;
  axis.step = stepFor(high - low, mostTicks);
  axis.low = low;
  axis.high = high;
  addTicks(axis);
  return axis;
}

}  // namespace millrace
