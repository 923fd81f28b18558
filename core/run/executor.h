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
#include "core/run/early_starts.h"
#include "core/run/index_sampler.h"
#include "core/run/read_ahead.h"
#include "core/run/run_parts.h"
#include "core/run/run_totals.h"
#include "core/run/segment_runner.h"
#include "core/run/stage_worker.h"
#include "core/run/thread_counters.h"
#include "core/run/transfer_factory.h"
#include "core/spec/consumer.h"

namespace millrace {

struct ExecutorOptions {
  OrderLimits limits;
  FailureLimit failureLimit;
  bool noRandom = false;
  /// Record up to this many spans of each thread for `takeTrace`; 0: no trace.
  std::size_t traceSpans = 0;
  const Clock* clock = &steadyClock();
  /// The device for transfers and pinned batches. nullptr: if the plan has a transfer, the
  /// process's first device is opened (openDevice).
  std::shared_ptr<Device> device = nullptr;
  /// Makes the stages that move batches to a device. A plan with such a stage fails without it.
  const TransferFactory* transfer = nullptr;
};

/// How a run ended.
enum class RunEnd { Finished, Stopped, Failed };

/// Runs a plan once. Starts the threads of its stages, passes finished batches to the consumer on
/// the calling thread, and joins all threads before `run` returns. The plan and the caches must
/// outlive it. Call `run` once; all other functions may be called from any thread unless noted.
class Executor {
 public:
  struct Arrival {
    SteadyTime at;
    std::chrono::nanoseconds waited{
        0};  ///< for this batch, since the consumer finished the previous one
  };
  /// Called on the thread of `run` before the consumer gets a batch; returning false ends the run.
  using BatchSink = std::function<bool(const Batch&, const Arrival&)>;

  /// Opens what the run needs. The error names the node that could not be made.
  static Result<std::unique_ptr<Executor>> make(const Plan& plan, const CacheSet& caches,
                                                const ExecutorOptions& options);
  ~Executor();

  RunEnd run(const BatchSink& sink);
  /// The first error. Valid after RunEnd::Failed.
  const Error& error() const { return m_error; }

  // Instead of `run`, for a program that takes the batches itself. The plan must keep the consumer
  // separate (PlanOptions::consumerApart); no consumer is called.

  /// Starts the threads. Call it once.
  void start();
  enum class Pull {
    Ready,   ///< a batch
    NotYet,  ///< no batch before `until`
    Held,    ///< no batch before `until`, because the caller holds every slot
    Ended,   ///< no more batches: the limit was reached, the run was stopped or failed
  };
  /// Waits until `until` for the next batch; on Ready, `slot` is the slot that holds it. The batch
  /// is complete (on a device too) and does not change until its slot is released. Slots may be
  /// released in any order. One thread at a time.
  Pull next(SteadyTime until, BatchSlot*& slot);
  /// Releases a slot returned by `next`, once; also allowed after `finish`. Any thread.
  void release(BatchSlot& slot) { m_rings.back()->release(slot); }
  /// Discards unfinished batches and joins the threads. Batches that the caller holds stay valid
  /// for the lifetime of the executor.
  void finish();
  /// Whether the run failed; `error` then has the reason.
  bool failed() const;
  /// Ends the run with a failure that was detected outside the executor. Any thread.
  void fail(const Error& error);

  /// Starts no new batch. `run` continues with the batches in progress for at most `grace`, then
  /// discards them.
  void stop(std::chrono::steady_clock::duration grace = std::chrono::seconds(1));
  /// Discards all batches at once.
  void cancel();
  /// Changes a parameter that is marked as live. The error says why it cannot be changed.
  Status set(const std::string& node, const std::string& param, const std::string& value) {
    return m_live.set(m_plan, node, param, value);
  }

  /// The device that batches lie on, or whose pinned memory they use; nullptr if there is none.
  const std::shared_ptr<Device>& device() const { return m_parts.device; }
  RunTotals totals() const;
  /// What the threads did. Call it once, after `run`; it has no spans unless `traceSpans` was set.
  RunTrace takeTrace();
  /// Forgets the slowest samples so far.
  void beginSlowest();
  /// The slowest samples since then, of all threads. Valid as long as the executor.
  SlowestSamples::List slowest() const;
  const FailureBudget& failures() const { return m_failures; }
  /// If the source is still being scanned, waits until the scan is complete.
  std::uint64_t samplesPerEpoch() const { return m_sampler->samplesPerEpoch(); }
  std::optional<std::uint64_t> knownSamplesPerEpoch() const {
    return m_sampler->knownSamplesPerEpoch();
  }
  std::optional<std::uint64_t> knownStartSamples() const { return m_sampler->knownStartSamples(); }

 private:
  class Waiter;
  /// Returns unused device memory of a failed run once nothing uses the device any more.
  struct GiveBack {
    std::shared_ptr<Device> device;
    ~GiveBack();
  };

  Executor(const Plan& plan, const CacheSet& caches, const ExecutorOptions& options,
           std::unique_ptr<IndexSampler> sampler);
  Status build();
  Status openDeviceIfNeeded();
  void buildReadAhead();
  void buildEarlyStarts();
  Result<std::vector<std::unique_ptr<BatchSlot>>> makeSlots(std::size_t ring);
  Result<std::vector<std::unique_ptr<BatchSlot>>> makePinnedSlots(std::size_t ring,
                                                                  std::size_t count);
  ReorderSlots reorderSlotsOf(std::size_t ring) const;
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

  GiveBack m_giveBack;  ///< declared first, so destroyed last

  // Constant after `make`.
  const Plan& m_plan;
  const ExecutorOptions m_options;
  std::unique_ptr<IndexSampler> m_sampler;
  std::unique_ptr<ReadAhead> m_readAhead;  ///< nullptr unless the plan reads ahead
  std::unique_ptr<EarlyStarts> m_early;    ///< nullptr unless workers share batches in order
  std::vector<std::unique_ptr<BatchRing>> m_rings;  ///< by index of the writing stage
  std::vector<std::unique_ptr<ThreadCounters>> m_counters;
  std::vector<std::unique_ptr<StageWorker>> m_workers;
  std::vector<std::size_t> m_workerStage;
  bool m_inline = false;  ///< no other threads: the consumer's thread makes the batches

  // Thread-safe.
  LiveValues m_live;
  FailureBudget m_failures;
  StopSignal m_stop;
  RunParts m_parts;

  // Used only by the thread of `run`.
  std::unique_ptr<Consumer> m_consumer;
  std::uint64_t m_consumerVersion = 0;
  std::unique_ptr<SegmentRunner> m_consumerSegments;
  std::unique_ptr<BatchSlot> m_consumerSlot;
  std::unique_ptr<DeviceClock> m_stepClock;  ///< nullptr unless the run is traced
  ThreadCounters* m_consumerCounters = nullptr;
  std::vector<std::thread> m_threads;

  // Written by the thread of `run`, read by any thread.
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
