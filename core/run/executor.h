// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/mutex.h"
#include "core/cuda/device_clock.h"
#include "core/run/batch_ring.h"
#include "core/run/order_cursor.h"
#include "core/run/phase_runner.h"
#include "core/run/read_ahead.h"
#include "core/run/run_parts.h"
#include "core/run/run_totals.h"
#include "core/run/stage_worker.h"
#include "core/run/thread_counters.h"
#include "core/spec/consumer.h"

namespace millrace {

struct ExecutorOptions {
  OrderLimits limits;
  FailureLimit failureLimit;
  bool noRandom = false;
  /// Keep so many spans of each thread for `trace`; 0: not traced.
  std::size_t traceSpans = 0;
  const Clock* clock = &steadyClock();
  /// For a plan that has a transfer to a device or pinned batches; nullptr: the first one of the
  /// process (openDevice), where the plan has a transfer.
  std::shared_ptr<Device> device = nullptr;
};

class DeviceLane;

/// How a run ended.
enum class RunEnd { Finished, Stopped, Failed };

/// Runs a plan once: starts the threads of its stages, hands finished batches to the consumer on
/// the calling thread, and joins everything before `run` returns. The plan and the caches must
/// outlive it. `run` once, from one thread; all else from any thread.
class Executor {
 public:
  struct Arrival {
    SteadyTime at;
    std::chrono::nanoseconds waited{
        0};  ///< for this batch, since the consumer was done with the last
  };
  /// Asked before the consumer gets a batch, on the thread of `run`; false ends the run at once.
  using BatchSink = std::function<bool(const Batch&, const Arrival&)>;

  /// Opens what the run needs; the error says which node could not be made.
  static Result<std::unique_ptr<Executor>> make(const Plan& plan, const CacheSet& caches,
                                                const ExecutorOptions& options);
  ~Executor();

  RunEnd run(const BatchSink& sink);
  /// The first error, after RunEnd::Failed.
  const Error& error() const { return m_error; }

  // In place of `run`, for a program that takes batches itself. The plan is one that keeps the
  // consumer apart (PlanOptions::consumerApart); no consumer is run.

  /// Starts the threads. Once.
  void start();
  enum class Pull {
    Ready,   ///< a batch
    NotYet,  ///< none until then
    Held,    ///< none until then, because every slot is out
    Ended,   ///< none will come: the limit, a stop or a failure
  };
  /// The slot whose result is the next batch, which is there, also on a device, and stays as it is
  /// until it is released, in whatever order that is done. From one thread at a time.
  Pull next(SteadyTime until, BatchSlot*& slot);
  /// Gives a slot of `next` back, once, also after `finish`. Any thread.
  void release(BatchSlot& slot) { m_rings.back()->release(slot); }
  /// Drops what is in the making and joins the threads. Batches that are out stay as they are for
  /// as long as the executor lives.
  void finish();
  /// Whether it ended by a failure, which `error` then tells.
  bool failed() const;
  /// Ends it by one that shows outside of it. Any thread.
  void fail(const Error& error);

  /// Takes no new samples; `run` goes on with what is begun for at most `grace`, then drops it.
  void stop(std::chrono::steady_clock::duration grace = std::chrono::seconds(1));
  /// Drops everything.
  void cancel();
  /// Changes a parameter that is marked live.
  Status set(const std::string& node, const std::string& param, const std::string& value) {
    return m_live.set(m_plan, node, param, value);
  }

  /// What batches lie on that are on a device or pinned; nullptr where there are none.
  const std::shared_ptr<Device>& device() const { return m_parts.device; }
  RunTotals totals() const;
  /// What the threads did, after `run`; empty of spans unless the options asked for it. Once.
  RunTrace takeTrace();
  const FailureBudget& failures() const { return m_failures; }
  /// Looks through the rest of a source that is still being listed.
  std::uint64_t samplesPerEpoch() const { return m_cursor->samplesPerEpoch(); }
  std::optional<std::uint64_t> knownSamplesPerEpoch() const {
    return m_cursor->knownSamplesPerEpoch();
  }

 private:
  class Waiter;
  /// What a failed run had of a device goes back once nothing uses it any more.
  struct GiveBack {
    std::shared_ptr<Device> device;
    ~GiveBack();
  };

  Executor(const Plan& plan, const CacheSet& caches, const ExecutorOptions& options,
           std::unique_ptr<OrderCursor> cursor);
  Status build();
  Status openDeviceIfNeeded();
  void buildReadAhead();
  Result<std::vector<std::unique_ptr<BatchSlot>>> makeSlots(std::size_t ring);
  Result<std::vector<std::unique_ptr<BatchSlot>>> makePinnedSlots(std::size_t ring,
                                                                  std::size_t count);
  Status reserveDeviceSlots(std::size_t ring, DeviceLane& lane);
  Status buildStage(std::size_t stage);
  Result<std::unique_ptr<StageWorker>> makeWorker(std::size_t stage, ThreadCounters& counters);
  Status buildConsumer();
  ThreadCounters& addCounters(std::size_t stage);
  Status renewConsumer();

  std::string threadName(std::size_t worker) const;
  void startThreads();
  void threadLoop(StageWorker& worker, ThreadCounters& counters, const std::string& name);
  std::optional<BatchRing::Taken> nextBatch();
  std::optional<SteadyTime> deadline() const;
  bool waitUntilThere(const Batch& batch);
  bool guardedDeliver(const BatchRing::Taken& taken, SteadyTime waitBegan, const BatchSink& sink);
  bool deliver(const BatchRing::Taken& taken, SteadyTime waitBegan, const BatchSink& sink);
  void consume(const Batch& batch);
  Status traceParts(const Batch& batch);

  GiveBack m_giveBack;  ///< first, so that it ends last

  // Constant after `make`.
  const Plan& m_plan;
  const ExecutorOptions m_options;
  std::unique_ptr<OrderCursor> m_cursor;
  std::unique_ptr<ReadAhead> m_readAhead;           ///< where the plan reads ahead
  std::vector<std::unique_ptr<BatchRing>> m_rings;  ///< by stage that writes
  std::vector<std::unique_ptr<ThreadCounters>> m_counters;
  std::vector<std::unique_ptr<StageWorker>> m_workers;
  std::vector<std::size_t> m_workerStage;
  bool m_inline = false;  ///< the consumer's thread makes the batches itself

  // Thread-safe themselves.
  LiveValues m_live;
  FailureBudget m_failures;
  StopSignal m_stop;
  RunParts m_parts;

  // The thread of `run`.
  std::unique_ptr<Consumer> m_consumer;
  std::uint64_t m_consumerVersion = 0;
  std::unique_ptr<PhaseRunner> m_consumerPhases;
  std::unique_ptr<BatchSlot> m_consumerSlot;
  std::unique_ptr<DeviceClock> m_stepClock;  ///< when the run is traced
  ThreadCounters* m_consumerCounters = nullptr;
  std::vector<std::thread> m_threads;

  // Written by the thread of `run`, read by any.
  Counter m_samples;
  Counter m_batches;
  Counter m_stepNs;
  Counter m_nominalStepNs;

  mutable Mutex m_mutex;
  Condition m_changed;
  bool m_stopping MILLRACE_GUARDED_BY(m_mutex) = false;
  bool m_cancelled MILLRACE_GUARDED_BY(m_mutex) = false;
  bool m_failed MILLRACE_GUARDED_BY(m_mutex) = false;
  SteadyTime m_deadline MILLRACE_GUARDED_BY(m_mutex);
  std::optional<TrainingTotals> m_training MILLRACE_GUARDED_BY(m_mutex);
  Error m_error;  ///< written once, before m_failed is set
};

}  // namespace millrace
