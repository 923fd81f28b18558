// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/tune/tune_trials.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/graph/json/graph_json.h"
#include "core/jobs/common/amount.h"
#include "core/jobs/common/setting_check.h"
#include "core/nodes/builtin.h"

namespace millrace {

TuneTrials::TuneTrials(const TuneTask& task, GraphTrial& trial, TuneBook& book, TuneClock& clock,
                       TuneOutcome& outcome)
    : m_task(task), m_trial(trial), m_book(book), m_clock(clock), m_outcome(outcome) {
  if (task.settings.kept) m_replay = TuneReplay(task.settings.kept->trials);
}

void TuneTrials::stop() {
  m_stopped = true;
  m_trial.stop();
}

std::optional<std::size_t> TuneTrials::settingOf(const TunerTrial& trial) {
  while (m_outcome.settings.size() <= trial.number) {
    TunedSetting& setting = m_outcome.settings.emplace_back();
    setting.point = m_book.tuner()->point(m_outcome.settings.size() - 1);
    setting.settings = settingsText(m_outcome.axes, setting.point);
    setting.edits = editsAt(m_outcome.axes, setting.point);
    if (m_book.keeper() == nullptr) continue;
    const Result<Graph> graph =
        graphAt(m_task.graph, builtinCatalog(), m_outcome.axes, setting.point);
    const Status added = m_book.keeper()->addTrial(
        {setting.settings, allSettingsText(m_outcome.axes, setting.point)},
        documentOf(m_task, graph ? *graph : m_task.graph));
    if (added) continue;
    m_outcome.missing = added.error().message;
    return std::nullopt;
  }
  return trial.number;
}

/// The first error of a document.
std::string TuneTrials::whyNot(const Graph& graph) const {
  CheckOptions options;
  options.base = m_task.prepared.base;
  options.noRandom = m_task.settings.request.noRandom;
  const CheckResult checked = checkSetting(graph, options);
  for (const Problem& problem : checked.problems.all())
    if (problem.severity == Severity::Error) return problem.text();
  return {};
}

std::optional<TunerObservation> TuneTrials::measure(std::size_t number) {
  if (m_stopped) return std::nullopt;
  const TunedSetting& setting = m_outcome.settings[number];
  const Result<Graph> graph = graphOf(m_task, m_outcome.axes, setting.edits, setting.point);
  if (graph && m_task.settings.kept) {
    if (auto told = replayed(number, graphText(*graph, builtinCatalog()))) return told;
    if (!m_outcome.missing.empty()) return std::nullopt;
  }
  return measured(number, graph);
}

/// The next kept trial of that document that counts, or that was replaced and would be replaced
/// now.
std::optional<TunerObservation> TuneTrials::replayed(std::size_t number,
                                                     const std::string& document) {
  while (const KeptTrial* kept = m_replay.next(document)) {
    if (const std::string why = outOfReach(*kept); !why.empty()) {
      endReplay(number, why);
      return std::nullopt;
    }
    if (auto told = replay(number, *kept)) return told;
  }
  return std::nullopt;
}

/// Why a kept trial cannot answer the present request; empty if it can.
std::string TuneTrials::outOfReach(const KeptTrial& kept) const {
  if (kept.step.state == TuneStep::State::Measured && !kept.figures)
    return "the run with its figures was deleted";
  if (kept.step.state != TuneStep::State::OverLimit) return {};
  const std::uint64_t most = m_task.meaning().rules.limits.memoryBytes;
  const auto before = parseBytes(m_task.settings.kept->log.request->memory);
  if (before && most > 0 && most <= *before) return {};
  return "it was stopped at an earlier memory limit, which is below the present one";
}

/// nullopt: the trial did not count then, but would count now.
std::optional<TunerObservation> TuneTrials::replay(std::size_t number, const KeptTrial& kept) {
  TunerObservation told;
  if (kept.step.state == TuneStep::State::Replaced) {
    told.kind = kept.step.reason.empty() ? TunerObservation::Kind::Measured
                                         : TunerObservation::Kind::Failed;
    told.disturbed = kept.step.reason.empty();
    if (m_book.tuner() == nullptr || !m_book.tuner()->isReplaced(told)) return std::nullopt;
  }
  ++m_outcome.replayed;
  m_book.begin(number, true, kept.runId);
  if (kept.step.state == TuneStep::State::Replaced) {
    m_book.replace(number, kept.step.reason);
  } else {
    TriedSetting tried;
    tried.seconds = kept.step.seconds;
    tried.overMemory = kept.step.state == TuneStep::State::OverLimit;
    if (kept.step.state == TuneStep::State::Measured)
      tried.outcome.figures = *kept.figures;
    else
      tried.outcome = {TrialOutcome::Kind::Failed, kept.step.reason, {}};
    told = m_book.judge(number, std::move(tried), {}).told;
  }
  told.seconds = kept.step.spentSeconds;
  m_clock.replay(told.seconds);
  return told;
}

/// Records why a replay ends here.
void TuneTrials::endReplay(std::size_t number, const std::string& why) {
  const TunedSetting& setting = m_outcome.settings[number];
  const std::string& what = setting.edits.empty() ? "the unmodified pipeline" : setting.settings;
  m_outcome.missing = fmt::format("the kept measurements end at repeat {} of {}: {}",
                                  setting.repeats.size() + 1, singleLine(what), why);
}

/// nullopt: it was stopped. `begun`: the clock when the trial began.
std::optional<TriedSetting> TuneTrials::tryOut(const Result<Graph>& graph, const std::string& wrong,
                                               double begun) {
  TriedSetting tried;
  if (!wrong.empty()) {
    tried.outcome = {TrialOutcome::Kind::Failed, wrong, {}};
    return tried;
  }
  tried.outcome = m_trial.run(*graph);
  tried.overMemory = m_trial.report().overMemory;
  tried.seconds = m_clock.seconds() - begun;
  if (tried.outcome.kind == TrialOutcome::Kind::Stopped) return std::nullopt;
  return tried;
}

std::optional<TunerObservation> TuneTrials::measured(std::size_t number,
                                                     const Result<Graph>& graph) {
  const std::string wrong = graph ? whyNot(*graph) : graph.error().message;
  if (wrong.empty() && m_task.replays()) {
    endReplay(number, "it was not measured, or its run was deleted");
    return std::nullopt;
  }
  // A replay does not use up time.
  if (!m_task.replays()) m_clock.start();
  const double begun = m_clock.seconds();
  m_book.begin(number, false);
  std::optional<TriedSetting> tried = tryOut(graph, wrong, begun);
  if (!tried) {
    --m_outcome.trials;
    return std::nullopt;
  }
  TuneStep step;
  step.trial = number;
  step.seconds = tried->seconds;
  JudgedTrial judged = m_book.judge(number, std::move(*tried), m_trial.report());
  // Writing to the store counts towards the budget, too.
  judged.told.seconds = m_clock.seconds() - begun;
  step.state = judged.state;
  step.reason = judged.reason;
  step.spentSeconds = judged.told.seconds;
  if (m_book.keeper() != nullptr) m_book.keeper()->addLine(lineOf(step));
  return judged.told;
}

}  // namespace millrace
