// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/events/stream/event_reader.h"
#include "core/measure/run_observer.h"
#include "core/measure/run_result.h"

namespace millrace {

// Combines what several processes measured at the same time, each on its own part of the data, into
// one set of figures. Pure functions; any thread. A figure that is absent in one rank, or that
// cannot be computed from the ranks' figures, is absent in the result.

/// Combines one repeat of all ranks. The ranks run concurrently, so rates are added; `seconds` is
/// the longest, and the lockstep rate is what remains when every rank waits for the slowest one.
/// Counts, CPU time and memory are sums; memory pages that ranks share are counted once per rank.
/// Shares of a step and queue fills are means; CPU time per sample is weighted by samples.
/// Accelerator figures are means over the ranks that have them; training figures are means over all
/// ranks, with the largest number of steps. Absent in the result: windows and the figures derived
/// from them (a window starts at a batch of one rank), 95th percentiles, and figures about
/// other programs on the machine, because the ranks count as other programs to one another. `ranks`
/// must not be empty.
SpanFigures gatherRepeat(const std::vector<SpanFigures>& ranks);

/// Combines the latest snapshots of all ranks, all of one repeat, into the progress of the run.
/// Phase and CPU cores come from the first rank; counts and memory are sums; step times and queues
/// are means, a queue's fill rounded.
RunSnapshot gatherSnapshots(const std::vector<SnapshotEvent>& ranks);

/// The slowest and the fastest rank.
struct RankSpread {
  std::int64_t slowest = 0;
  std::int64_t fastest = 0;
  double slowerBy = 0;  ///< share of the fastest rank's rate
};
/// Empty when fewer than two ranks have a rate.
std::optional<RankSpread> spreadOf(const std::vector<RankFigures>& ranks);

}  // namespace millrace
