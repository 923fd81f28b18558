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

/// What a node does, as far as finding a limit needs to know.
enum class WorkKind : std::uint8_t {
  Read,     ///< the source
  Decode,   ///< nodes of the category of that name
  Augment,  ///< geometry, colour and tensor nodes, also on whole batches
  Other,    ///< order, cache, runtime
  Step      ///< the consumer
};

/// What was counted in a measured span, with how the run was laid out: what the `result` event and
/// the store hold, in the form in which `findLimit` reads it. Plain values; absent is what nobody
/// counted, never 0. Seconds are of the whole span; those of nodes and stages are summed over their
/// threads.
struct RunCounters {
  struct Node {
    std::string id;
    WorkKind work = WorkKind::Other;
    std::optional<double> busySeconds;     ///< waiting for a disk counts
    std::string fusedInto;                 ///< runs as one with this node, which has the counter
    Histogram service = {};                ///< times of single samples, where they were counted
    std::optional<double> keptBytes = {};  ///< bytes out of it over bytes into it, of it alone
  };
  /// Stage i hands batches to stage i + 1 through queue i; the last one is the consumer's.
  struct Stage {
    std::string id;
    std::size_t threads = 1;
    bool strict = true;         ///< batches wait for a slow sample
    bool wholeBatches = false;  ///< a thread takes batches, not samples
    std::string workers;        ///< node that sets the number of threads; empty: there is none
    std::vector<Node> nodes;  ///< all whose time these threads spend, the source's reading included
    std::optional<double> cpuSeconds;
    std::optional<double> runDelaySeconds;  ///< ready to run and without a core
    std::optional<double> betweenSeconds;   ///< in no node
  };
  struct Queue {
    std::string id;
    std::string prefetch;  ///< node that sets its length; empty: there is none
    std::size_t capacity = 0;
    std::optional<double> emptyShare;
    std::optional<double> fullShare;
    std::optional<double> readerWaitSeconds;
    std::optional<double> writerWaitSeconds;  ///< of all its threads
    std::optional<double> headOfLineSeconds;  ///< finished batches stood behind an unfinished one
  };

  double seconds = 0;
  std::uint64_t samples = 0;
  std::uint64_t batches = 0;
  std::uint64_t failedSamples = 0;
  std::vector<Stage> stages;
  std::vector<Queue> queues;
  std::string batchNode;
  std::size_t batchSize = 0;
  std::optional<double> sampleBytes;      ///< of a sample in its batch
  std::optional<double> stepShare;        ///< absent without a step
  std::optional<double> stepOverNominal;  ///< above 1: the machine could not keep the step's time
  std::optional<double> cores;            ///< that the process may use
  std::optional<double> cpuSeconds;       ///< of the process
  std::optional<double> otherBusyShare;   ///< of the cores, by other processes
  std::optional<double> stealShare;       ///< of the cores, by the machine's host
  std::optional<double> residentShare;    ///< of the data, in the page cache before the run
  std::optional<double> readLatencyMs;
  std::optional<std::size_t> readAhead;   ///< samples; absent where the source cannot
  std::optional<double> transferSeconds;  ///< absent without a device
  std::optional<double> deviceSeconds;    ///< absent without a device

  double samplesPerSecond() const {
    return seconds > 0 ? static_cast<double>(samples) / seconds : 0;
  }
};

}  // namespace millrace
