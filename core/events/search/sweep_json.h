// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/events/search/search_events.h"
#include "core/tune/sweep/sweep_outcome.h"

namespace millrace {

/// The object that `millrace sweep --json` prints (docs/reference/command-line.md): keys sorted,
/// absent values null. `next`: the command that runs the best; may be empty.
std::string sweepJson(const SweepOutcome& outcome, const std::string& next, bool indented);

/// The event of a sweep that begins. `points` and `runIds` have one entry for each setting.
SweepEvent sweepEventOf(const SweepPlan& plan, const std::string& experiment, std::size_t blocks,
                        const std::vector<PointState>& points,
                        const std::vector<std::string>& runIds);

}  // namespace millrace
