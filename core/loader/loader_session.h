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
#include "core/loader/pipeline_request.h"
#include "core/loader/slot_returns.h"
#include "core/loader/training_time.h"
#include "core/monitor/host_sampler.h"
#include "core/run/executor.h"
#include "core/run/span_figures.h"

namespace millrace {

/// A run of the engine from one place on, with all that its batches live in, and what the program
/// does meanwhile. Shared by the loader, every batch that is out and whoever keeps the training.
/// Monitor.
class LoaderSession {
 public:
  /// `user` is nullptr without a device.
  LoaderSession(std::shared_ptr<const PreparedPipeline> prepared,
                std::shared_ptr<const CacheSet> cacheSet, std::unique_ptr<Executor> made,
                std::shared_ptr<DeviceUser> user, const Clock& clock);

  /// What it has on a device goes on whichever thread was the last to use it.
  ~LoaderSession();
  LoaderSession(const LoaderSession&) = delete;
  LoaderSession& operator=(const LoaderSession&) = delete;

  /// Starts the engine's threads, once; before that there are no figures.
  void start();
  /// As Executor::next, whose slots that the program's work on a GPU still reads come back
  /// meanwhile, also those that another thread gives back; as long as there are any, a batch is
  /// late and not held.
  Executor::Pull next(SteadyTime until, BatchSlot*& slot);
  /// A slot of `next`, with the streams of the program that read it. Any thread.
  void giveBack(BatchSlot& slot, std::span<const ProgramStream> readers);

  void asks(SteadyTime now);
  void gets(SteadyTime now, std::uint64_t rows);
  void pauses();

  /// The time of `start`.
  SteadyTime beganAt() const;
  /// What was counted so far, with the program's steps as those of the consumer.
  SpanEdge edge() const;
  /// Since `start`. Seconds are those of steps and waits.
  SpanFigures figures() const;
  double stepSeconds() const;
  double waitSeconds() const;
  std::vector<RateWindow> windowsFrom(std::size_t first) const;

 private:
  std::unique_ptr<DeviceScope> m_scope;      ///< of the end; outlives all that stands behind it
  const std::shared_ptr<DeviceUser> m_user;  ///< likewise

 public:
  // Constant. What the executor uses stands in front of it.
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
