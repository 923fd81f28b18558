// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/sweep/sweep_job.h"

#include <algorithm>
#include <utility>

#include "core/base/text/text.h"
#include "core/graph/json/graph_json.h"
#include "core/jobs/sweep/sweep_keeper.h"
#include "core/nodes/builtin.h"

namespace millrace {

/// Measures a point of the sweep as the pipeline with that setting.
class SweepJob::Points final : public TrialRunner {
 public:
  Points(const PreparedSweep& sweep, GraphTrial& trial) : m_sweep(sweep), m_trial(trial) {}

  TrialOutcome run(std::size_t point) override {
    const Result<Graph> graph = withSettings(m_sweep.graph, builtinCatalog(), m_sweep.plan.axes,
                                             m_sweep.plan.points[point].values);
    if (!graph) return {TrialOutcome::Kind::Failed, graph.error().message, {}};
    return m_trial.run(*graph);
  }
  void stop() override { m_trial.stop(); }

 private:
  const PreparedSweep& m_sweep;
  GraphTrial& m_trial;
};

SweepJob::SweepJob(PreparedSweep sweep, SweepJobSettings settings, GraphTrial& trial,
                   SweepJobObserver& observer)
    : m_sweep(std::move(sweep)),
      m_settings(std::move(settings)),
      m_trial(trial),
      m_observer(observer),
      m_points(m_sweep.plan.points.size()) {}

SweepJob::~SweepJob() = default;

Result<SweepOutcome> SweepJob::run() {
  MILLRACE_TRY(beginKeeping());
  m_observer.onBegin(begun());
  SweepOutcome outcome = outcomeOf(measure());
  if (m_keeper) m_keeper->finish(outcome.finding.figures);
  return outcome;
}

void SweepJob::stop() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_running != nullptr) m_running->stop();
}

void SweepJob::onTrial(const TrialStep& step) {
  if (m_keeper) m_keeper->beginTrial(step.point);
  m_observer.onTrial(step, m_keeper ? m_keeper->runId(step.point) : "");
}

void SweepJob::onMeasured(const TrialStep& step, const SpanFigures& figures) {
  m_points[step.point].repeats.push_back(figures);
  const SpanFigures all = combineRepeats(m_points[step.point].repeats);
  if (m_keeper)
    m_keeper->keepTrial(step.point, step.block, step.block + 1 == m_settings.blocks,
                        m_trial.report(), all);
  m_observer.onMeasured(step, figures, all);
}

void SweepJob::onReplaced(const TrialStep& step, const SpanFigures& figures) {
  if (m_keeper) m_keeper->dropTrial(step.point);
  m_observer.onReplaced(step, figures);
}

void SweepJob::onFailed(const TrialStep& step, const std::string& reason) {
  const SpanFigures all = combineRepeats(m_points[step.point].repeats);
  if (m_keeper) m_keeper->failTrial(step.point, reason, all);
  m_observer.onFailed(step, reason, all);
}

/// Found once, before anything is measured, so that this disturbs no trial.
Facts SweepJob::findFacts() const {
  const std::shared_ptr<const Source>& source = m_sweep.prepared.plan.pipeline.source;
  Facts facts = machineFacts(*source);
  for (auto& fact : measureFacts(m_settings.measure, m_settings.fused))
    facts.push_back(std::move(fact));
  // Settings of the source may select other data.
  const std::string& id = m_sweep.prepared.plan.pipeline.nodes.front().id;
  if (std::ranges::count(m_sweep.plan.axes, id, &SweepAxis::node) > 0) return facts;
  for (auto& fact : FingerprintJob(source).take()) facts.push_back(std::move(fact));
  return facts;
}

SweepSubject SweepJob::subject() const {
  SweepSubject subject;
  subject.search = {m_settings.pipeline, m_settings.keep.labels, findFacts(),
                    [this](const std::string& sentence) { m_observer.onNotKept(sentence); }};
  subject.plan = &m_sweep.plan;
  subject.graph = &m_sweep.graph;
  subject.settings = settingsOf(m_sweep.prepared.plan);
  subject.blocks = m_settings.blocks;
  SweepRequest request = m_settings.request;
  request.pipeline = m_settings.pipeline;
  request.document = graphText(m_sweep.graph, builtinCatalog());
  subject.request = lineOf(request);
  return subject;
}

Status SweepJob::beginKeeping() {
  if (!m_settings.keep.keep) return {};
  if (m_settings.resumed) return continueKept();
  bool taken = false;
  auto keeper = SweepKeeper::begin(m_settings.keep.file, subject(), taken);
  if (keeper)
    m_keeper = keeper.take();
  else if (taken)
    return Error{keeper.error().message +
                 "; continue it, or name another experiment for a new sweep"};
  else
    m_observer.onNotKept("this sweep is not kept: " + validUtf8(keeper.error().message));
  return {};
}

Status SweepJob::continueKept() {
  const SweepSubject same = subject();
  MILLRACE_ASSIGN_OR_RETURN(const auto stopped,
                            stoppedSweep(m_settings.keep.file, same, *m_settings.resumed));
  m_points = stopped.points;
  MILLRACE_ASSIGN_OR_RETURN(m_keeper, SweepKeeper::goOn(m_settings.keep.file, same, stopped));
  return {};
}

double SweepJob::secondsPerTrial() const {
  constexpr double kStartSeconds = 0.3;
  return m_settings.measure.warmupSeconds + m_settings.measure.seconds.value_or(1) + kStartSeconds;
}

SweepBegin SweepJob::begun() const {
  SweepBegin begin{m_sweep.plan, m_keeper ? m_keeper->experiment() : "", m_points, runIds()};
  for (const PointState& point : m_points)
    if (!point.failed())
      begin.trials += m_settings.blocks - std::min(m_settings.blocks, point.repeats.size());
  begin.secondsPerTrial = secondsPerTrial();
  return begin;
}

SweepResult SweepJob::measure() {
  SweepSettings settings;
  settings.blocks = m_settings.blocks;
  settings.seed = m_sweep.plan.seed;
  // On a busy machine a sweep takes at most a quarter longer.
  settings.mostReplaced = m_points.size() * settings.blocks / 4;
  settings.secondsPerTrial = secondsPerTrial();
  Points points(m_sweep, m_trial);
  SweepMeasurement measurement(points, settings, *this, m_points);
  {
    const MutexLock lock(m_mutex);
    m_running = &measurement;
    if (m_stopped) measurement.stop();
  }
  SweepResult result = measurement.run();
  const MutexLock lock(m_mutex);
  m_running = nullptr;
  return result;
}

std::vector<std::string> SweepJob::runIds() const {
  std::vector<std::string> ids;
  for (std::size_t p = 0; p < m_points.size(); ++p)
    ids.push_back(m_keeper ? m_keeper->runId(p) : std::string());
  return ids;
}

SweepOutcome SweepJob::outcomeOf(SweepResult result) const {
  SweepOutcome outcome;
  outcome.plan = m_sweep.plan;
  outcome.pipeline = m_settings.pipeline;
  outcome.blocks = m_settings.blocks;
  outcome.result = std::move(result);
  outcome.finding = analyseSweep(m_sweep.plan, outcome.result.points);
  if (m_keeper) outcome.experiment = m_keeper->experiment();
  outcome.runIds = runIds();
  return outcome;
}

}  // namespace millrace
