// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/measured_run.h"
#include "core/measure/store_figures.h"
#include "core/transfer/transfer_worker.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "core/base/thread_name.h"
#include "core/measure/data_facts.h"
#include "core/measure/slowest_figures.h"
#include "core/measure/span_figures.h"
#include "core/measure/span_meter.h"
#include "core/monitor/gpu/gpu_monitor.h"
#include "core/monitor/inter_core_latency.h"
#include "core/monitor/machine_watch.h"

namespace millrace {

namespace {

constexpr auto kSnapshotEvery = std::chrono::milliseconds(200);

/// State of machine and page cache before a repeat, and their changes after it.
class Edges {
 public:
  Edges(const Source& source, bool watchPageCache)
      : m_source(source), m_watches(watchPageCache), m_before(machineState()) {
    if (m_watches) m_resident = pageCacheOf(m_source).residentShare;
  }
  void addTo(SpanFigures& figures) const {
    addMachineChange(changeBetween(m_before, machineState()), figures);
    if (!m_resident) return;
    if (const auto now = pageCacheOf(m_source).residentShare)
      figures.pageCacheChange = std::abs(*now - *m_resident);
  }

 private:
  const Source& m_source;
  const bool m_watches;
  const MachineState m_before;
  std::optional<double> m_resident;
};

}  // namespace

/// One repeat. Counts batches on the consumer's thread. A separate thread samples everything five
/// times a second and calls the observer, so an observer that waits for a disk or a terminal never
/// delays batches. Thread-safe (monitor).
class MeasuredRun::Repeat {
 public:
  Repeat(MeasuredRun& run, Executor& executor, std::size_t index)
      : m_run(run),
        m_executor(executor),
        m_index(index),
        m_meter(limits(), run.m_clock.now()),
        m_started(run.m_clock.now()) {
    resetPeakMemory();
    m_begin = edge();
    beginGpu();
    m_measuring = m_meter.measuring();
  }

  RunEnd go() {
    m_run.m_observer.onPhase(phase());
    std::thread sampler([this] { sampleLoop(); });
    const RunEnd end = m_executor.run([this](const Batch& batch, const Executor::Arrival& arrival) {
      return arrived(batch, arrival);
    });
    {
      const MutexLock lock(m_mutex);
      if (m_measuring && !m_ended) endSpan();
      m_done = true;
      m_wake.notifyAll();
    }
    sampler.join();
    report(takeUpdate());
    return end;
  }

  /// nullopt if the span never began or has no batch.
  std::optional<SpanFigures> figures() const {
    if (!m_measuring || m_meter.batches() == 0) return std::nullopt;
    SpanFigures span = figuresBetween(m_run.m_plan, m_begin, m_end, m_meter.seconds(),
                                      m_meter.windows(), m_meter.waits());
    span.accelerator = m_gpu;
    span.slowest = m_slowest;
    return span;
  }

  void reportTrace() {
    if (m_run.m_settings.traceSpans == 0) return;
    RunTrace trace = m_executor.takeTrace();
    trace.beginNs = nanosecondsOf(m_started);
    if (m_measuring) trace.measuredNs = nanosecondsOf(m_begin.totals.at);
    trace.endNs = nanosecondsOf(m_run.m_clock.now());
    m_run.m_observer.onTrace(m_index, trace);
  }

  void reportFailures() {
    const std::vector<FailedSample> failures = m_executor.failures().failures(m_reported);
    if (failures.empty()) return;
    m_reported += failures.size();
    m_run.m_observer.onFailures(failures, m_executor.failures().failedSamples());
  }

 private:
  SpanMeter::Limits limits() const {
    const MeasureSettings& settings = m_run.m_settings;
    const std::uint64_t size = static_cast<std::uint64_t>(m_run.m_plan.batch.size);
    const bool fills = m_run.m_caches.gainByAnEpoch() && settings.warmupSeconds > 0;
    std::uint64_t epochBatches = 0;
    // Only if needed: it completes the scan of a source that is still being scanned.
    if (fills || settings.epochs) epochBatches = (m_executor.samplesPerEpoch() + size - 1) / size;
    SpanMeter::Limits limits;
    limits.warmupSeconds = settings.warmupSeconds;
    if (fills) limits.warmupBatches = epochBatches;
    if (m_index == 0 && settings.warmupSeconds > 0)
      limits.warmupBatches = std::max(limits.warmupBatches, settings.firstWarmupBatches);
    limits.seconds = settings.seconds;
    limits.batches = settings.batches;
    if (settings.epochs) limits.batches = *settings.epochs * epochBatches;
    return limits;
  }

  SpanEdge edge() const { return {m_executor.totals(), m_host.sample()}; }

  RunPhase phase() const {
    return {m_index, m_run.m_settings.repeats, !m_measuring, std::max(0.0, secondsLeft())};
  }

  /// In this phase. For a number of batches or epochs: by their rate so far, 0 before the first.
  double secondsLeft() const {
    const MeasureSettings& settings = m_run.m_settings;
    const std::optional<std::uint64_t>& batches = m_meter.limits().batches;
    if (m_measuring && !settings.seconds && batches) {
      const auto done = static_cast<double>(m_meter.batches());
      return done > 0 ? m_meter.seconds() * (static_cast<double>(*batches) / done - 1) : 0;
    }
    const double length = m_measuring ? settings.seconds.value_or(0) : settings.warmupSeconds;
    return length - m_meter.elapsed(m_run.m_clock.now());
  }

  /// Called on the consumer's thread.
  bool arrived(const Batch& batch, const Executor::Arrival& arrival) {
    m_run.m_observer.onBatch(m_index, batch);
    const MutexLock lock(m_mutex);
    m_meter.waited(static_cast<std::uint64_t>(arrival.waited.count()));
    const SpanMeter::Event event = m_meter.arrived(arrival.at, batch.rows);
    if (event == SpanMeter::Event::Began) begin();
    m_ended = event == SpanMeter::Event::Ended;
    if (m_ended) endSpan();
    return !m_ended;
  }

  void begin() MILLRACE_REQUIRES(m_mutex) {
    m_begin = edge();
    m_executor.beginSlowest();
    beginGpu();
    m_measuring = true;
    m_newPhase = phase();
    m_wake.notifyAll();
  }

  void endSpan() {
    m_end = edge();
    m_slowest = slowestFigures(m_run.m_plan, m_executor.slowest());
    if (m_run.m_settings.gpu != nullptr) m_gpu = m_run.m_settings.gpu->figures();
  }

  void beginGpu() {
    if (m_run.m_settings.gpu != nullptr) m_run.m_settings.gpu->beginSpan();
  }

  /// What must still be reported to the observer.
  struct Update {
    std::optional<RunPhase> phase;
    std::vector<RateWindow> windows;
    std::optional<RunSnapshot> snapshot;
  };

  Update takeUpdate() MILLRACE_EXCLUDES(m_mutex) {
    const MutexLock lock(m_mutex);
    return collect();
  }

  Update collect() MILLRACE_REQUIRES(m_mutex) {
    Update update;
    std::swap(update.phase, m_newPhase);
    const std::vector<RateWindow>& windows = m_meter.windows();
    update.windows.assign(windows.begin() + static_cast<std::ptrdiff_t>(m_windowsReported),
                          windows.end());
    m_windowsReported = windows.size();
    return update;
  }

  void report(const Update& update) {
    if (update.phase) m_run.m_observer.onPhase(*update.phase);
    for (const RateWindow& window : update.windows) m_run.m_observer.onWindow(m_index, window);
    if (update.snapshot) m_run.m_observer.onSnapshot(*update.snapshot);
  }

  void sampleLoop() {
    setThreadName("sampler");
    SteadyTime next = m_run.m_clock.now() + kSnapshotEvery;
    while (const auto update = nextUpdate(next)) {
      report(*update);
      reportFailures();
    }
  }

  /// Waits for a new phase or the time of the next snapshot; nullopt at the end.
  std::optional<Update> nextUpdate(SteadyTime& next) {
    const MutexLock lock(m_mutex);
    bool due = false;
    while (!m_done && !m_newPhase && !due) due = !m_wake.waitUntil(m_mutex, next);
    if (m_done) return std::nullopt;
    Update update = collect();
    if (due) {
      next += kSnapshotEvery;
      update.snapshot = snapshot();
    }
    return update;
  }

  RunSnapshot snapshot() const MILLRACE_REQUIRES(m_mutex) {
    RunSnapshot snapshot;
    snapshot.phase = phase();
    snapshot.seconds = toSeconds(m_run.m_clock.now() - m_started);
    snapshot.totals = m_executor.totals();
    snapshot.host = m_host.sample();
    if (m_run.m_settings.gpu != nullptr) snapshot.gpu = m_run.m_settings.gpu->news();
    snapshot.measuredBatches = m_meter.batches();
    snapshot.batchLimit = m_meter.limits().batches.value_or(0);
    return snapshot;
  }

  MeasuredRun& m_run;
  Executor& m_executor;
  const std::size_t m_index;
  HostSampler m_host;
  SpanMeter m_meter;
  const SteadyTime m_started;
  SpanEdge m_begin;
  SpanEdge m_end;
  SlowestFigures m_slowest;
  std::optional<GpuFigures> m_gpu;
  bool m_measuring = false;
  bool m_ended = false;
  std::size_t m_windowsReported = 0;
  std::optional<RunPhase> m_newPhase;
  std::size_t m_reported = 0;

  mutable Mutex m_mutex;
  Condition m_wake;
  bool m_done MILLRACE_GUARDED_BY(m_mutex) = false;
};

namespace {

ExecutorOptions executorOptions(const MeasureSettings& settings, const Clock& clock) {
  ExecutorOptions options;
  options.limits.startEpoch = settings.startEpoch;
  options.limits.startBatch = settings.startBatch;
  // Without a warm-up the order itself has the limit, so no sample beyond it is started.
  if (settings.warmupSeconds <= 0) {
    options.limits.batches = settings.batches;
    options.limits.epochs = settings.epochs;
  }
  options.failureLimit = settings.failureLimit;
  options.noRandom = settings.noRandom;
  options.traceSpans = settings.traceSpans;
  options.transfer = &deviceTransfer();
  options.clock = &clock;
  return options;
}

}  // namespace

MeasuredRun::MeasuredRun(const Plan& plan, const CacheSet& caches, const MeasureSettings& settings,
                         RunObserver& observer, const Clock& clock)
    : m_plan(plan), m_caches(caches), m_settings(settings), m_observer(observer), m_clock(clock) {}

MeasuredRun::~MeasuredRun() = default;

Result<RunEnd> MeasuredRun::runRepeat(std::size_t index, RunResult& result) {
  if (m_settings.awaitCores)
    awaitUsualInterCoreLatency(
        [this] {
          const MutexLock lock(m_mutex);
          return m_stopped;
        },
        [&] {
          m_observer.onWaiting({.repeat = index,
                                .repeats = m_settings.repeats,
                                .secondsLeft = kMostCoreWaitSeconds});
        });
  if (m_settings.beforeRepeat) m_settings.beforeRepeat();
  const Edges edges(*m_plan.pipeline.source, m_settings.watchPageCache);
  MILLRACE_ASSIGN_OR_RETURN(auto executor,
                            Executor::make(m_plan, m_caches, executorOptions(m_settings, m_clock)));
  if (m_settings.awaitStart) m_settings.awaitStart(index);
  {
    const MutexLock lock(m_mutex);
    if (m_stopped) return RunEnd::Stopped;
    m_executor = executor.get();
    for (const LiveChange& change : m_changes)
      (void)m_executor->set(change.node, change.param, change.value);
  }
  Repeat repeat(*this, *executor, index);
  RunEnd end = repeat.go();
  bool stopped = false;
  {
    const MutexLock lock(m_mutex);
    m_executor = nullptr;
    stopped = m_stopped;
  }
  repeat.reportFailures();
  repeat.reportTrace();
  if (auto figures = repeat.figures()) {
    edges.addTo(*figures);
    if (m_settings.addFigures) m_settings.addFigures(index, *figures);
    m_observer.onRepeat(index, *figures);
    result.repeats.push_back(std::move(*figures));
  }
  for (const FailedSample& failure : executor->failures().failures())
    if (result.failures.size() < FailureBudget::kKept && index == 0)
      result.failures.push_back(failure);
  m_failedSamples = std::max(m_failedSamples, executor->failures().failedSamples());
  if (end == RunEnd::Failed) {
    result.reason = executor->error().message;
    result.tooManyFailed = executor->failures().limitExceeded();
  }
  // The end of the measured span discards batches in progress; that does not count as an
  // interruption.
  if (end == RunEnd::Stopped && !stopped) end = RunEnd::Finished;
  return end;
}

Result<RunResult> MeasuredRun::run() {
  RunResult result;
  for (std::size_t i = 0; i < m_settings.repeats; ++i) {
    Result<RunEnd> end = runRepeat(i, result);
    if (!end && i == 0) return end.error();
    if (!end || *end == RunEnd::Failed) {
      result.outcome = RunOutcome::Failed;
      if (!end) result.reason = end.error().message;
      break;
    }
    if (*end == RunEnd::Stopped) {
      result.outcome = RunOutcome::Interrupted;
      result.reason = "stopped";
      break;
    }
  }
  result.figures = figuresOfRun(result.repeats);
  result.figures.failedSamples = m_failedSamples;
  result.caches = m_caches.figures();
  const MutexLock lock(m_mutex);
  result.liveChanges = m_changes;
  return result;
}

void MeasuredRun::stop() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_executor != nullptr) m_executor->stop();
}

void MeasuredRun::cancel() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_executor != nullptr) m_executor->cancel();
}

Status MeasuredRun::set(const std::string& node, const std::string& param,
                        const std::string& value) {
  const MutexLock lock(m_mutex);
  LiveValues check(m_plan);
  MILLRACE_TRY(check.set(m_plan, node, param, value));
  m_changes.push_back({node, param, value});
  if (m_executor != nullptr) return m_executor->set(node, param, value);
  return {};
}

}  // namespace millrace
