// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/tune/sweep/sweep_analysis.h"

namespace millrace {

/// What a sweep measured and found, complete or stopped. Value.
struct SweepOutcome {
  SweepPlan plan;
  std::string pipeline;    ///< file or example as entered
  std::size_t blocks = 0;  ///< repeats of each setting
  SweepResult result;
  SweepFinding finding;
  std::string experiment;           ///< empty: not kept
  std::vector<std::string> runIds;  ///< one for each point; empty texts: not kept or not begun

  /// "measured", "part", "failed", "waiting": with all repeats, some, or none yet.
  std::string_view stateOf(std::size_t point) const;
};

}  // namespace millrace
