// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/tune/sweep/sweep_outcome.h"

namespace millrace::cli {

/// Commands that make use of a sweep.
struct SweepCommands {
  std::string next;     ///< runs the best; empty if there is none
  std::string compare;  ///< compares it with the current setting; may be empty
};

/// The page for the user, within 80 columns and without colour: the settings sorted by throughput,
/// a plot for one or two varied parameters, importance, the verdict, the next command.
std::string sweepText(const SweepOutcome& outcome, const SweepCommands& commands);
/// Only the plot: bars for one varied parameter, a map with numbers for two; empty for more.
std::string sweepPlot(const SweepOutcome& outcome);

/// RFC 4180, one line for each setting, in the order of the grid.
inline constexpr std::string_view kSweepCsvHead = "trial,run";
std::string sweepCsv(const SweepOutcome& outcome);

}  // namespace millrace::cli
