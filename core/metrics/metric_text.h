// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/metrics/metric_spec.h"

namespace millrace {

/// Rounded to four significant digits; the integer part stays complete: "12 345", "123.4",
/// "0.01234". Four, because ratios are computed from the shown numbers: with three, the ratio of
/// 100.4 and 100.6 would be shown as 1 %.
std::string roundedText(double value);
/// The number that roundedText shows.
double roundedValue(double value);
/// after / before of the numbers that roundedText shows, so that every ratio beside two figures is
/// the one that the reader computes from them. nullopt if `before` is shown as 0 or one of the two
/// is not finite.
std::optional<double> shownRatio(double before, double after);

/// A value with a unit for reading: "1 234 samples/s", "612 MB", "37.1 %", "2.48 s".
std::string metricText(const MetricSpec& spec, double value);
/// The same for a column whose heading has the unit: "1 234" for samples/s. Bytes, times and shares
/// keep their unit, because it depends on the size of the value.
std::string metricNumber(const MetricSpec& spec, double value);

/// metricNumber with half the width of an interval: "1 234 +-20", "33 +-4.8 MB/s", "2.48 s +-20
/// ms".
std::string metricSpread(const MetricSpec& spec, double value, double half);

/// metricNumber with an interval: as metricSpread if the interval is symmetric for reading (up to
/// 15 % to each side), else "7 913 [2 480, 25 200]".
std::string metricInterval(const MetricSpec& spec, double value, double low, double high);

/// The value that metricNumber shows, in the metric's unit.
double metricShown(const MetricSpec& spec, double value);

/// Change from `before` to `after` as metricNumber shows them: "+46.8 %", from a factor of ten on
/// "x12.5"; for a share in percentage points: "+36.2 pp". Empty if `before` is shown as 0.
std::string metricChange(const MetricSpec& spec, double before, double after);

}  // namespace millrace
