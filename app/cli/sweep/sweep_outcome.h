// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/tune/sweep/sweep_analysis.h"

namespace millrace::cli {

/// The state of a sweep, with everything that its pages show.
struct SweepOutcome {
  const SweepPlan* plan = nullptr;
  std::string pipeline;  ///< file or example as entered
  std::size_t blocks = 0;
  SweepResult result;
  SweepFinding finding;
  std::string experiment;           ///< empty: not kept
  std::vector<std::string> runIds;  ///< one for each point; empty texts: not kept or not begun
  std::string next;                 ///< the command that runs the best; empty if there is none
  std::string compare;  ///< the command that compares it with the current one; may be empty

  /// "measured", "part", "failed", "waiting": with all repeats, some, or none yet.
  std::string_view stateOf(std::size_t point) const;
};

/// The page for the user, within 80 columns and without colour: the settings sorted by throughput,
/// a plot for one or two varied parameters, importance, the verdict, the next command.
std::string sweepText(const SweepOutcome& outcome);
/// Only the plot: bars for one varied parameter, a map with numbers for two; empty for more.
std::string sweepPlot(const SweepOutcome& outcome);

/// In the form of `--json` (README.md).
std::string sweepJson(const SweepOutcome& outcome, bool indented);
/// RFC 4180, one line for each setting, in the order of the grid.
std::string sweepCsv(const SweepOutcome& outcome);

}  // namespace millrace::cli
