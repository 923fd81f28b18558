// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/executor.h"

#include <algorithm>
#include <exception>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/thread_name.h"
#include "core/cuda/device.h"
#include "core/graph/plan_memory.h"
#include "core/monitor/free_memory.h"
#include "core/run/thrown_error.h"
#include "core/storage/remote_figures.h"

namespace millrace {

namespace {

/// What the requests to servers were, as counters of the source.
std::vector<NamedCount> remoteCounters() {
  const RemoteCounts counts = remoteFigures().counts();
  std::vector<NamedCount> named{{"requests", counts.requests},
                                {"retries", counts.retries},
                                {"requests sent twice", counts.second},
                                {"bytes from the server", counts.bytes}};
  for (std::size_t i = 0; i < counts.firstByte.size(); ++i) {
    const auto& edges = RemoteCounts::kEdges;
    named.push_back({i < edges.size() ? fmt::format("first byte within {} ms", edges[i].count())
                                      : fmt::format("first byte after {} ms", edges.back().count()),
                     counts.firstByte[i]});
  }
  return named;
}

Error asError(const Problem& lack) {
  return {fmt::format("{}: {}; {}", lack.node, lack.message, lack.remedy)};
}

}  // namespace

/// Lets the consumer sleep during its step, and wakes it when the run is cancelled.
class Executor::Waiter final : public StepWaiter {
 public:
  explicit Waiter(Executor& executor) : m_executor(executor) {}
  bool waitUntil(SteadyTime until) override {
    const MutexLock lock(m_executor.m_mutex);
    while (!m_executor.m_cancelled) {
      const SteadyTime now = m_executor.m_options.clock->now();
      if (now >= until) return true;
      if (m_executor.m_stopping && now >= m_executor.m_deadline) return false;
      const SteadyTime wake =
          m_executor.m_stopping ? std::min(until, m_executor.m_deadline) : until;
      (void)m_executor.m_changed.waitUntil(m_executor.m_mutex, wake);
    }
    return false;
  }

 private:
  Executor& m_executor;
};

Executor::Executor(const Plan& plan, const CacheSet& caches, const ExecutorOptions& options,
                   std::unique_ptr<IndexSampler> sampler)
    : m_plan(plan),
      m_options(options),
      m_sampler(std::move(sampler)),
      m_live(plan),
      m_failures(options.failureLimit, plan.pipeline.source),
      m_stop(*options.clock),
      m_parts{plan, caches, m_live, m_failures, m_stop, options.noRandom, nullptr} {}

Result<std::unique_ptr<Executor>> Executor::make(const Plan& plan, const CacheSet& caches,
                                                 const ExecutorOptions& options) {
  MILLRACE_CHECK(plan.pipeline.source != nullptr, "a plan that runs has its source open");
  MILLRACE_ASSIGN_OR_RETURN(auto sampler,
                            IndexSampler::make(plan, options.limits, options.noRandom));
  if (plan.stages.front().order == DeliveryOrder::Ready &&
      (options.limits.startEpoch > 0 || options.limits.startBatch > 0 ||
       options.limits.startOffset > 0))
    return Error{plan.stages.front().id +
                 ".order: with `ready` the rows of a batch depend on timing, so a run cannot start "
                 "in the middle; use `strict` for the setting `start`"};
  std::unique_ptr<Executor> executor(new Executor(plan, caches, options, std::move(sampler)));
  if (const auto lack = lackOfSlotMemory(plan, freeMemoryBytes())) return asError(*lack);
  Status built;
  try {
    built = executor->build();
  } catch (const std::bad_alloc&) {
    built = asError(noMemoryFor(plan));
  }
  if (built) return executor;
  executor->fail(built.error());
  return built.error();
}

Executor::GiveBack::~GiveBack() {
  if (device) device->giveBackFree();
}

Executor::~Executor() {
  finish();
  if (failed()) m_giveBack.device = m_parts.device;
}

void Executor::finish() {
  cancel();
  for (std::thread& thread : m_threads)
    if (thread.joinable()) thread.join();
  if (m_readAhead) m_readAhead->stop();
}

bool Executor::failed() const {
  const MutexLock lock(m_mutex);
  return m_failed;
}

void Executor::start() {
  MILLRACE_CHECK(m_threads.empty(), "an executor runs once");
  MILLRACE_CHECK(!m_inline && !m_consumerSegments,
                 "no stage may run on the thread that takes batches");
  startThreads();
}

namespace {

/// Whether a whole epoch has passed since the start and every sample of it failed, whatever the
/// limit: a run that ends after some seconds of measurement would never begin to measure. `batch`:
/// one without rows.
std::optional<Error> emptyEpoch(const Batch& batch, const OrderLimits& limits,
                                std::uint64_t delivered, const FailureBudget& failures) {
  const bool whole = limits.startBatch == 0 && limits.startOffset == 0;
  const std::uint32_t firstWhole = limits.startEpoch + (whole ? 0U : 1U);
  if (delivered > 0 || batch.epoch <= firstWhole) return std::nullopt;
  const std::vector<FailedSample> failed = failures.failures();
  if (failed.empty()) return Error{"no sample of an epoch is left"};
  return Error{fmt::format("every sample of an epoch failed; first: {}: {}",
                           validUtf8(failed.front().sample), failed.front().reason)};
}

}  // namespace

Executor::Pull Executor::next(SteadyTime until, BatchSlot*& slot) {
  BatchRing& ring = *m_rings.back();
  for (;;) {
    const auto taken = ring.take(until);
    if (!taken) {
      if (ring.drained() || ring.cancelled()) return Pull::Ended;
      return ring.nextIsHeld() ? Pull::Held : Pull::NotYet;
    }
    const Batch& batch = taken->slot->result();
    const bool there = waitUntilThere(batch);
    if (there && batch.rows > 0) {
      m_samples.add(batch.rows);
      m_batches.add(1);
      slot = taken->slot;
      return Pull::Ready;
    }
    if (there)
      if (const auto none = emptyEpoch(batch, m_options.limits, m_samples.get(), m_failures))
        fail(*none);
    ring.release(*taken->slot);
    if (!there) return Pull::Ended;
  }
}

/// Waits until the batch is complete on its device. False: the device failed, and the run with it.
bool Executor::waitUntilThere(const Batch& batch) {
  if (batch.ready == nullptr) return true;
  const Status there = batch.ready->wait();
  if (!there)
    fail(Error{m_plan.stages[m_plan.stages.size() - 2].id + ": " + there.error().message});
  return there.ok();
}

std::string Executor::threadName(std::size_t worker) const {
  return fmt::format("{}:{}", m_plan.stages[m_workerStage[worker]].id, worker);
}

void Executor::startThreads() {
  if (m_readAhead)
    if (Status started = m_readAhead->start(); !started) return fail(started.error());
  if (m_inline) return;
  for (std::size_t i = 0; i < m_workers.size(); ++i) {
    const std::string name = threadName(i);
    try {
      m_threads.emplace_back([this, i, name] { threadLoop(*m_workers[i], *m_counters[i], name); });
    } catch (const std::system_error& refused) {
      return fail(Error{fmt::format("{}: the system refuses more than {} of {} threads: {}", name,
                                    i, m_workers.size(), refused.code().message())});
    }
  }
}

void Executor::threadLoop(StageWorker& worker, ThreadCounters& counters, const std::string& name) {
  setThreadName(name);
  counters.enter();
  for (;;) {
    const StepResult result = worker.guardedStep();
    if (result == StepResult::Ready) continue;
    if (result == StepResult::WaitsForOutput) {
      const SteadyTime began = m_options.clock->now();
      worker.waitForOutput();
      counters.traced(TraceSpan::Kind::WaitForSlot, 0, worker.waitsFor(), nanosecondsOf(began),
                      nanosecondsOf(m_options.clock->now()));
      continue;
    }
    if (result == StepResult::Failed) fail(worker.error());
    break;
  }
  counters.leave();
}

void Executor::fail(const Error& error) {
  {
    const MutexLock lock(m_mutex);
    if (m_failed || m_cancelled) return;
    m_error = error;
    m_failed = true;
  }
  cancel();
}

void Executor::stop(std::chrono::steady_clock::duration grace) {
  {
    const MutexLock lock(m_mutex);
    if (m_stopping) return;
    m_stopping = true;
    m_deadline = m_options.clock->now() + grace;
    m_stop.dropAt(m_deadline);
    m_changed.notifyAll();
  }
  const std::uint64_t end = m_sampler->stop();
  for (const auto& ring : m_rings) ring->close(end);
}

void Executor::cancel() {
  {
    const MutexLock lock(m_mutex);
    m_cancelled = true;
    m_changed.notifyAll();
  }
  m_stop.drop();
  if (m_readAhead) m_readAhead->cancel();
  for (const auto& ring : m_rings) ring->cancel();
}

std::optional<SteadyTime> Executor::deadline() const {
  const MutexLock lock(m_mutex);
  if (!m_stopping) return std::nullopt;
  return m_deadline;
}

std::optional<BatchRing::Taken> Executor::nextBatch() {
  BatchRing& ring = *m_rings.back();
  if (!m_inline) {
    // A stop may be requested during the wait, so check its deadline every 100 ms.
    for (;;) {
      const auto until = deadline();
      const SteadyTime now = m_options.clock->now();
      if (until && now >= *until) return std::nullopt;
      const SteadyTime wake = until.value_or(now + std::chrono::milliseconds(100));
      if (const auto taken = ring.take(wake)) return taken;
      if (ring.drained() || ring.cancelled()) return std::nullopt;
    }
  }
  for (;;) {
    const StepResult result = m_workers.front()->guardedStep();
    if (result == StepResult::Failed) fail(m_workers.front()->error());
    if (result != StepResult::Ready || m_stop.dropped()) return std::nullopt;
    if (const auto taken = ring.take(m_options.clock->now())) return taken;
  }
}

void Executor::consume(const Batch& batch) {
  if (m_live.versionOf(m_plan.consumer) != m_consumerVersion)
    if (Status renewed = renewConsumer(); !renewed) return fail(renewed.error());
  Waiter waiter(*this);
  std::chrono::nanoseconds step{0};
  const SteadyTime begin = m_options.clock->now();
  if (Status done = m_consumer->consume(batch, waiter, step); !done)
    return fail(Error{m_plan.node(m_plan.consumer).id + ": " + done.error().message});
  if (auto training = m_consumer->training()) {
    const MutexLock lock(m_mutex);
    m_training = std::move(training);
  }
  if constexpr (MILLRACE_COUNTERS) {
    const SteadyTime end = m_options.clock->now();
    NodeCounters& counters = m_consumerCounters->node[m_plan.consumer];
    counters.items.add(1);
    counters.time(static_cast<std::uint64_t>((end - begin).count()));
    m_consumerCounters->traced(TraceSpan::Kind::Node, m_plan.consumer, batch.sequence,
                               nanosecondsOf(begin), nanosecondsOf(end));
    if (Status traced = traceParts(batch); !traced) return fail(traced.error());
  }
  m_stepNs.add(static_cast<std::uint64_t>(step.count()));
  m_nominalStepNs.add(static_cast<std::uint64_t>(m_consumer->nominalStep(batch.rows).count()));
}

/// Records what the device did for a step, if the run is traced. The parts follow each other
/// without gaps, so only the first is mapped to the host's clock.
Status Executor::traceParts(const Batch& batch) {
  const std::span<const StepPart> parts = m_consumer->parts();
  if (!m_stepClock || parts.empty()) return {};
  MILLRACE_ASSIGN_OR_RETURN(const auto begin, m_stepClock->steadyNs(*parts.front().begin));
  std::uint64_t at = begin;
  for (const StepPart& part : parts) {
    MILLRACE_ASSIGN_OR_RETURN(const auto took, part.end->since(*part.begin));
    const std::uint64_t end = at + static_cast<std::uint64_t>(took.count());
    m_consumerCounters->workTrace->add({TraceSpan::Kind::Step,
                                        static_cast<std::uint32_t>(m_plan.consumer), batch.sequence,
                                        at, end, part.work});
    at = end;
  }
  return {};
}

bool Executor::deliver(const BatchRing::Taken& taken, SteadyTime waitBegan, const BatchSink& sink) {
  Batch* batch = &taken.slot->result();
  if (m_consumerSegments) {
    m_consumerSlot->begin(batch->sequence, batch->epoch, batch->indexInEpoch, batch->rows);
    Result<Batch*> done = m_consumerSegments->run(*batch, *m_consumerSlot, false);
    if (!done) {
      fail(done.error());
      return false;
    }
    batch = *done;
  }
  bool goesOn = true;
  if (!waitUntilThere(*batch)) return false;
  if (batch->rows > 0) {
    const SteadyTime arrival = m_options.clock->now();
    if (!m_inline)
      m_consumerCounters->traced(TraceSpan::Kind::WaitForBatch, 0, taken.sequence,
                                 nanosecondsOf(waitBegan), nanosecondsOf(arrival));
    m_samples.add(batch->rows);
    m_batches.add(1);
    goesOn = sink(*batch, {arrival, arrival - waitBegan});
    if (goesOn) consume(*batch);
  } else if (const auto none = emptyEpoch(*batch, m_options.limits, m_samples.get(), m_failures)) {
    fail(*none);
  }
  m_rings.back()->release(*taken.slot);
  return goesOn;
}

bool Executor::guardedDeliver(const BatchRing::Taken& taken, SteadyTime waitBegan,
                              const BatchSink& sink) {
  try {
    return deliver(taken, waitBegan, sink);
  } catch (const std::exception& thrown) {
    fail(Error{m_plan.stages.back().id + ": " + errorOf(thrown).message});
    return false;
  }
}

RunEnd Executor::run(const BatchSink& sink) {
  MILLRACE_CHECK(m_threads.empty(), "an executor runs once");
  m_consumerCounters->enter();
  startThreads();
  SteadyTime waitBegan = m_options.clock->now();
  while (const auto taken = nextBatch()) {
    if (!guardedDeliver(*taken, waitBegan, sink)) break;
    waitBegan = m_options.clock->now();
  }
  bool stopped = false;
  {
    const MutexLock lock(m_mutex);
    stopped = m_stopping || m_cancelled;
  }
  cancel();
  for (std::thread& thread : m_threads) thread.join();
  if (m_readAhead) m_readAhead->stop();
  m_consumerCounters->leave();
  const MutexLock lock(m_mutex);
  if (m_failed) return RunEnd::Failed;
  return stopped ? RunEnd::Stopped : RunEnd::Finished;
}

RunTrace Executor::takeTrace() {
  RunTrace trace;
  for (std::size_t t = 0; t < m_counters.size(); ++t) {
    const std::unique_ptr<ThreadTrace> kept = std::move(m_counters[t]->trace);
    if (!kept) continue;
    const bool worker = !m_inline && t < m_workerStage.size();
    trace.threads.push_back(
        {worker ? threadName(t) : m_counters[t]->stage, kept->takeSpans(), kept->dropped()});
    for (const auto& [name, stream] : {std::pair{":copy", &m_counters[t]->copyTrace},
                                       std::pair{":work", &m_counters[t]->workTrace}}) {
      if (!*stream) continue;
      std::vector<TraceSpan> spans = (*stream)->takeSpans();
      if (!spans.empty())
        trace.threads.push_back(
            {m_counters[t]->stage + name, std::move(spans), (*stream)->dropped()});
    }
  }
  return trace;
}

void Executor::beginSlowest() {
  if (m_early) m_early->learn(slowest());
  for (const auto& counters : m_counters) counters->slowest.begin();
}

SlowestSamples::List Executor::slowest() const {
  SlowestSamples::List all;
  for (const auto& counters : m_counters) all.add(counters->slowest.list());
  return all;
}

RunTotals Executor::totals() const {
  RunTotals totals;
  totals.at = m_options.clock->now();
  totals.samples = m_samples.get();
  totals.batches = m_batches.get();
  totals.failedSamples = m_failures.failedSamples();
  totals.stepSeconds = static_cast<double>(m_stepNs.get()) * 1e-9;
  totals.nominalStepSeconds = static_cast<double>(m_nominalStepNs.get()) * 1e-9;
  {
    const MutexLock lock(m_mutex);
    totals.training = m_training;
  }
  totals.orderNs = m_sampler->orderNs();
  totals.nodes.resize(m_plan.pipeline.nodes.size());
  totals.stages.resize(m_plan.stages.size());
  for (std::size_t t = 0; t < m_counters.size(); ++t) {
    const ThreadCounters& counters = *m_counters[t];
    for (std::size_t n = 0; n < totals.nodes.size(); ++n) {
      totals.nodes[n] += counters.node[n];
      if (counters.namedCounters[n]) totals.nodes[n] += *counters.namedCounters[n];
    }
    totals.add(counters.reads);
    StageTotals& stage =
        totals.stages[t < m_workerStage.size() ? m_workerStage[t] : m_plan.stages.size() - 1];
    stage.cpuNs += counters.cpuNs();
    stage.samples += counters.samples.get();
    if (const std::uint64_t timed = counters.timedSamples.get(); timed > 0)
      stage.sampleSeconds += static_cast<double>(counters.timedSampleNs.get()) * 1e-9 *
                             static_cast<double>(counters.samples.get()) /
                             static_cast<double>(timed);
    if (counters.id() != 0) stage.threadIds.push_back(counters.id());
  }
  if (m_readAhead) m_readAhead->addTo(totals);
  if (m_plan.readAhead.fromServer) totals.nodes[m_plan.source].counters = remoteCounters();
  if (!m_inline)
    for (const auto& ring : m_rings) totals.queues.push_back(ring->totals());
  return totals;
}

}  // namespace millrace
