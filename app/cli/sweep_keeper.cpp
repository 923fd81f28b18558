// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep_keeper.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include <fmt/format.h>

#include "app/cli/recorded_run.h"
#include "app/cli/version.h"
#include "core/base/text.h"
#include "core/graph/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/run/store_figures.h"

namespace millrace::cli {

namespace {

constexpr const char* kSweepFact = "sweep";

/// How it was planned: what must be as it was for a sweep to go on.
std::string planFact(const SweepSubject& subject) {
  return fmt::format("{}, {} repeats, seed {}", textOf(subject.plan->design), subject.blocks,
                     subject.plan->seed);
}

Result<Graph> graphOf(const SweepSubject& subject, std::size_t point) {
  return withSettings(*subject.graph, builtinCatalog(), subject.plan->axes,
                      subject.plan->points[point].values);
}

bool samePoints(const SweepPlan& plan, const SearchSummary& search) {
  if (search.trials.size() != plan.points.size()) return false;
  for (std::size_t p = 0; p < plan.points.size(); ++p)
    if (search.trials[p].settings != plan.settings(p)) return false;
  return true;
}

bool isWhole(const SearchSummary& search) {
  return std::ranges::all_of(search.trials, [](const TrialRecord& trial) {
    return trial.state == TrialState::Finished || trial.state == TrialState::Failed;
  });
}

std::string factOf(const Facts& facts, const std::string& key) {
  for (const auto& [name, value] : facts)
    if (name == key) return value;
  return {};
}

/// What must be as it was, or the trials before and after the stop are of two sweeps.
Status stillTheSame(const Facts& before, const SweepSubject& subject) {
  Facts now = subject.facts;
  now.emplace_back(kSweepFact, planFact(subject));
  for (const char* key : {kSweepFact, "measured_span", "warmup_seconds", "draws", "fusing",
                          "cpu_model", "cores_usable", "engine_version"}) {
    const std::string was = factOf(before, key);
    const std::string is = factOf(now, key);
    if (!was.empty() && !is.empty() && was != is)
      return Error{
          fmt::format("the stopped sweep cannot go on: {} was \"{}\" and is \"{}\" now; "
                      "leave --resume out to begin anew",
                      key, was, is)};
  }
  return {};
}

/// Its first whole repeats.
std::vector<SpanFigures> repeatsOf(const RunDetails& details) {
  std::size_t whole = 0;
  for (const RepeatRecord& repeat : details.repeats)
    if (repeat.finished && repeat.index == static_cast<std::int64_t>(whole)) ++whole;
  std::vector<SpanFigures> repeats = recordedResult(details).repeats;
  repeats.resize(std::min(whole, repeats.size()));
  // The store keeps no figures of stages.
  for (SpanFigures& repeat : repeats) repeat.stages.clear();
  return repeats;
}

Result<PointState> pointOf(RunStore& store, const SweepSubject& subject, const TrialRecord& trial) {
  PointState state;
  if (trial.state == TrialState::Failed) state.failure = trial.reason;
  if (!trial.run) return state;
  const auto details = store.show(*trial.run);
  if (!details) return details.error();
  const auto json = store.pipelineJson(*trial.run);
  if (!json) return json.error();
  const Result<Graph> graph = graphOf(subject, static_cast<std::size_t>(trial.position));
  if (!graph) return graph.error();
  if (*json != graphText(*graph, builtinCatalog()))
    return Error{
        "the stopped sweep cannot go on: the pipeline was changed; leave --resume out to "
        "begin anew"};
  MILLRACE_TRY(stillTheSame(details->environment, subject));
  if (details->summary.state == RunState::Running)
    return Error{fmt::format("the sweep \"{}\" is still going on: run {} is being written",
                             details->summary.experiment, static_cast<std::int64_t>(*trial.run))};
  state.repeats = repeatsOf(*details);
  if (details->summary.state == RunState::Failed) state.failure = details->summary.reason;
  return state;
}

/// "sweep of classification", or with a number behind it where that is taken.
Result<std::string> freeExperiment(RunStore& store, const std::string& pipeline) {
  const auto searches = store.searches();
  if (!searches) return searches.error();
  std::set<std::string> taken;
  for (const SearchSummary& search : *searches) taken.insert(search.experiment);
  std::string stem = std::filesystem::path(pipeline).filename().string();
  stem = stem.substr(0, stem.find('.'));
  const std::string name = "sweep of " + validUtf8(stem.empty() ? pipeline : stem);
  std::string free = name;
  for (int i = 2; taken.contains(free); ++i) free = fmt::format("{} {}", name, i);
  return free;
}

}  // namespace

Result<StoppedSweep> stoppedSweep(const std::filesystem::path& file, const SweepSubject& subject,
                                  const std::string& experiment) {
  const Error none{fmt::format(
      "no stopped sweep of these settings{} in {}; leave --resume out to "
      "begin one",
      experiment.empty() ? "" : " in experiment \"" + experiment + "\"", file.string())};
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return none;
  auto store = RunStore::open(file);
  if (!store) return store.error();
  const auto searches = store->searches();
  if (!searches) return searches.error();
  for (const SearchSummary& search : *searches) {
    if (!experiment.empty() && search.experiment != experiment) continue;
    if (!samePoints(*subject.plan, search) || isWhole(search)) continue;
    StoppedSweep stopped{search, {}};
    for (const TrialRecord& trial : search.trials) {
      auto point = pointOf(*store, subject, trial);
      if (!point) return point.error();
      stopped.points.push_back(point.take());
    }
    return stopped;
  }
  return none;
}

Result<std::unique_ptr<SweepKeeper>> SweepKeeper::begin(const std::filesystem::path& file,
                                                        const SweepSubject& subject,
                                                        bool& experimentTaken) {
  auto store = RunStore::open(file);
  if (!store) return store.error();
  SweepSubject own = subject;
  if (own.labels.experiment.empty()) {
    const Result<std::string> free = freeExperiment(*store, subject.pipeline);
    if (!free) return free.error();
    own.labels.experiment = *free;
  } else {
    const auto searches = store->searches();
    if (!searches) return searches.error();
    experimentTaken =
        std::ranges::count(*searches, own.labels.experiment, &SearchSummary::experiment);
  }
  own.facts.emplace_back(kSweepFact, planFact(subject));
  std::unique_ptr<SweepKeeper> keeper(new SweepKeeper(file, store.take(), std::move(own)));
  for (std::size_t p = 0; p < subject.plan->points.size(); ++p) {
    TrialRecord& trial = keeper->m_trials.emplace_back();
    trial.position = static_cast<std::int64_t>(p);
    trial.settings = subject.plan->settings(p);
  }
  keeper->m_open.resize(keeper->m_trials.size(), false);
  MILLRACE_TRY(keeper->m_store.beginTrials(keeper->experiment(), keeper->m_trials));
  return keeper;
}

Result<std::unique_ptr<SweepKeeper>> SweepKeeper::goOn(const std::filesystem::path& file,
                                                       const SweepSubject& subject,
                                                       const StoppedSweep& stopped) {
  auto store = RunStore::open(file);
  if (!store) return store.error();
  SweepSubject own = subject;
  own.labels.experiment = stopped.search.experiment;
  own.facts.emplace_back(kSweepFact, planFact(subject));
  std::unique_ptr<SweepKeeper> keeper(new SweepKeeper(file, store.take(), std::move(own)));
  keeper->m_trials = stopped.search.trials;
  keeper->m_open.resize(keeper->m_trials.size(), false);
  for (std::size_t p = 0; p < keeper->m_trials.size(); ++p)
    MILLRACE_TRY(keeper->takeUp(p, stopped.points[p]));
  return keeper;
}

Status SweepKeeper::takeUp(std::size_t point, const PointState& state) {
  TrialRecord& trial = m_trials[point];
  if (!trial.run || trial.state == TrialState::Finished || trial.state == TrialState::Failed)
    return {};
  const bool whole = state.repeats.size() >= m_subject.blocks;
  Status resumed = m_store.resumeRun(*trial.run, static_cast<std::int64_t>(state.repeats.size()));
  // It may have ended between the end of its run and the word that it did.
  if (!resumed && !whole && !state.failed()) return resumed;
  m_open[point] = resumed.ok();
  if (state.failed()) {
    failTrial(point, state.failure, combineRepeats(state.repeats));
  } else if (whole) {
    endTrial(point, combineRepeats(state.repeats));
  }
  return {};
}

std::string SweepKeeper::runId(std::size_t point) const {
  const auto& run = m_trials[point].run;
  return run ? std::to_string(static_cast<std::int64_t>(*run)) : std::string();
}

void SweepKeeper::say(const Status& kept) {
  if (kept.ok() || m_complained) return;
  m_complained = true;
  fmt::print(stderr, "warning: not everything of this sweep is kept: {}\n",
             validUtf8(kept.error().message));
}

Status SweepKeeper::beginRun(std::size_t point) {
  const SweepPlan& plan = *m_subject.plan;
  const Result<Graph> graph = graphOf(m_subject, point);
  if (!graph) return graph.error();
  NewRun run;
  run.experiment = m_subject.labels.experiment;
  run.name = m_subject.labels.name;
  run.tags = m_subject.labels.tags;
  run.pipelineName = validUtf8(m_subject.pipeline);
  run.pipelineJson = graphText(*graph, builtinCatalog());
  run.engineVersion = kVersion;
  run.environment = m_subject.facts;
  run.settings = m_subject.settings;
  for (std::size_t a = 0; a < plan.axes.size(); ++a)
    for (SettingRecord& setting : run.settings)
      if (setting.node == plan.axes[a].node && setting.param == plan.axes[a].param)
        setting.value = settingValueOf(plan.points[point].values[a]);
  const auto number = m_store.beginRun(run);
  if (!number) return number.error();
  m_trials[point].run = *number;
  m_open[point] = true;
  return {};
}

Status SweepKeeper::finishRun(std::size_t point, RunState state, const std::string& reason,
                              const SpanFigures& figures) {
  if (!m_trials[point].run || !m_open[point]) return {};
  m_open[point] = false;
  return m_store.finishRun(*m_trials[point].run, state, validUtf8(reason), figureRecords(figures));
}

void SweepKeeper::beginTrial(std::size_t point) {
  TrialRecord& trial = m_trials[point];
  if (!m_open[point]) say(beginRun(point));
  trial.state = TrialState::Running;
  say(m_store.setTrial(experiment(), trial));
}

void SweepKeeper::keepTrial(std::size_t point, std::size_t block, const TrialTelling& telling,
                            const SpanFigures& figures) {
  TrialRecord& trial = m_trials[point];
  if (!trial.run) return;
  auto recorder = StoreRecorder::goOn(m_file, *trial.run, telling.queues);
  if (!recorder) return say(recorder.error());
  {
    // Its end waits until everything is in the file.
    const std::unique_ptr<StoreRecorder> writer = recorder.take();
    RunPhase phase;
    phase.repeat = block;
    writer->onPhase(phase);
    for (const RunSnapshot& snapshot : telling.snapshots) writer->onSnapshot(snapshot);
    for (const RateWindow& window : telling.windows) writer->onWindow(block, window);
    writer->onFailures(telling.result->failures, telling.result->figures.failedSamples);
    writer->addEnvironment(telling.result->environment);
    writer->onRepeat(block, telling.result->repeats.front());
  }
  trial.value = figures.samplesPerSecond.mean;
  if (block + 1 == m_subject.blocks)
    endTrial(point, figures);
  else
    dropTrial(point);
}

void SweepKeeper::endTrial(std::size_t point, const SpanFigures& figures) {
  m_trials[point].state = TrialState::Finished;
  m_trials[point].value = figures.samplesPerSecond.mean;
  say(finishRun(point, RunState::Finished, "", figures));
  say(m_store.setTrial(experiment(), m_trials[point]));
}

void SweepKeeper::dropTrial(std::size_t point) {
  m_trials[point].state = TrialState::Waiting;
  say(m_store.setTrial(experiment(), m_trials[point]));
}

void SweepKeeper::failTrial(std::size_t point, const std::string& reason,
                            const SpanFigures& figures) {
  TrialRecord& trial = m_trials[point];
  trial.state = TrialState::Failed;
  trial.reason = validUtf8(reason);
  say(finishRun(point, RunState::Failed, reason, figures));
  say(m_store.setTrial(experiment(), trial));
}

void SweepKeeper::finish(const std::vector<SpanFigures>& figures) {
  for (std::size_t p = 0; p < m_trials.size(); ++p) {
    if (m_trials[p].state == TrialState::Running) dropTrial(p);
    say(finishRun(p, RunState::Interrupted, "stopped", figures[p]));
  }
}

}  // namespace millrace::cli
