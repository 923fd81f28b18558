// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/events/event_reader.h"
#include "core/run/run_observer.h"
#include "core/run/run_result.h"

namespace millrace {

// What several processes measured at the same time, each on its own part of the data, as one. Pure
// functions; any thread. A figure that one of them does not know is absent, and so is what cannot
// be told from theirs.

/// One repeat, of all ranks. They run at the same time, so that rates are sums; `seconds` is the
/// longest, and the lockstep rate says what is left where everyone waits for the slowest. Counts,
/// CPU time and memory are sums: pages that ranks share are counted in each. Shares of a step and
/// fills of queues are means; CPU time a sample is weighted by samples; the accelerator's figures
/// are means over the ranks that have any, and those of a training are means over all, with the
/// most steps. Absent: windows and what is made of them, because a window begins at a batch of its
/// rank; the 95th percentiles; and what looks at other programs on the machine, which the ranks are
/// to each other. `ranks` holds one at least.
SpanFigures gatherRepeat(const std::vector<SpanFigures>& ranks);

/// How far a run has got: the last snapshots of all ranks, of one repeat. The phase and the
/// machine's cores are the first rank's; counts and memory are sums, times of step and queues
/// means, a fill the rounded mean.
RunSnapshot gatherSnapshots(const std::vector<SnapshotEvent>& ranks);

/// The ranks that lie furthest apart.
struct RankSpread {
  std::int64_t slowest = 0;
  std::int64_t fastest = 0;
  double slowerBy = 0;  ///< share of the fastest one's rate
};
/// Nothing of fewer than two ranks with a rate.
std::optional<RankSpread> spreadOf(const std::vector<RankFigures>& ranks);

}  // namespace millrace
