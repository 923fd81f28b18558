// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/diagnose/diagnose_job.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/graph/edit/graph_edit.h"
#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/jobs/compare/block_recorder.h"
#include "core/jobs/run/cache_room.h"
#include "core/jobs/run/run_keeping.h"
#include "core/measure/order_quality.h"
#include "core/measure/store_figures.h"
#include "core/nodes/builtin.h"
#include "core/open/stored_document.h"
#include "core/store/search_notes.h"
#include "core/tune/advice_edit.h"

namespace millrace {

/// Passes on what a diagnosis reports, and keeps the unmodified pipeline's repeats once they count.
class DiagnoseJob::Baseline final : public DiagnosisObserver {
 public:
  /// `recorder` may be nullptr; both must outlive this object.
  Baseline(StoreRecorder* recorder, DiagnosisObserver& observer)
      : m_recorder(recorder), m_observer(observer) {
    if (recorder != nullptr) m_blocks.emplace(*recorder);
  }

  void onStep(const DiagnosisStep& step) override {
    m_observer.onStep(step);
    m_keeping = nullptr;
    if (!m_blocks) return;
    m_recorder->heartbeat();
    if (!step.baseline) return;
    m_blocks->drop();
    m_keeping = &*m_blocks;
  }
  void onKept(const SpanFigures& figures) override {
    if (m_blocks) m_blocks->keep(m_kept++);
    m_observer.onKept(figures);
  }
  void onWaiting(const RunPhase& phase) override { m_observer.onWaiting(phase); }
  void onPhase(const RunPhase& phase) override {
    m_observer.onPhase(phase);
    if (m_keeping != nullptr) m_keeping->onPhase(phase);
  }
  void onSnapshot(const RunSnapshot& snapshot) override {
    if (m_keeping != nullptr) m_keeping->onSnapshot(snapshot);
    m_observer.onSnapshot(snapshot);
  }
  void onWindow(std::size_t repeat, const RateWindow& window) override {
    if (m_keeping != nullptr) m_keeping->onWindow(repeat, window);
    m_observer.onWindow(repeat, window);
  }
  void onFailures(const std::vector<FailedSample>& failures, std::uint64_t total) override {
    if (m_keeping != nullptr) m_keeping->onFailures(failures, total);
    m_observer.onFailures(failures, total);
  }
  void onRepeat(std::size_t repeat, const SpanFigures& figures) override {
    if (m_keeping != nullptr) m_keeping->onRepeat(repeat, figures);
    m_observer.onRepeat(repeat, figures);
  }

 private:
  StoreRecorder* const m_recorder;
  DiagnosisObserver& m_observer;
  std::optional<BlockRecorder> m_blocks;
  BlockRecorder* m_keeping = nullptr;  ///< while the unmodified pipeline runs
  std::size_t m_kept = 0;
};

DiagnoseJob::DiagnoseJob(PreparedPipeline prepared, DiagnoseSettings settings,
                         DiagnoseObserver& observer)
    : m_prepared(std::move(prepared)),
      m_settings(std::move(settings)),
      m_observer(observer),
      m_pageCache(m_prepared.plan.pipeline.source, m_settings.pageCache) {
  if (m_pageCache.dropsEach()) m_settings.diagnosis.readOnce();
}

DiagnoseJob::~DiagnoseJob() = default;

Result<DiagnosisOutcome> DiagnoseJob::run() {
  MILLRACE_ASSIGN_OR_RETURN(const auto caches, CacheSet::make(m_prepared.plan));
  DiagnosisOutcome outcome;
  outcome.pipeline = m_settings.pipeline;
  collectFacts();
  beginStore(outcome);
  m_observer.onBegin();
  outcome.result = diagnose(caches);
  keep(outcome.result);
  if (outcome.result.end == BlockEnd::Finished) warnOfOrder();
  outcome.pageCache = m_pageCache.text();
  if (m_settings.apply.empty() || outcome.result.end == BlockEnd::Stopped) return outcome;
  if (const Status written = apply(outcome); !written) outcome.notApplied = written.error();
  return outcome;
}

/// Not for data that is still being scanned: that may take longer than the diagnosis.
void DiagnoseJob::warnOfOrder() {
  const Plan& plan = m_prepared.plan;
  if (plan.orderNodes.empty() || !plan.pipeline.source->listed()) return;
  const auto quality = orderQuality(plan);
  if (!quality) return;
  if (const auto problem = orderProblem(*quality, plan)) m_observer.onWarning(*problem);
}

void DiagnoseJob::collectFacts() {
  m_facts = machineFacts(*m_prepared.plan.pipeline.source);
  MeasureSettings measured;
  measured.warmupSeconds = m_settings.diagnosis.warmupSeconds;
  measured.seconds = m_settings.diagnosis.seconds;
  measured.noRandom = m_settings.noRandom;
  if (m_pageCache.dropsEach()) m_facts.emplace_back("page_cache_dropped", "before each repeat");
  for (auto& fact : measureFacts(measured, m_settings.fuse)) m_facts.push_back(std::move(fact));
}

void DiagnoseJob::beginStore(DiagnosisOutcome& outcome) {
  const KeepSettings& keep = m_settings.keep;
  if (!keep.keep) return;
  auto recorder = StoreRecorder::begin(keep.file, keep.labels, m_prepared.plan, m_settings.pipeline,
                                       storedDocument(m_prepared), m_facts);
  if (!recorder) {
    m_observer.onNotKept("this diagnosis is not kept: " + recorder.error().message);
    return;
  }
  m_recorder = recorder.take();
  outcome.runId = std::to_string(static_cast<std::int64_t>(m_recorder->run()));
}

Result<Plan> DiagnoseJob::planWith(const Advice& advice) const {
  MILLRACE_ASSIGN_OR_RETURN(const auto edited,
                            applyAdvice(m_prepared.graph, builtinCatalog(), advice));
  CheckOptions options;
  options.base = m_prepared.base;
  options.openData = true;
  options.noRandom = m_settings.noRandom;
  CheckResult checked = checkGraph(edited, builtinCatalog(), options);
  for (const Problem& problem : checked.problems.all())
    if (problem.severity == Severity::Error) return Error{problem.message};
  if (!checked.pipeline) return Error{"the edited pipeline does not run"};
  PlanOptions planOptions;
  planOptions.fuse = m_settings.fuse;
  return makePlan(std::move(*checked.pipeline), planOptions);
}

DiagnosisSettings DiagnoseJob::diagnosisSettings() {
  DiagnosisSettings settings = m_settings.diagnosis;
  settings.seed = m_prepared.graph.seed;
  settings.awaitCores = true;
  settings.fuse = m_settings.fuse;
  settings.noRandom = m_settings.noRandom;
  settings.memoryBytes = cacheRoom();
  settings.beforeRepeat = [this] { return m_pageCache.prepare(); };
  settings.planWith = [this](const Advice& advice) { return planWith(advice); };
  settings.surroundings = surroundingsOf(m_facts);
  return settings;
}

DiagnosisResult DiagnoseJob::diagnose(const CacheSet& caches) {
  Baseline baseline(m_recorder.get(), m_observer);
  Diagnosis diagnosis(m_prepared.plan, caches, diagnosisSettings(), baseline);
  {
    const MutexLock lock(m_mutex);
    m_running = &diagnosis;
    if (m_stopped) diagnosis.stop();
  }
  FingerprintJob fingerprint(m_prepared.plan.pipeline.source);
  DiagnosisResult result = diagnosis.run();
  const Facts known = fingerprint.take();
  if (m_recorder && !known.empty()) m_recorder->addEnvironment(known);
  const MutexLock lock(m_mutex);
  m_running = nullptr;
  return result;
}

/// Keeps the unmodified pipeline's run, with the findings as facts.
void DiagnoseJob::keep(const DiagnosisResult& result) {
  if (!m_recorder) return;
  if (!result.runs.empty()) {
    const bool open = result.finding.confidence == Confidence::CannotTell;
    m_recorder->addEnvironment(
        {{"diagnosis_limit", open ? "" : std::string(nameOf(result.finding.limit.kind))},
         {"diagnosis_node", open ? "" : result.finding.limit.node},
         {"diagnosis_sure", std::string(nameOf(result.finding.confidence))}});
  }
  RunResult kept;
  kept.repeats = result.baseline;
  kept.figures = figuresOfRun(kept.repeats);
  kept.reason = result.reason;
  if (result.end == BlockEnd::Stopped) kept.outcome = RunOutcome::Interrupted;
  if (result.end == BlockEnd::Stopped) kept.reason = "stopped";
  if (result.end == BlockEnd::Failed) kept.outcome = RunOutcome::Failed;
  m_recorder->finish(kept);
  keepPrediction(result);
  endKeeping(std::move(m_recorder), m_observer);
}

/// Keeps the first advice's predicted and measured rates, next to the rate that the prediction
/// started from.
void DiagnoseJob::keepPrediction(const DiagnosisResult& result) {
  if (!result.adviceGave || result.predicted.empty() || !result.predicted.front()) return;
  const RatePrediction& predicted = *result.predicted.front();
  PredictionRecord record;
  record.run = m_recorder->run();
  record.edit = result.advice.front().editText();
  record.low = predicted.low;
  record.middle = predicted.middle;
  record.high = predicted.high;
  record.followedValue = result.adviceGave->mean * result.counters.samplesPerSecond();
  auto notes = SearchNotes::open(m_settings.keep.file);
  const Status kept = notes ? notes->addPrediction(record) : Status(notes.error());
  if (!kept) m_observer.onNotKept("the prediction is not kept: " + kept.error().message);
}

/// Why no edit is applied; empty if one is.
std::string DiagnoseJob::whyUnchanged(const DiagnosisResult& result) const {
  if (result.adviceGave && result.adviceGave->mean < 1)
    return "the advised edit was measured and is not faster";
  const bool edits = std::ranges::any_of(
      result.advice, [](const Advice& each) { return each.edit != Advice::Edit::Words; });
  return edits ? "" : "no edit of the pipeline is advised";
}

/// Writes the pipeline with the first advised edit; without a change if there is none, so that the
/// file can be used whatever was found.
Status DiagnoseJob::apply(DiagnosisOutcome& outcome) const {
  const DiagnosisResult& result = outcome.result;
  if (result.end == BlockEnd::Failed) return Error{"the diagnosis failed"};
  const Catalog& catalog = builtinCatalog();
  Graph graph = withAbsolutePaths(m_prepared.graph, catalog, m_prepared.base);
  outcome.unchanged = whyUnchanged(result);
  if (outcome.unchanged.empty()) {
    const auto advice = std::ranges::find_if(
        result.advice, [](const Advice& each) { return each.edit != Advice::Edit::Words; });
    MILLRACE_ASSIGN_OR_RETURN(graph, applyAdvice(graph, catalog, *advice));
  }
  MILLRACE_TRY(saveGraph(m_settings.apply, graph, catalog));
  outcome.applied = m_settings.apply.string();
  return {};
}

void DiagnoseJob::stop() {
  m_pageCache.stop();
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_running != nullptr) m_running->stop();
}

}  // namespace millrace
