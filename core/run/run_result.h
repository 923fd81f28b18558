// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/metrics/histogram.h"
#include "core/monitor/gpu_values.h"
#include "core/run/failure_budget.h"
#include "core/spec/sample_cache.h"
#include "core/spec/tally.h"

namespace millrace {

// What a run measured, as plain values (CONTRACT §7 and §9). Absent is nullopt, never 0.

/// Samples between two arrivals of batches.
struct RateWindow {
  double startSeconds = 0;  ///< since the measured span began
  double seconds = 0;
  std::uint64_t samples = 0;
  std::uint64_t batches = 0;
  double rate() const { return seconds > 0 ? static_cast<double>(samples) / seconds : 0; }
};

/// A rate with what is known of its spread: percentiles over windows (5 or more), the 95 %
/// interval over repeats (3 or more).
struct RateFigures {
  std::optional<double> mean;
  std::optional<double> median;
  std::optional<double> p05;
  std::optional<double> p95;
  std::optional<double> ci95Low;
  std::optional<double> ci95High;
  std::size_t windows = 0;
};

struct NodeFigures {
  std::string id;
  std::string kind;
  std::optional<std::uint64_t> items;
  std::optional<std::uint64_t> bytesIn;
  std::optional<std::uint64_t> bytesOut;
  std::optional<std::uint64_t> failed;
  std::optional<double> busySeconds;
  std::optional<double> cpuSeconds;  ///< CPU time of the node's threads by its share of their work
  std::optional<double> meanMs;
  std::optional<double> p95Ms;
  std::optional<std::string> fusedInto;
  std::vector<TallyCount> tally;  ///< what the node counts besides, without zeros
  Histogram service;
};

struct QueueFigures {
  std::string id;
  std::string from;
  std::string to;
  std::uint64_t capacity = 0;
  std::optional<double> meanFill;
  std::optional<double> emptyShare;
  std::optional<double> fullShare;
  std::optional<double> readerWaitSeconds;
  std::optional<double> writerWaitSeconds;
  std::optional<double> headOfLineSeconds;
};

struct StageFigures {
  std::string id;
  std::uint64_t threads = 0;
  std::optional<double> cpuSeconds;
  std::optional<double> runDelaySeconds;  ///< ready to run and without a core
  std::optional<double> betweenSeconds;   ///< worker time outside of nodes
};

/// What a consumer that trains took for a step, by the device's clock, and what became of the loss.
struct TrainingFigures {
  std::uint64_t steps = 0;
  double forwardMs = 0;  ///< a step, as are the others
  double backwardMs = 0;
  double updateMs = 0;
  std::uint64_t skippedUpdates = 0;  ///< a gradient was not finite
  double firstLoss = 0;              ///< of the run's first step
  double loss = 0;                   ///< at the end, over some ten steps
  double lossScale = 1;              ///< at the end
  std::string libraries;             ///< that do the work
};

/// The figures of a measured span.
struct SpanFigures {
  std::uint64_t samples = 0;
  std::uint64_t batches = 0;
  /// Of a repeat: those of the measured span, again in each epoch. Of a run: distinct ones, its
  /// warm-ups included, as the failure limit counts them.
  std::uint64_t failedSamples = 0;
  double seconds = 0;
  RateFigures samplesPerSecond;
  RateFigures batchesPerSecond;
  /// Of several processes at the same time: their number times the rate of the slowest. Training
  /// that waits for every process at each step can use no more.
  std::optional<double> lockstepSamplesPerSecond;
  std::optional<double> inputBytesPerSecond;
  std::optional<double> cpuSecondsPer1000Samples;
  std::optional<std::uint64_t> peakRssBytes;
  std::optional<double> stepShare;
  std::optional<double> stepOverNominal;  ///< step time over its nominal time
  std::optional<double> waitP95Ms;        ///< waiting for a batch, 95th percentile
  std::optional<double> otherBusyShare;   ///< of the cores, by other processes; of 0.4 s or more
  std::optional<double> stealShare;
  /// From before the repeat to after it (core/monitor/machine_watch).
  std::optional<double> coreSpeedChange;
  std::optional<double> coreExchangeChange;
  std::optional<std::uint64_t> throttles;
  std::optional<double> otherDiskShare;
  /// Of the data that the page cache held before it, or after it, but not at both times.
  std::optional<double> pageCacheChange;
  std::optional<double> readLatencyMs;
  std::optional<std::uint64_t> majorFaults;
  std::optional<GpuFigures> accelerator;
  std::optional<TrainingFigures> training;
  std::vector<NodeFigures> nodes;
  std::vector<QueueFigures> queues;
  std::vector<StageFigures> stages;
  std::vector<RateWindow> windows;
};

enum class RunOutcome { Finished, Failed, Interrupted };

/// A parameter that was changed while the run went on.
struct LiveChange {
  std::string node;
  std::string param;
  std::string value;
};

/// A cache, or the side index of a decode node, at the end of a run.
struct CacheFigures {
  std::string id;  ///< of its node
  SampleCache::Fill fill;
};

/// One of several processes that ran a pipeline at the same time, each on its own part of the data.
struct RankFigures {
  std::int64_t rank = 0;  ///< from 0
  std::string gpu;        ///< as CUDA_VISIBLE_DEVICES names it; empty: it was given none
  SpanFigures figures;    ///< of its own, over its repeats
};

/// A run as a whole: `figures` over all its repeats, and each repeat's own.
struct RunResult {
  RunOutcome outcome = RunOutcome::Finished;
  std::string reason;  ///< why it failed or was interrupted
  /// In their order. A run with any takes no part in verdicts (CONTRACT §10).
  std::vector<LiveChange> liveChanges;
  SpanFigures figures;
  std::vector<SpanFigures> repeats;
  std::vector<FailedSample> failures;  ///< the first ones; figures.failedSamples counts all
  /// Caches, then side indices of decode nodes, by id; what they count is since they were opened.
  /// Absent where it is not known any more.
  std::optional<std::vector<CacheFigures>> caches;
  /// Where several processes ran it, and all else is gathered of theirs (core/ranks). Empty: one
  /// did.
  std::vector<RankFigures> ranks;
  std::vector<std::pair<std::string, std::string>> environment;
};

/// The run's figures out of its repeats': sums of counts and times, the mean of rates with its
/// interval, percentiles over the windows of all repeats.
SpanFigures combineRepeats(const std::vector<SpanFigures>& repeats);

}  // namespace millrace
