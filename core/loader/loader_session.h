// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "core/cuda/device.h"
#include "core/loader/device_user.h"
#include "core/loader/slot_returns.h"
#include "core/loader/training_time.h"
#include "core/measure/span_figures.h"
#include "core/monitor/host_sampler.h"
#include "core/open/pipeline_request.h"
#include "core/run/executor.h"

namespace millrace {

/// One run of the engine from a given position on, with everything its batches' memory belongs to,
/// and the program's times. Shared by the loader, every batch that the program holds, and the
/// training recorder. Thread-safe.
class LoaderSession {
 public:
  /// `user` is nullptr without a device.
  LoaderSession(std::shared_ptr<const PreparedPipeline> prepared,
                std::shared_ptr<const CacheSet> cacheSet, std::unique_ptr<Executor> made,
                std::shared_ptr<DeviceUser> user, const Clock& clock);

  /// May run on any thread, the last user's; enters the device for it.
  ~LoaderSession();
  LoaderSession(const LoaderSession&) = delete;
  LoaderSession& operator=(const LoaderSession&) = delete;

  /// Starts the engine's threads. Call once; before it there are no figures.
  void start();
  /// Like Executor::next, but also collects slots that were returned while GPU work of the program
  /// still read them. While any of these is outstanding, a missing batch counts as NotYet, not as
  /// Held.
  Executor::Pull next(SteadyTime until, BatchSlot*& slot);
  /// Returns a slot from `next`, with the program's streams that may still read it. Any thread.
  void giveBack(BatchSlot& slot, std::span<const ProgramStream> readers);

  void asks(SteadyTime now);
  void gets(SteadyTime now, std::uint64_t rows);
  void pauses();

  /// When `start` was called.
  SteadyTime beganAt() const;
  /// The counters so far, with the program's steps as the consumer's steps.
  SpanEdge edge() const;
  /// The figures since `start`. Their seconds are the program's steps and waits.
  SpanFigures figures() const;
  double stepSeconds() const;
  double waitSeconds() const;
  std::vector<RateWindow> windowsFrom(std::size_t first) const;

 private:
  /// Entered by the destructor; declared first to outlive the members below.
  std::unique_ptr<DeviceScope> m_scope;
  const std::shared_ptr<DeviceUser> m_user;  ///< as above

 public:
  // Constant. The executor is declared after what it uses.
  const std::shared_ptr<const PreparedPipeline> pipeline;
  const std::shared_ptr<const CacheSet> caches;
  const std::unique_ptr<Executor> executor;

 private:
  /// nullptr without a device.
  std::unique_ptr<DeviceScope> enterDevice() const;
  SpanEdge edgeNow() const MILLRACE_REQUIRES(m_mutex);

  mutable Mutex m_mutex;
  HostSampler m_host MILLRACE_GUARDED_BY(m_mutex);
  SpanEdge m_begin MILLRACE_GUARDED_BY(m_mutex);
  TrainingTime m_time MILLRACE_GUARDED_BY(m_mutex);

  SlotReturns m_returns;
};

}  // namespace millrace
