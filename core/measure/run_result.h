// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/shuffle_quality.h"
#include "core/metrics/histogram.h"
#include "core/monitor/gpu/gpu_values.h"
#include "core/run/failure_budget.h"
#include "core/spec/named_counters.h"
#include "core/spec/sample_cache.h"

namespace millrace {

// What a run measured, as value types (docs/reference/figures.md). Absent is nullopt, never 0.

/// Samples between two arrivals of batches.
struct RateWindow {
  double startSeconds = 0;  ///< from the beginning of the measured span
  double seconds = 0;
  std::uint64_t samples = 0;
  std::uint64_t batches = 0;
  double rate() const { return seconds > 0 ? static_cast<double>(samples) / seconds : 0; }
};

/// A rate with its spread: percentiles over windows (if 5 or more), 95 % interval over repeats (if
/// 3 or more).
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
  /// CPU time of the node's threads in proportion to its busy time.
  std::optional<double> cpuSeconds;
  std::optional<double> meanMs;
  std::optional<double> p95Ms;
  std::optional<std::string> fusedInto;
  std::vector<NamedCount> counters;  ///< further counters of the node, without zeros
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
  std::optional<double> runDelaySeconds;  ///< ready to run but without a core
  std::optional<double> betweenSeconds;   ///< worker time outside of nodes
};

/// Times of a training consumer's steps by the device's clock, and its losses.
struct TrainingFigures {
  std::uint64_t steps = 0;
  double forwardMs = 0;  ///< mean of a step, as the others
  double backwardMs = 0;
  double updateMs = 0;
  std::uint64_t skippedUpdates = 0;  ///< updates skipped because a gradient was not finite
  double firstLoss = 0;              ///< loss of the run's first step
  double loss = 0;                   ///< loss at the end, averaged over about ten steps
  double lossScale = 1;              ///< at the end
  std::string libraries;             ///< libraries in use
};

/// A sample that is among the slowest of a span, from its read to its row in the batch.
struct SlowestSample {
  std::string sample;       ///< its name in the source; any bytes
  std::uint64_t times = 0;  ///< how often it is among the slowest: a span can have several epochs
  double meanMs = 0;        ///< its time, the mean of these
  std::uint64_t bytes = 0;  ///< as read from the source
  std::string node;         ///< id of the node that took the longest
  double nodeMs = 0;        ///< time of that node, the mean of these
  std::string route;        ///< how that node did it: "JPEG by libjpeg"; may be empty
};

/// The slowest of the samples that were timed.
struct SlowestFigures {
  static constexpr std::size_t kKept = 100;
  std::uint64_t timed = 0;             ///< samples that were timed
  double timedSeconds = 0;             ///< their time
  std::vector<SlowestSample> samples;  ///< the slowest first; at most kKept

  /// Their share of the time of the timed samples, 0 to 1; nullopt if none was timed.
  std::optional<double> share() const;
  /// The mean time of a timed sample in milliseconds; 0 if none was timed.
  double meanMs() const;
  /// Adds those of another span.
  void add(const SlowestFigures& other);
};

/// The figures of a measured span.
struct SpanFigures {
  std::uint64_t samples = 0;
  std::uint64_t batches = 0;
  /// For a repeat: failures in the measured span, counted again in each epoch. For a run: distinct
  /// samples including warm-ups, as for the failure limit.
  std::uint64_t failedSamples = 0;
  double seconds = 0;
  RateFigures samplesPerSecond;
  RateFigures batchesPerSecond;
  /// If several processes run at the same time: their number times the rate of the slowest, the
  /// most that training with a barrier at each step can use.
  std::optional<double> lockstepSamplesPerSecond;
  std::optional<double> inputBytesPerSecond;
  std::optional<double> cpuSecondsPer1000Samples;
  std::optional<std::uint64_t> peakRssBytes;
  std::optional<double> stepShare;
  std::optional<double> stepOverNominal;  ///< step time divided by its nominal time
  std::optional<double> waitP95Ms;        ///< waiting for a batch, 95th percentile
  /// Share of the cores used by other processes; for spans of at least 0.4 s.
  std::optional<double> otherBusyShare;
  std::optional<double> stealShare;
  /// Changes from before the repeat to after it (core/monitor/machine_watch).
  std::optional<double> coreSpeedChange;
  std::optional<double> interCoreLatencyChange;
  std::optional<std::uint64_t> throttles;
  std::optional<double> otherDiskShare;
  /// Batches that were written to files (`--dump`) during the measured span; absent if none.
  std::optional<std::uint64_t> dumpedBatches;
  /// Absolute change of the share of the data in the page cache, from before the repeat to after
  /// it.
  std::optional<double> pageCacheChange;
  std::optional<double> readLatencyMs;
  std::optional<std::uint64_t> majorFaults;
  std::optional<GpuFigures> accelerator;
  std::optional<TrainingFigures> training;
  SlowestFigures slowest;
  /// How well the first epoch is shuffled. Of a run, not of its repeats.
  std::optional<ShuffleQuality> order;
  std::vector<NodeFigures> nodes;
  std::vector<QueueFigures> queues;
  std::vector<StageFigures> stages;
  std::vector<RateWindow> windows;
};

enum class RunOutcome { Finished, Failed, Interrupted };

/// A parameter that was changed during the run.
struct LiveChange {
  std::string node;
  std::string param;
  std::string value;
};

/// One of several processes that ran a pipeline at the same time, each on its part of the data.
struct RankFigures {
  std::int64_t rank = 0;  ///< from 0
  std::string gpu;        ///< its CUDA_VISIBLE_DEVICES; empty if it got no GPU
  SpanFigures figures;    ///< figures of this process over its repeats
};

/// A whole run: `figures` over all repeats, and the figures of each repeat.
struct RunResult {
  RunOutcome outcome = RunOutcome::Finished;
  std::string reason;  ///< why it failed or was interrupted
  /// It failed because more samples failed than allowed: a higher limit would let it go on.
  bool tooManyFailed = false;
  /// In order of time. A run with live changes is excluded from verdicts
  /// (docs/reference/verdict.md).
  std::vector<LiveChange> liveChanges;
  SpanFigures figures;
  std::vector<SpanFigures> repeats;
  bool inBlocks = false;  ///< other runs were measured between the repeats; then all repeats count
  std::vector<FailedSample> failures;  ///< the first ones; figures.failedSamples counts all
  /// Caches, then side indices of decode nodes, by id; counted since they were opened. Absent if no
  /// longer known.
  std::optional<std::vector<CacheFigures>> caches;
  /// Set if several processes ran the pipeline and the rest of the result is gathered from theirs
  /// (core/ranks). Empty: a single process.
  std::vector<RankFigures> ranks;
  std::vector<std::pair<std::string, std::string>> environment;
};

/// Combines the figures of repeats, all of which count: sums of counts and times, means of shares,
/// the geometric mean of rates with its interval (so that the ratio of two shown rates is the ratio
/// of a verdict), percentiles over the windows of all repeats. For the repeats of a run that was
/// measured alone, figuresOfRun (store_figures.h) leaves out disturbed ones.
SpanFigures combineRepeats(const std::vector<SpanFigures>& repeats);

}  // namespace millrace
