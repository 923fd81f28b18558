// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tune_job.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/diagnosis_observer.h"
#include "app/cli/refusal.h"
#include "app/cli/steady_seconds.h"
#include "app/cli/text_layout.h"
#include "core/base/text.h"
#include "core/graph/graph_edit.h"
#include "core/graph/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/tune/block_measurement.h"

namespace millrace::cli {

namespace {

/// What differs from the pipeline as it is: "workers.count=4 cache=behind:decode".
std::string differing(const std::vector<TuneAxis>& axes, const TunePoint& point) {
  std::vector<std::string> words;
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (point[a] != axes[a].start)
      words.push_back(axes[a].name + "=" + axes[a].levels[point[a]].text);
  return join(words, " ");
}

}  // namespace

TuneJob::TuneJob(const TuneArguments& arguments, const TuneMeaning& meaning,
                 PreparedPipeline prepared, std::string taskset)
    : m_arguments(arguments),
      m_meaning(meaning),
      m_prepared(std::move(prepared)),
      m_graph(withAbsolutePaths(m_prepared.graph, builtinCatalog(), m_prepared.base)),
      m_progress(!arguments.events && isatty(STDERR_FILENO) != 0,
                 [this](std::size_t setting) {
                   const std::string& words = m_outcome.settings[setting].settings;
                   return words.empty() ? "as it is" : words;
                 }),
      m_trial(meaning.rules, [this](const SnapshotEvent& event) { m_progress.snapshot(event); }) {
  m_outcome.pipeline = arguments.pipeline.pipeline;
  m_outcome.goal = meaning.goal;
  m_outcome.budgetSeconds = meaning.budgetSeconds;
  m_outcome.memoryBytes = meaning.rules.limits.memoryBytes;
  m_outcome.cores = arguments.cores;
  m_outcome.taskset = std::move(taskset);
  m_outcome.settings.emplace_back();
}

int TuneJob::go(const std::vector<Problem>& warnings) {
  m_facts = machineFacts(*m_prepared.plan.pipeline.source);
  for (auto& fact : measureFacts(m_meaning.rules.measure, !m_arguments.pipeline.noFuse))
    m_facts.push_back(std::move(fact));
  if (!m_outcome.taskset.empty()) m_facts.emplace_back("kept_on_cores", m_outcome.taskset);
  // What may not be varied is refused before anything is measured.
  if (!makeSpace()) return refuse(m_refusal);
  m_outcome.axes.clear();
  if (const auto refused = beginKeeping()) return *refused;
  m_began = steadySeconds();
  if (m_arguments.events) m_events.emplace();
  for (const Problem& warning : warnings)
    if (m_events) m_events->problem(warning);
  if (m_events) m_events->tune(m_outcome);
  {
    const InterruptWatch interrupts([this] { stop(); });
    std::optional<RequestReader> requests;
    if (m_events) requests.emplace(m_events->handlers([this] { stop(); }));
    search();
  }
  m_progress.clear();
  return finish();
}

std::optional<int> TuneJob::beginKeeping() {
  if (m_arguments.keep.noStore) return std::nullopt;
  for (auto& fact : FingerprintJob(m_prepared.plan.pipeline.source).take())
    m_facts.push_back(std::move(fact));
  bool taken = false;
  auto keeper = TuneKeeper::begin(m_arguments.keep.file(),
                                  {m_arguments.pipeline.pipeline, m_arguments.keep.labels, m_facts},
                                  documentOf(m_graph), taken);
  if (keeper)
    m_keeper = keeper.take();
  else if (taken)
    return refuse(keeper.error().message + "; another --experiment begins one");
  else
    fmt::print(stderr, "warning: this tuning is not kept: {}\n", validUtf8(keeper.error().message));
  if (m_keeper) m_outcome.experiment = m_keeper->experiment();
  return std::nullopt;
}

TrialDocument TuneJob::documentOf(const Graph& graph) const {
  TrialDocument document{graphText(graph, builtinCatalog()), {}};
  CheckOptions options;
  options.base = m_prepared.base;
  const CheckResult checked = checkGraph(graph, builtinCatalog(), options);
  if (!checked.pipeline) return document;
  for (const CheckedNode& node : checked.pipeline->nodes)
    for (const auto& [param, value] : node.values)
      document.settings.push_back({node.id, param, settingValueOf(value)});
  return document;
}

void TuneJob::stop() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  m_trial.stop();
  if (m_diagnosis != nullptr) m_diagnosis->stop();
}

bool TuneJob::stopped() const {
  const MutexLock lock(m_mutex);
  return m_stopped;
}

double TuneJob::secondsLeft() const {
  return std::max(0.0, m_meaning.budgetSeconds - (steadySeconds() - m_began));
}

void TuneJob::search() {
  std::optional<TunerTold> start = measureStart();
  if (start && start->kind == TunerTold::Kind::Measured) diagnose(*start);
  if (stopped() || !start) return;
  makeSpace();
  if (m_outcome.axes.empty())
    m_outcome.leftOut.emplace_back(
        "it has no workers and no prefetch node, and what training sees is not to change; put "
        "Workers in front of decoding and Prefetch behind Batch, or say --allow batching");
  if (m_events) m_events->space(m_outcome);
  TunerSettings settings;
  settings.budgetSeconds = m_meaning.budgetSeconds;
  settings.seed = m_prepared.graph.seed;
  settings.ceiling = ceilingOf();
  m_tuner = std::make_unique<Tuner>(tunerAxes(m_outcome.axes), settings);
  m_outcome.settings.front().point = m_tuner->point(0);
  m_tuner->propose();
  const double measured = start->seconds;
  m_tuner->tell(*start);
  m_tuner->spend(std::max(0.0, steadySeconds() - m_began - measured));
  giveExpectations();
  updateGains();
  loop();
}

std::optional<TunerTold> TuneJob::measureStart() { return measure(0); }

void TuneJob::loop() {
  while (const auto trial = m_tuner->propose()) {
    const double before = steadySeconds();
    std::optional<TunerTold> told = measure(settingOf(*trial));
    if (!told) return m_tuner->stop();
    // Writing into the store is of the budget too.
    told->seconds = steadySeconds() - before;
    const bool replaced = m_tuner->isReplaced(*told);
    m_tuner->tell(*told);
    updateGains();
    if (told->kind == TunerTold::Kind::Measured)
      tellEnded(trial->number, replaced ? "replaced" : "measured", "", m_lastRate);
  }
}

std::size_t TuneJob::settingOf(const TunerTrial& trial) {
  while (m_outcome.settings.size() <= trial.number) {
    const std::size_t number = m_outcome.settings.size();
    TunedSetting& setting = m_outcome.settings.emplace_back();
    setting.point = m_tuner->point(number);
    setting.settings = differing(m_outcome.axes, setting.point);
    setting.edits = editsAt(m_outcome.axes, setting.point);
    if (!m_keeper) continue;
    const Result<Graph> graph = graphAt(m_graph, builtinCatalog(), m_outcome.axes, setting.point);
    m_keeper->addTrial(settingsText(m_outcome.axes, setting.point),
                       documentOf(graph ? *graph : m_graph));
  }
  return trial.number;
}

/// The first error of a document, as far as can be told without the data.
std::string TuneJob::whyNot(const Graph& graph) const {
  CheckOptions options;
  options.base = m_prepared.base;
  options.noRandom = m_arguments.pipeline.noRandom;
  const CheckResult checked = checkGraph(graph, builtinCatalog(), options);
  for (const Problem& problem : checked.problems.all())
    if (problem.severity == Severity::Error) return problem.text();
  return {};
}

std::optional<TunerTold> TuneJob::measure(std::size_t number) {
  if (stopped()) return std::nullopt;
  TunedSetting& setting = m_outcome.settings[number];
  if (m_keeper) {
    m_keeper->beginTrial(number);
    setting.runId = m_keeper->runId(number);
  }
  m_progress.step({number, setting.repeats.size(), m_outcome.trials, 0, secondsLeft()});
  if (m_events) m_events->trialBegun(m_outcome, number, secondsLeft());
  ++m_outcome.trials;
  const Result<Graph> graph =
      setting.edits.empty() ? Result<Graph>(m_graph)
                            : graphAt(m_graph, builtinCatalog(), m_outcome.axes, setting.point);
  const std::string wrong = graph ? whyNot(*graph) : graph.error().message;
  if (!wrong.empty()) return keepFailed(number, wrong, TunerTold::Kind::Failed);
  const double before = steadySeconds();
  TrialOutcome trial = m_trial.run(*graph);
  const double seconds = steadySeconds() - before;
  if (trial.kind == TrialOutcome::Kind::Stopped) return std::nullopt;
  TunerTold told;
  const std::uint64_t most = m_meaning.rules.limits.memoryBytes;
  if (trial.kind == TrialOutcome::Kind::Failed) {
    told = keepFailed(
        number, trial.reason,
        m_trial.telling().overMemory ? TunerTold::Kind::OverLimit : TunerTold::Kind::Failed);
  } else if (most > 0 && trial.figures.peakRssBytes.value_or(0) > most) {
    told = keepFailed(number,
                      fmt::format("it took {} of memory (--memory)",
                                  humanBytes(static_cast<double>(*trial.figures.peakRssBytes))),
                      TunerTold::Kind::OverLimit);
  } else if (const auto score = scoreOf(m_meaning.goal, trial.figures, seconds)) {
    told = keepMeasured(number, std::move(trial.figures), *score);
  } else {
    told = keepFailed(
        number,
        fmt::format("{} could not be measured; a longer --seconds may", nameOf(m_meaning.goal)),
        TunerTold::Kind::Failed);
  }
  told.seconds = seconds;
  return told;
}

TunerTold TuneJob::keepFailed(std::size_t number, const std::string& reason, TunerTold::Kind kind) {
  TunedSetting& setting = m_outcome.settings[number];
  TunerTold told;
  told.kind = kind;
  const bool replaced = m_tuner && m_tuner->isReplaced(told);
  m_progress.clear();
  fmt::print(stderr, "{}",
             wrapped(fmt::format("{}: {}{}", setting.edits.empty() ? "as it is" : setting.settings,
                                 singleLine(reason), replaced ? "; it is measured again" : ""),
                     4));
  if (replaced) {
    dropRepeat(number);
    tellEnded(number, "replaced", reason, std::nullopt);
    return told;
  }
  setting.failure = singleLine(reason);
  setting.overLimit = kind == TunerTold::Kind::OverLimit;
  if (m_keeper) m_keeper->failTrial(number, reason, m_outcome.figuresOf(number));
  tellEnded(number, setting.overLimit ? "over_limit" : "failed", reason, std::nullopt);
  return told;
}

/// It comes again.
void TuneJob::dropRepeat(std::size_t number) {
  ++m_outcome.replaced;
  if (m_keeper) m_keeper->dropTrial(number);
}

TunerTold TuneJob::keepMeasured(std::size_t number, SpanFigures figures, double score) {
  TunedSetting& setting = m_outcome.settings[number];
  m_lastRate = figures.samplesPerSecond.mean;
  TunerTold told;
  told.score = score;
  told.disturbed = isDisturbed({figures});
  if (m_tuner && m_tuner->isReplaced(told)) {
    dropRepeat(number);
    return told;
  }
  setting.repeats.push_back(std::move(figures));
  setting.scores.push_back(score);
  if (m_keeper)
    m_keeper->keepTrial(number, setting.repeats.size() - 1, false, m_trial.telling(),
                        m_outcome.figuresOf(number));
  // The pipeline as it is comes before there is a tuner that could ask for it again.
  if (!m_tuner) {
    told.disturbed = false;
    tellEnded(number, "measured", "", m_lastRate);
  }
  return told;
}

void TuneJob::updateGains() {
  for (std::size_t s = 0; s < m_outcome.settings.size(); ++s)
    if (const auto gained = m_tuner->gainOf(s)) m_outcome.settings[s].gain = std::exp(*gained);
}

void TuneJob::tellEnded(std::size_t number, const std::string& state, const std::string& reason,
                        std::optional<double> rate) {
  if (!m_events) return;
  const std::optional<std::size_t> best = m_tuner ? m_tuner->best() : std::nullopt;
  m_events->trialEnded(m_outcome, number, {state, reason, rate, best});
}

}  // namespace millrace::cli
