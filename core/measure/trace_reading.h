// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/plan.h"
#include "core/run/trace.h"

namespace millrace {

// What can be derived from a trace. Pure functions.

/// Where a batch was worked on, in order of time.
struct BatchPath {
  struct Point {
    std::uint64_t ns = 0;    ///< begin of the span
    std::size_t thread = 0;  ///< index in the trace
  };
  std::uint64_t batch = 0;
  std::vector<Point> points;  ///< at least two
};
/// Paths from the thread that finished a batch to the consumer's step, including copies and device
/// work.
std::vector<BatchPath> batchPaths(const Plan& plan, const RunTrace& trace);

/// Number of finished batches waiting in a queue over time.
struct QueueFill {
  std::string queue;
  struct Change {
    std::uint64_t ns = 0;
    std::size_t fill = 0;  ///< from this time on
  };
  std::vector<Change> changes;
};
/// For each queue of the plan. A batch waits from when it is finished until the next stage takes
/// it. Ends where the first thread ran out of room for spans, because later values would be wrong.
std::vector<QueueFill> queueFills(const Plan& plan, const RunTrace& trace);

/// Time in seconds that successive samples took in the nodes of the first stage's threads,
/// including the copy into their row, in the order in which they were started. The last `most`
/// samples that are completely in the trace, without failed ones.
std::vector<double> sampleSeconds(const Plan& plan, const RunTrace& trace, std::size_t most);

/// Overlap of copies to a device and work on it, within the measured span.
struct TraceOverlap {
  double copySeconds = 0;
  double workSeconds = 0;
  double bothSeconds = 0;
  /// Share of the shorter of the two that overlaps: 1 means that it was completely hidden.
  double share() const {
    const double shorter = copySeconds < workSeconds ? copySeconds : workSeconds;
    return shorter > 0 ? bothSeconds / shorter : 0;
  }
};
/// nullopt if the trace has no copy or no device work.
std::optional<TraceOverlap> overlapOf(const RunTrace& trace);

}  // namespace millrace
