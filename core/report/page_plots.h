// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/compare/comparison.h"

namespace millrace {

// The plots of the comparison page, each an SVG element with a title and a description for screen
// readers; empty if there is nothing to draw. CSS classes are defined in page_style.cpp.

/// Samples/s, one row per run: a dot per repeat, a bar for the 95 % interval, a line for the mean.
std::string ratePlot(const Comparison& comparison);
/// Rates of the windows over the time in the repeat, one line per repeat.
std::string windowPlot(const Comparison& comparison);
/// Mean time of the nodes, one bar per run.
std::string nodePlot(const Comparison& comparison);
/// The share of time in which queues were full, partly filled and empty, one bar per run.
std::string queuePlot(const Comparison& comparison);

/// CSS classes with the run's colour and dashes: "s1" to "s6", "s5 base" for the baseline. With
/// more than six runs the colours repeat, dashed.
std::string seriesClass(const Comparison& comparison, std::size_t run);

}  // namespace millrace
