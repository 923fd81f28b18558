// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/tune/sweep_analysis.h"

namespace millrace::cli {

/// A sweep as far as it went, with all that its pages say.
struct SweepOutcome {
  const SweepPlan* plan = nullptr;
  std::string pipeline;  ///< file or example as given
  std::size_t blocks = 0;
  SweepResult result;
  SweepFinding finding;
  std::string experiment;           ///< empty: not kept
  std::vector<std::string> runIds;  ///< one a point; empty texts: not kept or not begun
  std::string next;                 ///< the command that runs the best; empty: there is none
  std::string compare;              ///< that measures it against the current afresh; may be empty

  /// "measured", "part", "failed", "waiting": with all repeats, some, or none yet.
  std::string_view stateOf(std::size_t point) const;
};

/// The page for a person, within 80 columns and without colour: the settings sorted by throughput,
/// a plot for one or two varied parameters, importance, the verdict, what to type next.
std::string sweepText(const SweepOutcome& outcome);
/// The plot alone: bars for one varied parameter, a map with numbers for two; empty for more.
std::string sweepPlot(const SweepOutcome& outcome);

/// As `--json` has it (README.md).
std::string sweepJson(const SweepOutcome& outcome, bool indented);
/// RFC 4180, a line a setting, in the order of the grid.
std::string sweepCsv(const SweepOutcome& outcome);

}  // namespace millrace::cli
