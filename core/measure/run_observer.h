// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/batch.h"
#include "core/measure/run_result.h"
#include "core/monitor/gpu/gpu_values.h"
#include "core/monitor/host_sampler.h"
#include "core/run/run_totals.h"

namespace millrace {

struct RunTrace;

/// The current phase of a run.
struct RunPhase {
  std::size_t repeat = 0;  ///< from 0
  std::size_t repeats = 1;
  bool warmup = false;
  /// Time left in this phase; of batches or epochs, by their rate so far. 0: not known yet.
  double secondsLeft = 0;
};

struct RunSnapshot {
  RunPhase phase;
  double seconds = 0;  ///< since the repeat began
  RunTotals totals;    ///< for this repeat
  HostSample host;
  std::optional<GpuNews> gpu;  ///< since the previous snapshot; nullopt if no GPU is monitored
  /// Batches of the measured span so far, and their limit if there is one.
  std::uint64_t measuredBatches = 0;
  std::uint64_t batchLimit = 0;
};

/// Is notified of a running measurement. onBatch is called on the thread of MeasuredRun::run, which
/// waits for it; all other functions are called on its sampling thread or on that thread, never two
/// at the same time.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// Before a repeat that waits for inter-core latency to return to its usual value
  /// (core/monitor/inter_core_latency); at most `secondsLeft` of the phase.
  virtual void onWaiting(const RunPhase&) {}
  virtual void onPhase(const RunPhase&) {}
  /// Five times a second.
  virtual void onSnapshot(const RunSnapshot&) {}
  virtual void onWindow(std::size_t /*repeat*/, const RateWindow&) {}
  /// Newly failed samples; `total` counts all of the run so far.
  virtual void onFailures(const std::vector<FailedSample>&, std::uint64_t /*total*/) {}
  virtual void onRepeat(std::size_t /*repeat*/, const SpanFigures&) {}
  /// After each repeat of a run that is traced.
  virtual void onTrace(std::size_t /*repeat*/, const RunTrace&) {}
  /// Every batch that the consumer gets, including warm-up; must be fast.
  virtual void onBatch(std::size_t /*repeat*/, const Batch&) {}
};

}  // namespace millrace
