// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/sweep/sweep_keeper.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/graph/json/graph_json.h"
#include "core/jobs/search/stopped_search.h"
#include "core/jobs/sweep/sweep_facts.h"
#include "core/nodes/builtin.h"
#include "core/store/search_notes.h"

namespace millrace {

namespace {

void addSweepFacts(Facts& facts, const SweepSubject& subject) {
  for (auto& fact : sweepFacts(*subject.plan, subject.blocks)) facts.push_back(std::move(fact));
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

/// Compares what must be unchanged; otherwise the trials before and after the stop belong to two
/// sweeps.
Status stillTheSame(const Facts& before, const SweepSubject& subject) {
  Facts now = subject.search.facts;
  addSweepFacts(now, subject);
  MILLRACE_TRY(sameConditions(before, now, "sweep", kSweepFacts));
  return sameConditions(before, now, "sweep", searchConditions());
}

Result<PointState> pointOf(RunStore& store, const SweepSubject& subject, const TrialRecord& trial) {
  PointState state;
  if (trial.state == TrialState::Failed) state.failure = trial.reason;
  if (!trial.run) return state;
  MILLRACE_ASSIGN_OR_RETURN(const auto details, store.show(*trial.run));
  MILLRACE_ASSIGN_OR_RETURN(const auto json, store.pipelineJson(*trial.run));
  const Result<Graph> graph = graphOf(subject, static_cast<std::size_t>(trial.position));
  if (!graph) return graph.error();
  if (json != graphText(*graph, builtinCatalog())) return changedPipeline("sweep");
  MILLRACE_TRY(stillTheSame(details.environment, subject));
  MILLRACE_TRY(notWrittenNow(details, "sweep"));
  state.repeats = wholeRepeats(details);
  if (details.summary.state == RunState::Failed) state.failure = details.summary.reason;
  return state;
}

}  // namespace

Result<StoppedSweep> stoppedSweep(const std::filesystem::path& file, const SweepSubject& subject,
                                  const std::string& experiment) {
  const Error none{fmt::format(
      "there is no stopped sweep of these settings{} in {}; begin a new one",
      experiment.empty() ? "" : " in experiment \"" + experiment + "\"", file.string())};
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return none;
  MILLRACE_ASSIGN_OR_RETURN(auto store, RunStore::open(file));
  MILLRACE_ASSIGN_OR_RETURN(const auto searches, store.searches());
  for (const SearchSummary& search : searches) {
    if (!experiment.empty() && search.experiment != experiment) continue;
    if (!samePoints(*subject.plan, search) || isComplete(search)) continue;
    StoppedSweep stopped{search, {}};
    for (const TrialRecord& trial : search.trials) {
      MILLRACE_ASSIGN_OR_RETURN(auto point, pointOf(store, subject, trial));
      stopped.points.push_back(std::move(point));
    }
    return stopped;
  }
  return none;
}

Result<std::unique_ptr<SweepKeeper>> SweepKeeper::begin(const std::filesystem::path& file,
                                                        const SweepSubject& subject,
                                                        bool& experimentTaken) {
  MILLRACE_ASSIGN_OR_RETURN(auto store, RunStore::open(file));
  SweepSubject own = subject;
  if (own.search.labels.experiment.empty()) {
    const Result<std::string> free = freeExperiment(store, "sweep", subject.search.pipeline);
    if (!free) return free.error();
    own.search.labels.experiment = *free;
  } else {
    MILLRACE_ASSIGN_OR_RETURN(const auto searches, store.searches());
    experimentTaken =
        std::ranges::count(searches, own.search.labels.experiment, &SearchSummary::experiment);
  }
  addSweepFacts(own.search.facts, subject);
  std::unique_ptr<SweepKeeper> keeper(new SweepKeeper(file, std::move(store), own));
  for (std::size_t p = 0; p < subject.plan->points.size(); ++p) {
    TrialRecord trial;
    trial.position = static_cast<std::int64_t>(p);
    trial.settings = subject.plan->settings(p);
    keeper->add(std::move(trial), false);
  }
  MILLRACE_TRY(keeper->store().beginTrials(keeper->experiment(), keeper->trials()));
  if (subject.request.empty()) return keeper;
  MILLRACE_ASSIGN_OR_RETURN(auto notes, SearchNotes::open(file));
  MILLRACE_TRY(notes.addStep(keeper->experiment(), subject.request));
  return keeper;
}

Result<std::unique_ptr<SweepKeeper>> SweepKeeper::goOn(const std::filesystem::path& file,
                                                       const SweepSubject& subject,
                                                       const StoppedSweep& stopped) {
  MILLRACE_ASSIGN_OR_RETURN(auto store, RunStore::open(file));
  SweepSubject own = subject;
  own.search.labels.experiment = stopped.search.experiment;
  addSweepFacts(own.search.facts, subject);
  std::unique_ptr<SweepKeeper> keeper(new SweepKeeper(file, std::move(store), own));
  for (const TrialRecord& trial : stopped.search.trials) keeper->add(trial, false);
  for (std::size_t p = 0; p < keeper->trials().size(); ++p)
    MILLRACE_TRY(keeper->takeUp(p, stopped.points[p]));
  return keeper;
}

Status SweepKeeper::takeUp(std::size_t point, const PointState& state) {
  const TrialRecord& trial = trials()[point];
  if (!trial.run || trial.state == TrialState::Finished || trial.state == TrialState::Failed)
    return {};
  const bool whole = state.repeats.size() >= m_subject.blocks;
  Status resumed = store().resumeRun(*trial.run, static_cast<std::int64_t>(state.repeats.size()));
  // It may have been stopped between the end of its run and the note that the run ended.
  if (!resumed && !whole && !state.failed()) return resumed;
  setOpen(point, resumed.ok());
  if (state.failed()) {
    failTrial(point, state.failure, combineRepeats(state.repeats));
  } else if (whole) {
    endTrial(point, combineRepeats(state.repeats));
  }
  return {};
}

Result<TrialDocument> SweepKeeper::documentOf(std::size_t point) const {
  const Result<Graph> graph = graphOf(m_subject, point);
  if (!graph) return graph.error();
  const SweepPlan& plan = *m_subject.plan;
  TrialDocument document{graphText(*graph, builtinCatalog()), m_subject.settings};
  for (std::size_t a = 0; a < plan.axes.size(); ++a)
    for (SettingRecord& setting : document.settings)
      if (setting.node == plan.axes[a].node && setting.param == plan.axes[a].param)
        setting.value = settingValueOf(plan.points[point].values[a]);
  return document;
}

}  // namespace millrace
