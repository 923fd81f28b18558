// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "core/base/mutex.h"
#include "core/measure/run_observer.h"
#include "core/measure/run_result.h"
#include "core/run/executor.h"

namespace millrace {

class GpuMonitor;

/// How a run is measured (docs/reference/figures.md). The measured span ends at the first limit
/// reached. With a limit of batches or epochs and without `seconds`, it is not limited by time.
struct MeasureSettings {
  double warmupSeconds = 2;
  std::optional<double> seconds = 5;
  std::optional<std::uint64_t> batches;
  std::optional<std::uint64_t> epochs;
  std::size_t repeats = 3;
  /// The smallest number of batches in the warm-up of the first repeat, if it has one.
  std::uint64_t firstWarmupBatches = 0;
  std::uint32_t startEpoch = 0;
  std::uint64_t startBatch = 0;
  FailureLimit failureLimit;
  bool noRandom = false;
  /// Spans recorded by each thread for RunObserver::onTrace; 0: no trace. Tracing times every
  /// sample, which makes the run slightly slower.
  std::size_t traceSpans = 0;
  /// Called before each repeat, on the thread of MeasuredRun::run. May be empty.
  std::function<void()> beforeRepeat;
  /// Adds what the caller knows to a repeat's figures, before they are reported. May be empty.
  std::function<void(std::size_t repeat, SpanFigures& figures)> addFigures;
  /// Called on the thread of MeasuredRun::run when a repeat is ready for its first sample, and
  /// delays it until it returns. The caller of `stop` must make it return. May be empty.
  std::function<void(std::size_t repeat)> awaitStart;
  /// Whether to determine the data's share in the page cache before and after each repeat.
  bool watchPageCache = false;
  /// Whether each repeat waits, at most ten seconds, for inter-core latency to return to its usual
  /// value (core/monitor/inter_core_latency).
  bool awaitCores = false;
  /// Monitors the GPU for the figures of each repeat; must outlive the run. nullptr: no GPU
  /// figures.
  GpuMonitor* gpu = nullptr;
};

/// Runs a plan `repeats` times and measures it. Each repeat is a new executor with its own warm-up;
/// memory caches are kept. `run` once; `stop`, `cancel` and `set` from any thread meanwhile.
class MeasuredRun {
 public:
  /// Plan, caches and observer must outlive this object.
  MeasuredRun(const Plan& plan, const CacheSet& caches, const MeasureSettings& settings,
              RunObserver& observer, const Clock& clock = steadyClock());
  ~MeasuredRun();

  /// An error if nothing could be started. A run that fails later is a result with its outcome.
  Result<RunResult> run();
  void stop();
  void cancel();
  Status set(const std::string& node, const std::string& param, const std::string& value);

 private:
  class Repeat;

  Result<RunEnd> runRepeat(std::size_t index, RunResult& result);

  const Plan& m_plan;
  const CacheSet& m_caches;
  const MeasureSettings m_settings;
  RunObserver& m_observer;
  const Clock& m_clock;
  /// Distinct ones, largest number of a repeat; thread of `run`.
  std::uint64_t m_failedSamples = 0;

  Mutex m_mutex;
  Executor* m_executor MILLRACE_GUARDED_BY(m_mutex) = nullptr;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  std::vector<LiveChange> m_changes MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
