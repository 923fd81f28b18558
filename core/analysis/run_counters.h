// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/metrics/histogram.h"

namespace millrace {

/// Kind of work of a node, as far as the rules of findLimit need it.
enum class WorkKind : std::uint8_t {
  Read,     ///< the source
  Decode,   ///< nodes of the category decode
  Augment,  ///< geometry, colour and tensor nodes, also on whole batches
  Other,    ///< order, cache, runtime
  Step      ///< the consumer
};

/// Counters of a measured span and the layout of the run: what the `result` event and the store
/// hold, in the form that `findLimit` reads. Value type. A figure that was not counted is absent,
/// never 0. Seconds are over the whole span; those of nodes and stages are summed over their
/// threads.
struct RunCounters {
  struct Node {
    std::string id;
    WorkKind work = WorkKind::Other;
    std::optional<double> busySeconds;  ///< includes waiting for a disk
    std::string fusedInto;   ///< id of the node that it is fused into, which has the counters
    Histogram service = {};  ///< times of single samples, if they were counted
    std::optional<double> keptBytes = {};  ///< bytes out divided by bytes in, for this node alone
  };
  /// Stage i passes batches to stage i + 1 through queue i; the last stage is the consumer's.
  struct Stage {
    std::string id;
    std::size_t threads = 1;
    bool strict = true;         ///< batches wait for a slow sample
    bool wholeBatches = false;  ///< each thread makes whole batches
    std::string workers;        ///< the workers node; empty if there is none
    /// All nodes that run on these threads, including the source's reading.
    std::vector<Node> nodes;
    std::optional<double> cpuSeconds;
    std::optional<double> runDelaySeconds;  ///< ready to run but waiting for a core
    std::optional<double> betweenSeconds;   ///< time outside the nodes
  };
  struct Queue {
    std::string id;
    std::string prefetch;  ///< the prefetch node; empty if there is none
    std::size_t capacity = 0;
    std::optional<double> emptyShare;
    std::optional<double> fullShare;
    std::optional<double> readerWaitSeconds;
    std::optional<double> writerWaitSeconds;  ///< over all threads
    std::optional<double> headOfLineSeconds;  ///< finished batches waited for an unfinished one
  };

  double seconds = 0;
  std::uint64_t samples = 0;
  std::uint64_t batches = 0;
  std::uint64_t failedSamples = 0;
  std::vector<Stage> stages;
  std::vector<Queue> queues;
  std::string batchNode;
  std::size_t batchSize = 0;
  std::optional<double> sampleBytes;      ///< size of a sample in its batch
  std::optional<double> stepShare;        ///< absent without a step
  std::optional<double> stepOverNominal;  ///< above 1: steps took longer than their nominal time
  std::optional<double> cores;            ///< cores that the process may use
  std::optional<double> cpuSeconds;       ///< CPU time of the process
  std::optional<double> otherBusyShare;   ///< share of the cores used by other processes
  std::optional<double> stealShare;  ///< share of the cores taken by the virtual machine's host
  /// Share of the data that was in the page cache before the run.
  std::optional<double> residentShare;
  std::optional<double> readLatencyMs;
  std::optional<std::size_t> readAhead;   ///< samples; absent if the source cannot read ahead
  std::optional<double> transferSeconds;  ///< absent without a device
  std::optional<double> deviceSeconds;    ///< absent without a device

  double samplesPerSecond() const {
    return seconds > 0 ? static_cast<double>(samples) / seconds : 0;
  }
};

}  // namespace millrace
