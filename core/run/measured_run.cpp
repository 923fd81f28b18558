// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/measured_run.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "core/base/thread_name.h"
#include "core/monitor/core_exchange.h"
#include "core/monitor/gpu_monitor.h"
#include "core/monitor/machine_watch.h"
#include "core/run/data_facts.h"
#include "core/run/span_figures.h"
#include "core/run/span_meter.h"

namespace millrace {

namespace {

constexpr auto kSnapshotEvery = std::chrono::milliseconds(200);

std::uint64_t steadyNs(SteadyTime at) {
  return static_cast<std::uint64_t>(at.time_since_epoch().count());
}

/// The machine and the page cache before a repeat, and what became of them after it.
class Edges {
 public:
  Edges(const Source& source, bool watchPageCache)
      : m_source(source), m_watches(watchPageCache), m_before(machineState()) {
    if (m_watches) m_resident = pageCacheOf(m_source).residentShare;
  }
  void addTo(SpanFigures& figures) const {
    const MachineChange change = changeBetween(m_before, machineState());
    figures.coreSpeedChange = change.coreSpeedChange;
    figures.coreExchangeChange = change.coreExchangeChange;
    figures.throttles = change.throttles;
    figures.otherDiskShare = change.otherDiskShare;
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

/// One repeat: counts batches on the consumer's thread, and looks at everything five times a second
/// on a thread of its own, which also tells the observer: an observer that takes its time, because
/// a disk or a terminal does, never holds the batches up. Monitor.
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
    report(takeNews());
    return end;
  }

  /// Nothing when the span never began or holds no batch.
  std::optional<SpanFigures> figures() const {
    if (!m_measuring || m_meter.batches() == 0) return std::nullopt;
    SpanFigures span = figuresBetween(m_run.m_plan, m_begin, m_end, m_meter.seconds(),
                                      m_meter.windows(), m_meter.waits());
    span.accelerator = m_gpu;
    return span;
  }

  void reportTrace() {
    if (m_run.m_settings.traceSpans == 0) return;
    RunTrace trace = m_executor.takeTrace();
    trace.beginNs = steadyNs(m_started);
    if (m_measuring) trace.measuredNs = steadyNs(m_begin.totals.at);
    trace.endNs = steadyNs(m_run.m_clock.now());
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
    // Not asked for in vain: to know, a source that is still being listed is looked through.
    if (fills || settings.epochs) epochBatches = (m_executor.samplesPerEpoch() + size - 1) / size;
    SpanMeter::Limits limits;
    limits.warmupSeconds = settings.warmupSeconds;
    if (fills) limits.warmupBatches = epochBatches;
    limits.seconds = settings.seconds;
    limits.batches = settings.batches;
    if (settings.epochs) limits.batches = *settings.epochs * epochBatches;
    return limits;
  }

  SpanEdge edge() const { return {m_executor.totals(), m_host.sample()}; }

  RunPhase phase() const {
    const double length =
        m_measuring ? m_run.m_settings.seconds.value_or(0) : m_run.m_settings.warmupSeconds;
    const double left = length - m_meter.elapsed(m_run.m_clock.now());
    return {m_index, m_run.m_settings.repeats, !m_measuring, std::max(0.0, left)};
  }

  /// On the consumer's thread.
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
    beginGpu();
    m_measuring = true;
    m_newPhase = phase();
    m_wake.notifyAll();
  }

  void endSpan() {
    m_end = edge();
    if (m_run.m_settings.gpu != nullptr) m_gpu = m_run.m_settings.gpu->figures();
  }

  void beginGpu() {
    if (m_run.m_settings.gpu != nullptr) m_run.m_settings.gpu->beginSpan();
  }

  /// What the observer has not heard yet.
  struct News {
    std::optional<RunPhase> phase;
    std::vector<RateWindow> windows;
    std::optional<RunSnapshot> snapshot;
  };

  News takeNews() MILLRACE_EXCLUDES(m_mutex) {
    const MutexLock lock(m_mutex);
    return collect();
  }

  News collect() MILLRACE_REQUIRES(m_mutex) {
    News news;
    std::swap(news.phase, m_newPhase);
    const std::vector<RateWindow>& windows = m_meter.windows();
    news.windows.assign(windows.begin() + static_cast<std::ptrdiff_t>(m_windowsReported),
                        windows.end());
    m_windowsReported = windows.size();
    return news;
  }

  void report(const News& news) {
    if (news.phase) m_run.m_observer.onPhase(*news.phase);
    for (const RateWindow& window : news.windows) m_run.m_observer.onWindow(m_index, window);
    if (news.snapshot) m_run.m_observer.onSnapshot(*news.snapshot);
  }

  void sampleLoop() {
    setThreadName("sampler");
    SteadyTime next = m_run.m_clock.now() + kSnapshotEvery;
    while (const auto news = nextNews(next)) {
      report(*news);
      reportFailures();
    }
  }

  /// Waits for a new phase or the time of the next snapshot; nothing at the end.
  std::optional<News> nextNews(SteadyTime& next) {
    const MutexLock lock(m_mutex);
    bool due = false;
    while (!m_done && !m_newPhase && !due) due = !m_wake.waitUntil(m_mutex, next);
    if (m_done) return std::nullopt;
    News news = collect();
    if (due) {
      next += kSnapshotEvery;
      news.snapshot = snapshot();
    }
    return news;
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

MeasuredRun::MeasuredRun(const Plan& plan, const CacheSet& caches, const MeasureSettings& settings,
                         RunObserver& observer, const Clock& clock)
    : m_plan(plan), m_caches(caches), m_settings(settings), m_observer(observer), m_clock(clock) {}

MeasuredRun::~MeasuredRun() = default;

Result<RunEnd> MeasuredRun::runRepeat(std::size_t index, RunResult& result) {
  if (m_settings.awaitCores)
    awaitUsualCoreExchange(
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
  ExecutorOptions options;
  options.limits.startEpoch = m_settings.startEpoch;
  options.limits.startBatch = m_settings.startBatch;
  // Without a warm-up the order itself ends: no sample behind the limit is begun.
  if (m_settings.warmupSeconds <= 0) {
    options.limits.batches = m_settings.batches;
    options.limits.epochs = m_settings.epochs;
  }
  options.failureLimit = m_settings.failureLimit;
  options.noRandom = m_settings.noRandom;
  options.traceSpans = m_settings.traceSpans;
  options.clock = &m_clock;
  auto executor = Executor::make(m_plan, m_caches, options);
  if (!executor) return executor.error();
  if (m_settings.awaitStart) m_settings.awaitStart(index);
  {
    const MutexLock lock(m_mutex);
    if (m_stopped) return RunEnd::Stopped;
    m_executor = executor->get();
    for (const LiveChange& change : m_changes)
      (void)m_executor->set(change.node, change.param, change.value);
  }
  Repeat repeat(*this, **executor, index);
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
    m_observer.onRepeat(index, *figures);
    result.repeats.push_back(std::move(*figures));
  }
  for (const FailedSample& failure : (*executor)->failures().failures())
    if (result.failures.size() < FailureBudget::kKept && index == 0)
      result.failures.push_back(failure);
  m_failedSamples = std::max(m_failedSamples, (*executor)->failures().failedSamples());
  if (end == RunEnd::Failed) result.reason = (*executor)->error().message;
  // The end of the measured span drops what is in the making: for the run that is no interruption.
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
  result.figures = combineRepeats(result.repeats);
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
