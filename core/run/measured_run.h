// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "core/base/mutex.h"
#include "core/run/executor.h"
#include "core/run/run_observer.h"
#include "core/run/run_result.h"

namespace millrace {

class GpuMonitor;

/// How a run is measured (CONTRACT §7). The measured span ends with the first limit reached; with a
/// limit of batches or epochs and no `seconds`, time does not end it.
struct MeasureSettings {
  double warmupSeconds = 2;
  std::optional<double> seconds = 5;
  std::optional<std::uint64_t> batches;
  std::optional<std::uint64_t> epochs;
  std::size_t repeats = 3;
  std::uint32_t startEpoch = 0;
  std::uint64_t startBatch = 0;
  FailureLimit failureLimit;
  bool noRandom = false;
  /// Spans that each thread keeps for RunObserver::onTrace; 0: the run is not traced. Tracing times
  /// every sample: such a run is a little slower than its figures would be.
  std::size_t traceSpans = 0;
  /// Called before anything of a repeat is begun, on the thread of MeasuredRun::run. Empty:
  /// nothing.
  std::function<void()> beforeRepeat;
  /// Called when all of a repeat is there and its first sample can be begun, on the thread of
  /// MeasuredRun::run, and holds the repeat up until it returns. Whoever calls `stop` sees to it
  /// that it does. Empty: nothing is waited for.
  std::function<void(std::size_t repeat)> awaitStart;
  /// Whether to look what of the data the page cache holds, before and after each repeat.
  bool watchPageCache = false;
  /// Whether a repeat waits, ten seconds at most, for cores that a host has put far apart
  /// (core/monitor/core_exchange).
  bool awaitCores = false;
  /// Watches the GPU, for the figures of each repeat; outlives the run. nullptr: no GPU is watched.
  GpuMonitor* gpu = nullptr;
};

/// Runs a plan `repeats` times, each a fresh pipeline with its own warm-up over the same memory
/// caches, and measures. `run` once; `stop`, `cancel` and `set` from any thread while it goes on.
class MeasuredRun {
 public:
  /// Plan, caches and observer outlive it.
  MeasuredRun(const Plan& plan, const CacheSet& caches, const MeasureSettings& settings,
              RunObserver& observer, const Clock& clock = steadyClock());
  ~MeasuredRun();

  /// An error: nothing could be started. A run that failed later is a result that says so.
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
  std::uint64_t m_failedSamples = 0;  ///< distinct, in the repeat that had most; thread of `run`

  Mutex m_mutex;
  Executor* m_executor MILLRACE_GUARDED_BY(m_mutex) = nullptr;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  std::vector<LiveChange> m_changes MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
