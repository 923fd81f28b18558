// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/loader/loader_job.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/jobs/loader/loader_record.h"
#include "core/jobs/run/run_fact_collector.h"
#include "core/jobs/run/run_keeping.h"
#include "core/measure/observers.h"
#include "core/measure/store_figures.h"
#include "core/monitor/environment.h"
#include "core/monitor/gpu/gpu_monitor.h"

namespace millrace {

namespace {

/// The share of starts in all time from which they are worth a word.
constexpr double kNotableStarts = 0.05;

Facts factsAbout(const OwnLoader& loader, const Environment& environment, const LoaderFacts& seen,
                 const MeasureSettings& measure) {
  Facts facts = loaderMachineFacts(loader, environment);
  for (Facts more : {loaderFactsOf(seen), loaderMeasureFacts(measure)})
    facts.insert(facts.end(), more.begin(), more.end());
  return facts;
}

}  // namespace

PlanEvent loaderPlan(const OwnLoader& loader, const LoaderFacts& facts) {
  PlanEvent plan = loaderPlan(shownName(loader), nodesOf(loader, facts.first), facts.ready.workers);
  plan.text.push_back("a loop over " + shownName(loader));
  plan.text.push_back(loaderText(facts.ready));
  plan.text.push_back(batchText(facts.first));
  return plan;
}

std::optional<double> LoaderJobOutcome::workersBusy() const {
  const SpanFigures& figures = result.figures;
  const std::size_t inside = facts.first.steps.size();
  if (facts.ready.workers == 0 || inside == 0 || figures.seconds <= 0) return std::nullopt;
  double busy = 0;
  for (std::size_t i = 0; i < std::min(inside, figures.nodes.size()); ++i)
    busy += figures.nodes[i].busySeconds.value_or(0);
  return std::min(1.0, busy / (static_cast<double>(facts.ready.workers) * figures.seconds));
}

/// What a run needs while it is measured. Forwards the calls to the store and the job's observer.
class LoaderJob::Work final : public LoaderRunObserver {
 public:
  Work(const LoaderJobSettings& settings, LoaderJobObserver& observer)
      : m_settings(settings), m_observer(observer), m_measure(settings.measure) {
    m_outcome.identity.pipeline = shownName(settings.loader);
    if (auto monitor = GpuMonitor::start()) m_gpu = monitor.take();
    m_measure.gpu = m_gpu.get();
    m_run.emplace(settings.loader, m_measure, *this);
  }

  void stop() { m_run->stop(); }

  Status measure() {
    MILLRACE_ASSIGN_OR_RETURN(m_outcome.result, m_run->run());
    return {};
  }

  LoaderJobOutcome finish() {
    RunResult& result = m_outcome.result;
    Facts known = gpuFacts(result);
    if (const auto& epoch = m_run->epoch())
      known.emplace_back("loader_epoch",
                         fmt::format("{} sample{} in {} batch{}", grouped(epoch->samples),
                                     epoch->samples == 1 ? "" : "s", grouped(epoch->batches),
                                     epoch->batches == 1 ? "" : "es"));
    if (const auto& shares = m_run->shares()) judge(*shares, known);
    if (m_recorder && !known.empty()) m_recorder->addEnvironment(known);
    m_facts.insert(m_facts.end(), known.begin(), known.end());
    result.environment = m_facts;
    if (m_recorder) m_recorder->finish(result);
    endKeeping(std::move(m_recorder), m_observer);
    if (const std::string& early = m_run->endedEarly(); !early.empty())
      m_outcome.warnings.push_back({Severity::Warning, "", "", early, ""});
    if (auto warning = heatWarning(m_facts)) m_outcome.warnings.push_back(std::move(*warning));
    return std::move(m_outcome);
  }

  void onLoader(const LoaderFacts& facts) override {
    m_outcome.facts = facts;
    const Environment environment = readEnvironment();
    m_coresUsable = environment.coresUsable;
    m_facts = factsAbout(m_settings.loader, environment, facts, m_measure);
    beginRecording();
    m_observer.onBegin(loaderPlan(m_settings.loader, facts), m_outcome.identity, facts);
    m_all.add(m_observer);
  }
  void onWaiting(const RunPhase& phase) override {
    // Before the first batch nothing is recorded yet.
    if (m_facts.empty()) return m_observer.onWaiting(phase);
    m_all.onWaiting(phase);
  }
  void onPhase(const RunPhase& phase) override { m_all.onPhase(phase); }
  void onSnapshot(const RunSnapshot& snapshot) override { m_all.onSnapshot(snapshot); }
  void onWindow(std::size_t repeat, const RateWindow& window) override {
    m_all.onWindow(repeat, window);
  }
  void onRepeat(std::size_t repeat, const SpanFigures& figures) override {
    m_all.onRepeat(repeat, figures);
  }

 private:
  void judge(const LoaderRun::Shares& shares, Facts& known) {
    const LoaderReady& ready = m_outcome.facts.ready;
    if (shares.startSeconds > 0) {
      m_outcome.epochStart = fmt::format("{} until the first batch, {:.0f} % of the time",
                                         humanSeconds(shares.startSeconds), 100 * shares.start);
      known.emplace_back("loader_epoch_start", m_outcome.epochStart);
      if (ready.restarts && ready.workers > 0 && shares.start > kNotableStarts)
        m_outcome.warnings.push_back(
            {Severity::Warning, "", "",
             fmt::format(
                 "the workers start again in each epoch, and {:.0f} % of the time went into "
                 "waiting for their first batches",
                 100 * shares.start),
             "keep them with persistent_workers=True"});
    }
    m_outcome.queueEmpty = shares.queueEmpty;
    if (shares.queueEmpty)
      known.emplace_back("loader_queue_empty", fmt::format("{:.3f}", *shares.queueEmpty));
    const LoaderLoad load = loadOf(shares);
    m_outcome.limit = findLoaderLimit(load);
    m_outcome.advice = loaderAdvice(m_outcome.limit, load);
    const std::string line = lineOf(m_outcome.limit);
    if (!line.empty()) known.emplace_back("loader_limit", line);
    if (const std::string step = stepOf(m_outcome.limit, load); !step.empty())
      known.emplace_back("loader_limit_step", validUtf8(step));
    if (!m_outcome.advice.empty())
      known.emplace_back("loader_advice", lineOf(m_outcome.advice.front()));
  }

  LoaderLoad loadOf(const LoaderRun::Shares& shares) const {
    const SpanFigures& figures = m_outcome.result.figures;
    LoaderLoad load;
    load.what = m_outcome.facts.ready.what;
    load.stepped = m_settings.loader.stepSeconds > 0;
    load.waitShare = shares.wait;
    load.startShare = shares.start;
    load.workers = m_outcome.facts.ready.workers;
    load.workersBusy = m_outcome.workersBusy();
    load.queueEmpty = shares.queueEmpty;
    load.coresUsable = m_coresUsable;
    load.othersShare = figures.otherBusyShare.value_or(0);
    for (const StageFigures& stage : figures.stages)
      if (figures.seconds > 0) load.coresUsed += stage.cpuSeconds.value_or(0) / figures.seconds;
    const std::size_t inside = std::min(m_outcome.facts.first.steps.size(), figures.nodes.size());
    double all = 0;
    for (std::size_t i = 0; i < inside; ++i) all += figures.nodes[i].busySeconds.value_or(0);
    for (std::size_t i = 0; i < inside && all > 0; ++i)
      load.steps.emplace_back(figures.nodes[i].id, figures.nodes[i].busySeconds.value_or(0) / all);
    return load;
  }

  void beginRecording() {
    const KeepSettings& keep = m_settings.keep;
    if (!keep.keep) return;
    auto recorder =
        StoreRecorder::begin(keep.file, loaderRecord(m_settings.loader, keep.labels, m_facts), {});
    if (!recorder) return m_observer.onNotKept("this run is not kept: " + recorder.error().message);
    m_recorder = recorder.take();
    m_outcome.identity.runId = std::to_string(static_cast<std::int64_t>(m_recorder->run()));
    m_all.add(*m_recorder);
  }

  const LoaderJobSettings& m_settings;
  LoaderJobObserver& m_observer;
  MeasureSettings m_measure;
  std::unique_ptr<GpuMonitor> m_gpu;  ///< nullptr without a GPU
  LoaderJobOutcome m_outcome;
  Facts m_facts;
  double m_coresUsable = 1;
  std::unique_ptr<StoreRecorder> m_recorder;
  Observers m_all;
  std::optional<LoaderRun> m_run;
};

LoaderJob::LoaderJob(LoaderJobSettings settings, LoaderJobObserver& observer)
    : m_settings(std::move(settings)), m_observer(observer) {}

LoaderJob::~LoaderJob() = default;

Result<LoaderJobOutcome> LoaderJob::run() {
  Work work(m_settings, m_observer);
  {
    const MutexLock lock(m_mutex);
    m_work = &work;
    if (m_stopped) work.stop();
  }
  const Status measured = work.measure();
  {
    const MutexLock lock(m_mutex);
    m_work = nullptr;
  }
  if (!measured) return measured.error();
  return work.finish();
}

void LoaderJob::stop() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_work != nullptr) m_work->stop();
}

}  // namespace millrace
