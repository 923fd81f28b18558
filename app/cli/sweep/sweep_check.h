// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "app/cli/sweep/sweep_arguments.h"

namespace millrace::cli {

/// A sweep that may begin: its unmodified pipeline is valid, and so is every setting, as far as a
/// check without the data can tell.
struct PreparedSweep {
  PreparedPipeline prepared;
  Graph graph;  ///< graph of `prepared`, with absolute paths
  SweepPlan plan;
};

/// nullopt: `problems` lists everything that is unknown or contradictory.
std::optional<PreparedSweep> prepareSweep(const SweepArguments& arguments,
                                          const SweepDesign& design, Problems& problems);

}  // namespace millrace::cli
