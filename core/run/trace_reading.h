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

// What can be read off a trace besides its spans. Pure functions.

/// Where a batch was worked on, in the order of time.
struct BatchPath {
  struct Point {
    std::uint64_t ns = 0;    ///< begin of the span there
    std::size_t thread = 0;  ///< index in the trace
  };
  std::uint64_t batch = 0;
  std::vector<Point> points;  ///< two or more
};
/// From the thread that finished a batch to the consumer's step, by way of copies and device work.
std::vector<BatchPath> batchPaths(const Plan& plan, const RunTrace& trace);

/// Finished batches that waited in a queue.
struct QueueFill {
  std::string queue;
  struct Change {
    std::uint64_t ns = 0;
    std::size_t fill = 0;  ///< from then on
  };
  std::vector<Change> changes;
};
/// Of each queue of the plan. A batch waits from when it was finished until its next stage has it.
/// Ends where the first thread had no more room for spans: from there on it would be wrong.
std::vector<QueueFill> queueFills(const Plan& plan, const RunTrace& trace);

/// What samples took in the nodes of the first stage's threads, putting them into their rows
/// included, in the order in which they were begun; seconds. The last `most` of those that the
/// trace has whole. Samples that failed are left out.
std::vector<double> sampleSeconds(const Plan& plan, const RunTrace& trace, std::size_t most);

/// How copies to a device and work on it went on at the same time, in the measured span.
struct TraceOverlap {
  double copySeconds = 0;
  double workSeconds = 0;
  double bothSeconds = 0;
  /// Of the shorter of the two: 1 means that it was hidden behind the other.
  double share() const {
    const double shorter = copySeconds < workSeconds ? copySeconds : workSeconds;
    return shorter > 0 ? bothSeconds / shorter : 0;
  }
};
/// Nothing where the trace has no copy or no device work.
std::optional<TraceOverlap> overlapOf(const RunTrace& trace);

}  // namespace millrace
