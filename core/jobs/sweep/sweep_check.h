// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/open/pipeline_request.h"
#include "core/tune/sweep/sweep_plan.h"

namespace millrace {

/// A sweep that may begin: its unmodified pipeline is valid, and so is every setting, as far as a
/// check without the data can tell.
struct PreparedSweep {
  PreparedPipeline prepared;
  Graph graph;  ///< graph of `prepared`, with absolute paths
  SweepPlan plan;
};

/// `vary`: the parameters and their values, "workers.count=1,2". `noRandom`: as the pipeline was
/// prepared. nullopt: `problems` lists everything that is unknown or contradictory. Any thread.
std::optional<PreparedSweep> prepareSweep(PreparedPipeline prepared,
                                          const std::vector<std::string>& vary,
                                          const SweepDesign& design, bool noRandom,
                                          Problems& problems);

}  // namespace millrace
