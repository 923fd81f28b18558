// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/metrics/metric_spec.h"

namespace millrace {

/// Three significant digits and at least the whole part: "1 234", "12.3", "0.0123".
std::string roundedText(double value);

/// A value in the unit that a person reads: "1 234 samples/s", "612 MB", "37.1 %", "2.48 s".
std::string metricText(const MetricSpec& spec, double value);
/// The same without the unit's word where a heading has it: "1 234" for samples/s; bytes, times and
/// shares keep theirs, which depend on the size of the value.
std::string metricNumber(const MetricSpec& spec, double value);

/// metricNumber with half of an interval: "1 234 +-20", "33 +-4.8 MB/s", "2.48 s +-20 ms".
std::string metricSpread(const MetricSpec& spec, double value, double half);

/// From `before` to `after`: "+46.8 %", from ten times on "x12.5"; of a share in points:
/// "+36.2 pp". Empty where nothing can be said because `before` is 0.
std::string metricChange(const MetricSpec& spec, double before, double after);

}  // namespace millrace
