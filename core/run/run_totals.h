// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/metrics/counters.h"
#include "core/run/batch_ring.h"
#include "core/spec/consumer.h"
#include "core/spec/source.h"

namespace millrace {

/// Counters of a stage, summed over its threads.
struct StageTotals {
  std::uint64_t cpuNs = 0;
  std::uint64_t samples = 0;
  /// Time of all samples from the first to the last node, extrapolated from the timed ones. It
  /// exceeds the sum of the nodes' busy times by the time spent between nodes.
  double sampleSeconds = 0;
  std::vector<int> threadIds;  ///< kernel ids
};

/// All counters since an executor started. Value type; the difference of two gives the figures of
/// the time between them.
struct RunTotals {
  SteadyTime at;
  std::uint64_t samples = 0;  ///< delivered to the consumer
  std::uint64_t batches = 0;
  std::uint64_t failedSamples = 0;  ///< distinct samples
  std::uint64_t readBytes = 0;
  std::uint64_t readOpens = 0;
  std::uint64_t reads = 0;
  std::uint64_t readLatencyNs = 0;
  std::uint64_t timedReads = 0;
  double stepSeconds = 0;  ///< measured time of the consumer's steps
  double nominalStepSeconds = 0;
  std::uint64_t orderNs = 0;
  std::optional<TrainingTotals> training;  ///< if the consumer trains
  std::vector<NodeTotals> nodes;           ///< by index in the pipeline
  std::vector<QueueTotals> queues;         ///< by index in the plan
  std::vector<StageTotals> stages;

  void add(const ReadCounters& counters) {
    readBytes += counters.bytes.load(std::memory_order_relaxed);
    readOpens += counters.opens.load(std::memory_order_relaxed);
    reads += counters.reads.load(std::memory_order_relaxed);
    readLatencyNs += counters.latencyNs.load(std::memory_order_relaxed);
    timedReads += counters.timedReads.load(std::memory_order_relaxed);
  }
};

}  // namespace millrace
