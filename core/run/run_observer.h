// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/batch.h"
#include "core/monitor/gpu_values.h"
#include "core/monitor/host_sampler.h"
#include "core/run/run_result.h"
#include "core/run/run_totals.h"

namespace millrace {

struct RunTrace;

/// Where a run is.
struct RunPhase {
  std::size_t repeat = 0;  ///< from 0
  std::size_t repeats = 1;
  bool warmup = false;
  /// Left of this phase, when it is bounded by time.
  double secondsLeft = 0;
};

struct RunSnapshot {
  RunPhase phase;
  double seconds = 0;  ///< since the repeat began
  RunTotals totals;    ///< of this repeat
  HostSample host;
  std::optional<GpuNews> gpu;  ///< since the snapshot before; nothing where no GPU is watched
  /// Batches of the measured span, and how many it will have, when it is bounded by them.
  std::uint64_t measuredBatches = 0;
  std::uint64_t batchLimit = 0;
};

/// Hears of a run while it goes on. Batches come on the thread of MeasuredRun::run, which they hold
/// up; all else comes from its sampling thread or from that thread, never two calls at once.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// Before a repeat that waits until cores hand data to each other as fast as usual
  /// (core/monitor/core_exchange): `secondsLeft` of the phase, at most.
  virtual void onWaiting(const RunPhase&) {}
  virtual void onPhase(const RunPhase&) {}
  /// Five times a second.
  virtual void onSnapshot(const RunSnapshot&) {}
  virtual void onWindow(std::size_t /*repeat*/, const RateWindow&) {}
  /// Newly failed samples; `total` counts all of the run.
  virtual void onFailures(const std::vector<FailedSample>&, std::uint64_t /*total*/) {}
  virtual void onRepeat(std::size_t /*repeat*/, const SpanFigures&) {}
  /// After each repeat of a run that is traced.
  virtual void onTrace(std::size_t /*repeat*/, const RunTrace&) {}
  /// Every batch that the consumer gets, warm-up included; must be quick.
  virtual void onBatch(std::size_t /*repeat*/, const Batch&) {}
};

}  // namespace millrace
