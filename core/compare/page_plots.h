// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/compare/comparison.h"

namespace millrace {

// The plots of the comparison's page, each an SVG element with a title and a description for those
// who do not see it; empty where there is nothing to draw. Classes are those of page_style.h.

/// Samples/s: a dot a repeat, a bar for the 95 % interval, a stroke for the mean, a row a run.
std::string ratePlot(const Comparison& comparison);
/// Rate of the windows by time in the repeat, a line a repeat.
std::string windowPlot(const Comparison& comparison);
/// Mean time of a node, a bar a run.
std::string nodePlot(const Comparison& comparison);
/// How long queues were full, in between, and empty, a bar a run.
std::string queuePlot(const Comparison& comparison);

/// The run's colour and dashes: "s1" to "s6"; the baseline's are "s5 base". Beyond six the colours
/// come again, dashed.
std::string seriesClass(const Comparison& comparison, std::size_t run);

}  // namespace millrace
