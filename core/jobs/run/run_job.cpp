// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/run/run_job.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/jobs/run/dump_observer.h"
#include "core/jobs/run/page_cache_plan.h"
#include "core/jobs/run/recorded_run.h"
#include "core/jobs/run/reduction_warnings.h"
#include "core/jobs/run/run_fact_collector.h"
#include "core/jobs/run/run_keeping.h"
#include "core/jobs/run/trace_observer.h"
#include "core/measure/observers.h"
#include "core/measure/order_quality.h"
#include "core/monitor/gpu/gpu_monitor.h"
#include "core/monitor/page_cache.h"
#include "core/open/stored_document.h"
#include "core/store/run_record.h"

namespace millrace {

/// What a run needs while it is measured. Thread of `run`, except for `stop` and `measured`.
class RunJob::Work {
 public:
  Work(const PreparedPipeline& prepared, const RunJobSettings& settings, StartGate& gate,
       RunJobObserver& observer)
      : m_prepared(prepared),
        m_settings(settings),
        m_observer(observer),
        m_measure(settings.measure) {
    m_outcome.identity.pipeline = settings.pipeline;
    for (std::string& warning : source().warnings()) m_sourceWarnings.insert(std::move(warning));
    if (settings.awaitStart)
      m_measure.awaitStart = [&gate, &observer](std::size_t repeat) {
        gate.await([&] { observer.onReady(repeat); });
      };
  }

  /// Makes all that can fail before anything is measured.
  Status begin() {
    MILLRACE_ASSIGN_OR_RETURN(auto caches, CacheSet::make(m_prepared.plan));
    m_caches.emplace(std::move(caches));
    MILLRACE_TRY(openFiles());
    watchGpu();
    MILLRACE_TRY(beginCold());
    collectFacts();
    m_recorder = beginKeeping(m_settings.keep, m_prepared, m_settings.pipeline, m_facts,
                              m_outcome.identity, m_observer);
    if (m_recorder) m_observers.add(*m_recorder);
    m_observers.add(m_observer);
    m_run.emplace(m_prepared.plan, *m_caches, m_measure, m_observers);
    return {};
  }

  MeasuredRun& measured() { return *m_run; }
  void stop() {
    if (m_cold) m_cold->stop();
    m_run->stop();
  }
  const RunIdentity& identity() const { return m_outcome.identity; }
  const Facts& facts() const { return m_facts; }

  Status measure() {
    RunFactCollector collector(m_prepared.plan.pipeline.source, m_settings.fingerprint);
    MILLRACE_ASSIGN_OR_RETURN(m_outcome.result, m_run->run());
    m_outcome.result.figures.order = orderFigures(m_prepared.plan);
    const Facts known = collector.factsOf(m_outcome.result, m_facts);
    if (m_recorder && !known.empty()) m_recorder->addEnvironment(known);
    m_facts.insert(m_facts.end(), known.begin(), known.end());
    noteLiveChanges();
    m_outcome.result.environment = m_facts;
    return {};
  }

  RunJobOutcome finish() {
    tellWhatListingFound();
    if (m_recorder) m_recorder->finish(m_outcome.result);
    endKeeping(std::move(m_recorder), m_observer);
    if (auto warning = coldWarning()) m_outcome.warnings.push_back(std::move(*warning));
    if (auto warning = heatWarning(m_facts)) m_outcome.warnings.push_back(std::move(*warning));
    const Plan& plan = m_prepared.plan;
    for (Problem& warning : reductionWarnings(m_outcome.result, *plan.node(plan.source).spec))
      m_outcome.warnings.push_back(std::move(warning));
    finishFiles();
    return std::move(m_outcome);
  }

 private:
  const Source& source() const { return *m_prepared.plan.pipeline.source; }

  Status openFiles() {
    if (!m_settings.trace.empty()) {
      auto trace = TraceWriter::open(m_settings.trace);
      if (!trace) return Error{"trace: " + trace.error().message};
      m_observers.add(m_trace.emplace(m_prepared.plan, trace.take()));
    }
    if (m_settings.dump.empty()) return {};
    MILLRACE_ASSIGN_OR_RETURN(auto dump,
                              BatchDump::open(m_settings.dump, m_settings.dumpBatches, source()));
    m_observers.add(m_dump.emplace(std::move(dump)));
    // The measured span begins with the arrival of the last batch of the warm-up, before an
    // observer writes it: one batch more.
    m_measure.firstWarmupBatches = m_settings.dumpBatches + 1;
    m_measure.addFigures = [this](std::size_t repeat, SpanFigures& figures) {
      if (repeat == 0 && m_dump->measured() > 0) figures.dumpedBatches = m_dump->measured();
    };
    return {};
  }

  /// Before the machine's facts are read, so that the driver is already awake.
  void watchGpu() {
    auto monitor = GpuMonitor::start();
    if (!monitor) {
      m_gpuTrouble = monitor.error().message;
      return;
    }
    m_gpu = monitor.take();
    m_measure.gpu = m_gpu.get();
  }

  /// Before the machine's facts are read, so that they show whether the pages were dropped.
  Status beginCold() {
    if (!m_settings.cold) return {};
    m_cold.emplace(m_prepared.plan.pipeline.source, PageCacheRequest::Cold);
    if (m_cold->state() == nameOf(PageCacheState::Unknown))
      return Error{
          "cold: the source reads no files, so nothing can be dropped from the page cache"};
    m_cold->prepare();
    m_measure.beforeRepeat = [this] { m_cold->prepare(); };
    return {};
  }

  void collectFacts() {
    m_facts = machineFacts(source());
    for (auto& fact : measureFacts(m_measure, m_settings.fuse)) m_facts.push_back(std::move(fact));
    if (m_trace) {
      m_facts.emplace_back(kTracedFact, "yes");
      std::error_code error;
      const std::filesystem::path file = std::filesystem::absolute(m_settings.trace, error);
      if (!error) m_facts.emplace_back(kTraceFileFact, validUtf8(file.string()));
    }
    if (m_cold) m_facts.emplace_back("page_cache_dropped", "before each repeat");
    if (!m_gpuTrouble.empty() && hasFact(m_facts, "gpu"))
      m_facts.emplace_back("accelerator_not_watched", m_gpuTrouble);
  }

  /// Kept with the run, because such a run takes no part in verdicts (docs/reference/verdict.md).
  void noteLiveChanges() {
    const std::vector<LiveChange>& changes = m_outcome.result.liveChanges;
    if (changes.empty()) return;
    std::string text;
    for (const LiveChange& change : changes)
      text += fmt::format("{}{}.{}={}", text.empty() ? "" : ", ", change.node, change.param,
                          change.value);
    m_facts.emplace_back(kLiveChangesFact, text);
    if (m_recorder) m_recorder->addEnvironment({m_facts.back()});
  }

  /// Reports damage that was found when the rest of a large container was scanned.
  void tellWhatListingFound() const {
    const std::string& node = m_prepared.plan.node(m_prepared.plan.source).id;
    for (const std::string& warning : source().warnings())
      if (!m_sourceWarnings.contains(warning))
        m_observer.onWarning({Severity::Warning, node, "", warning, ""});
  }

  std::optional<Problem> coldWarning() const {
    if (!m_cold) return std::nullopt;
    const auto warning = [](std::string message) {
      return Problem{Severity::Warning, "", "cold", std::move(message), ""};
    };
    if (m_cold->state() != nameOf(PageCacheState::Cold))
      return warning(
          fmt::format("after it was dropped, the data was {} in the page cache: another program "
                      "uses it, or its file system keeps it there",
                      m_cold->state()));
    const std::size_t samples = source().size();
    const auto again = [samples](const SpanFigures& repeat) { return repeat.samples > samples; };
    if (m_measure.warmupSeconds <= 0 && std::ranges::none_of(m_outcome.result.repeats, again))
      return std::nullopt;
    return warning(
        "data that a repeat reads again, or has read in its warm-up, comes from memory; "
        "one epoch without a warm-up measures only storage");
  }

  void finishFiles() {
    const auto unwritten = [this](const char* setting, const Error& error) {
      m_outcome.unwritten.push_back({Severity::Error, "", setting, error.message, ""});
    };
    if (m_trace) {
      m_outcome.trace = m_trace->summary();
      if (const Status written = m_trace->finish(); !written) unwritten("trace", written.error());
    }
    if (m_dump && m_dump->error()) unwritten("dump", *m_dump->error());
  }

  const PreparedPipeline& m_prepared;
  const RunJobSettings& m_settings;
  RunJobObserver& m_observer;
  MeasureSettings m_measure;
  RunJobOutcome m_outcome;
  std::set<std::string> m_sourceWarnings;  ///< known before the run began
  std::optional<CacheSet> m_caches;
  Facts m_facts;
  Observers m_observers;
  std::unique_ptr<GpuMonitor> m_gpu;  ///< nullptr without a GPU
  std::string m_gpuTrouble;           ///< why there is none
  std::optional<PageCachePlan> m_cold;
  std::optional<DumpObserver> m_dump;
  std::optional<TraceObserver> m_trace;
  std::unique_ptr<StoreRecorder> m_recorder;
  std::optional<MeasuredRun> m_run;
};

RunJob::RunJob(PreparedPipeline prepared, RunJobSettings settings, RunJobObserver& observer)
    : m_prepared(std::move(prepared)), m_settings(std::move(settings)), m_observer(observer) {}

RunJob::~RunJob() = default;

Result<RunJobOutcome> RunJob::run() {
  Work work(m_prepared, m_settings, m_gate, m_observer);
  MILLRACE_TRY(work.begin());
  {
    const MutexLock lock(m_mutex);
    m_work = &work;
    if (m_stopped) work.stop();
  }
  m_observer.onRecord(storedDocument(m_prepared), work.facts());
  m_observer.onBegin(m_prepared.plan, work.identity());
  const Status measured = work.measure();
  {
    const MutexLock lock(m_mutex);
    m_work = nullptr;
  }
  if (!measured) return measured.error();
  return work.finish();
}

void RunJob::stop() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_work != nullptr) m_work->stop();
  m_gate.stop();
}

Status RunJob::set(const std::string& node, const std::string& param, const std::string& value) {
  const MutexLock lock(m_mutex);
  if (m_work == nullptr) return Error{"the run is not being measured"};
  return m_work->measured().set(node, param, value);
}

Status RunJob::start() {
  if (!m_gate.open()) return Error{"no repeat is waiting to be started"};
  return {};
}

}  // namespace millrace
