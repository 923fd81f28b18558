// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/tune/tune_job.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/text/text.h"
#include "core/graph/edit/graph_edit.h"
#include "core/graph/json/graph_json.h"
#include "core/jobs/search/stopped_search.h"
#include "core/jobs/tune/tune_axes.h"
#include "core/jobs/tune/tune_predictions.h"
#include "core/nodes/builtin.h"

namespace millrace {

namespace {

TuneTask taskOf(TuneJobSettings settings, PreparedPipeline prepared) {
  Graph graph = withAbsolutePaths(prepared.graph, builtinCatalog(), prepared.base);
  return {std::move(settings), std::move(prepared), std::move(graph), {}, {}};
}

TuneOutcome emptyOutcome(const TuneJobSettings& settings) {
  TuneOutcome outcome;
  outcome.pipeline = settings.pipeline;
  outcome.goal = settings.meaning.goal;
  outcome.budgetSeconds = settings.meaning.budgetSeconds;
  outcome.memoryBytes = settings.meaning.rules.limits.memoryBytes;
  if (settings.request.cores) outcome.cores = static_cast<int>(*settings.request.cores);
  outcome.taskset = settings.taskset;
  outcome.replay = settings.replay;
  outcome.settings.emplace_back();
  return outcome;
}

}  // namespace

TuneJob::TuneJob(TuneJobSettings settings, PreparedPipeline prepared, GraphTrial& trial,
                 TuneJobObserver& observer)
    : m_task(taskOf(std::move(settings), std::move(prepared))),
      m_observer(observer),
      m_outcome(emptyOutcome(m_task.settings)),
      m_book(m_task, m_clock, m_outcome, observer),
      m_trials(m_task, trial, m_book, m_clock, m_outcome),
      m_surveyor(m_task, m_clock, m_outcome, observer) {}

Result<TuneOutcome> TuneJob::run() {
  findFacts();
  // Parameters that must not be varied are refused before anything is measured.
  MILLRACE_TRY(axesOf(m_task, m_surveyor.survey(), m_outcome));
  MILLRACE_TRY(beginKeeping());
  if (!m_task.settings.kept) m_clock.start();
  m_observer.onBegin(m_outcome);
  search();
  conclude();
  TunePredictions(m_outcome).compare(m_keeper.get(), m_task.settings.kept.has_value());
  endRuns();
  takeDocument();
  return std::move(m_outcome);
}

void TuneJob::stop() {
  m_stopped = true;
  m_trials.stop();
  m_surveyor.stop();
}

void TuneJob::findFacts() {
  const TuneJobSettings& settings = m_task.settings;
  if (settings.replay) {
    m_task.facts = settings.kept->facts;
    if (m_outcome.cores && *m_outcome.cores < surroundingsOf(m_task.facts).cores.value_or(0))
      m_task.coreLimit = m_outcome.cores;
    return;
  }
  m_task.facts = machineFacts(*m_task.prepared.plan.pipeline.source);
  for (auto& fact : measureFacts(settings.meaning.rules.measure, !settings.request.noFuse))
    m_task.facts.push_back(std::move(fact));
  if (!settings.taskset.empty()) m_task.facts.emplace_back("kept_on_cores", settings.taskset);
}

Status TuneJob::beginKeeping() {
  const TuneJobSettings& settings = m_task.settings;
  if (settings.kept) m_outcome.experiment = settings.kept->experiment();
  if (settings.replay || !settings.keep.keep) return {};
  for (auto& fact : FingerprintJob(m_task.prepared.plan.pipeline.source).take())
    m_task.facts.push_back(std::move(fact));
  SearchSubject subject{settings.pipeline, settings.keep.labels, m_task.facts,
                        [this](const std::string& sentence) { m_observer.onNotKept(sentence); }};
  MILLRACE_TRY(settings.kept ? continueKept(std::move(subject)) : beginNew(std::move(subject)));
  if (m_keeper) m_book.keepIn(*m_keeper);
  return {};
}

Status TuneJob::continueKept(SearchSubject subject) {
  const KeptTuning& kept = *m_task.settings.kept;
  MILLRACE_TRY(sameConditions(kept.facts, m_task.facts, "tuning", searchConditions()));
  subject.pipeline = kept.pipeline;
  subject.labels = kept.labels;
  MILLRACE_ASSIGN_OR_RETURN(m_keeper,
                            TuneKeeper::goOn(m_task.settings.keep.file, std::move(subject), kept,
                                             documentOf(m_task, m_task.graph)));
  return {};
}

Status TuneJob::beginNew(SearchSubject subject) {
  bool taken = false;
  auto keeper = TuneKeeper::begin(m_task.settings.keep.file, std::move(subject),
                                  documentOf(m_task, m_task.graph), taken);
  if (keeper)
    m_keeper = keeper.take();
  else if (taken)
    return Error{keeper.error().message +
                 "; name another experiment for a new tuning, or continue or replay the kept one"};
  else
    m_observer.onNotKept("this tuning is not kept: " + validUtf8(keeper.error().message));
  if (!m_keeper) return {};
  m_outcome.experiment = m_keeper->experiment();
  m_keeper->addLine(lineOf(m_task.settings.request));
  return {};
}

void TuneJob::search() {
  const std::optional<TunerObservation> start = m_trials.measure(0);
  if (!start || !m_surveyor.run(*start, m_keeper.get())) return;
  if (auto axes = axesOf(m_task, m_surveyor.survey(), m_outcome)) m_outcome.axes = axes.take();
  if (m_outcome.axes.empty())
    m_outcome.leftOut.emplace_back(
        "the pipeline has no workers and no prefetch node, and what training gets must not change; "
        "put Workers before decoding and Prefetch after Batch, or allow changes of batching");
  m_observer.onSpace(m_outcome);
  TunerSettings settings;
  settings.budgetSeconds = m_outcome.budgetSeconds;
  settings.seed = m_task.prepared.graph.seed;
  settings.ceiling = m_surveyor.ceiling();
  m_tuner = std::make_unique<Tuner>(tunerAxes(m_outcome.axes), settings);
  m_outcome.settings.front().point = m_tuner->point(0);
  m_tuner->propose();
  m_tuner->tell(*start);
  m_tuner->spend(m_surveyor.survey().spentSeconds);
  TunePredictions(m_outcome).expectIn(*m_tuner);
  m_book.follow(*m_tuner);
  m_book.updateGains();
  follow(*m_tuner);
}

/// Measures what the tuner proposes until its search is over.
void TuneJob::follow(Tuner& tuner) {
  while (const auto trial = tuner.propose()) {
    const std::optional<std::size_t> setting = m_trials.settingOf(*trial);
    const std::optional<TunerObservation> told =
        setting ? m_trials.measure(*setting) : std::nullopt;
    if (!told) return tuner.stop();
    const bool replaced = tuner.isReplaced(*told);
    tuner.tell(*told);
    m_book.updateGains();
    if (told->kind == TunerObservation::Kind::Measured) m_book.reportMeasured(*setting, replaced);
  }
}

void TuneJob::conclude() {
  m_outcome.spentSeconds = m_clock.seconds();
  m_outcome.stopped = m_stopped;
  if (m_tuner) {
    m_book.updateGains();
    m_outcome.end = m_tuner->end();
    m_outcome.best = m_outcome.judged = m_tuner->best();
    recommend();
  } else if (!m_outcome.settings.front().repeats.empty()) {
    m_outcome.best = 0;
  }
  judge();
  findFront();
}

/// Only what is shown to be better is recommended instead of the unmodified pipeline.
void TuneJob::recommend() {
  const TunedSetting& start = m_outcome.settings.front();
  if (m_outcome.best == std::size_t{0}) m_outcome.judged = m_outcome.unproven();
  if (!m_outcome.judged || !start.failure.empty() || start.repeats.empty()) return;
  if (!m_tuner->isShown(*m_outcome.judged)) m_outcome.best = 0;
}

void TuneJob::findFront() {
  // With another goal, the best setting need not be fast.
  const bool forRate = m_outcome.goal == TuneGoal::Throughput;
  m_outcome.front = paretoFront(m_outcome.balances(false), forRate ? m_outcome.best : std::nullopt);
}

/// The gain of the judged setting is that of the verdict, in which nothing is estimated.
void TuneJob::judge() {
  if (!m_outcome.judged || *m_outcome.judged == 0) return;
  ScorePairs pairs = m_tuner->pairsOf(0, *m_outcome.judged);
  for (auto* side : {&pairs.a, &pairs.b})
    for (double& score : *side) score = std::exp(score);
  Verdict& verdict =
      m_outcome.verdict.emplace(judgeTogether(pairs.a, pairs.b, {pairs.a.size(), 0}));
  // The sides of another goal are not rates.
  verdict.rateA.reset();
  verdict.rateB.reset();
  if (!verdict.ratio) return;
  m_outcome.settings[*m_outcome.judged].gain = verdict.ratio;
  if (m_outcome.goal != TuneGoal::Throughput) return;
  verdict.rateA = m_outcome.levelOf(0);
  verdict.rateB = m_outcome.levelOf(*m_outcome.judged);
}

void TuneJob::takeDocument() {
  if (!m_outcome.best) return;
  const TunedSetting& best = m_outcome.settings[*m_outcome.best];
  const Result<Graph> graph = graphOf(m_task, m_outcome.axes, best.edits, best.point);
  if (graph) m_outcome.document = graphText(*graph, builtinCatalog());
}

/// The figures of a trial over the repeats from before this tuning was continued.
SpanFigures TuneJob::keptFiguresOf(std::size_t trial) const {
  std::vector<SpanFigures> repeats;
  if (m_task.settings.kept)
    for (const KeptTrial& kept : m_task.settings.kept->trials)
      if (kept.step.trial == trial && kept.figures) repeats.push_back(*kept.figures);
  return combineRepeats(repeats);
}

/// A stopped tuning may be continued, so its runs are left open.
void TuneJob::endRuns() {
  if (!m_keeper) return;
  const bool whole = !m_outcome.stopped && m_outcome.missing.empty();
  std::vector<SpanFigures> figures;
  for (std::size_t s = 0; s < m_keeper->count(); ++s) figures.push_back(keptFiguresOf(s));
  for (std::size_t s = 0; s < m_outcome.settings.size(); ++s) {
    const TunedSetting& setting = m_outcome.settings[s];
    figures[s] = m_outcome.figuresOf(s);
    if (whole && !setting.repeats.empty() && setting.failure.empty())
      m_keeper->endTrial(s, figures[s]);
  }
  m_keeper->finish(figures, whole ? "the tuning ended before this setting was measured again: " +
                                        m_outcome.stoppedBecause()
                                  : "stopped");
  if (whole) m_keeper->addLine(lineOfEnd());
}

}  // namespace millrace
