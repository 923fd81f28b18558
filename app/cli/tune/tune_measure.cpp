// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The trials of a tuning: taken from a kept one, or measured.
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "app/cli/common/text_layout.h"
#include "app/cli/sweep/sweep_arguments.h"
#include "app/cli/tune/tune_job.h"
#include "core/base/text.h"
#include "core/graph/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/tune/block_measurement.h"

namespace millrace::cli {

namespace {

/// The differences from the unmodified pipeline: "workers.count=4 cache=behind:decode".
std::string differing(const std::vector<TuneAxis>& axes, const TunePoint& point) {
  std::vector<std::string> words;
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (point[a] != axes[a].start)
      words.push_back(axes[a].name + "=" + axes[a].levels[point[a]].text);
  return join(words, " ");
}

std::string wordsOf(const TunedSetting& setting) {
  return setting.edits.empty() ? "the unmodified pipeline" : setting.settings;
}

}  // namespace

std::optional<std::size_t> TuneJob::settingOf(const TunerTrial& trial) {
  while (m_outcome.settings.size() <= trial.number) {
    const std::size_t number = m_outcome.settings.size();
    TunedSetting& setting = m_outcome.settings.emplace_back();
    setting.point = m_tuner->point(number);
    setting.settings = differing(m_outcome.axes, setting.point);
    setting.edits = editsAt(m_outcome.axes, setting.point);
    if (!m_keeper) continue;
    const Result<Graph> graph = graphAt(m_graph, builtinCatalog(), m_outcome.axes, setting.point);
    const Status added = m_keeper->addTrial(settingsText(m_outcome.axes, setting.point),
                                            documentOf(graph ? *graph : m_graph));
    if (added) continue;
    m_outcome.missing = added.error().message;
    return std::nullopt;
  }
  return trial.number;
}

/// The first error of a document, as far as a check without the data can tell.
std::string TuneJob::whyNot(const Graph& graph) const {
  CheckOptions options;
  options.base = m_prepared.base;
  options.noRandom = m_arguments.pipeline.noRandom;
  const CheckResult checked = checkGraph(graph, builtinCatalog(), options);
  for (const Problem& problem : checked.problems.all())
    if (problem.severity == Severity::Error) return problem.text();
  return {};
}

std::optional<TunerObservation> TuneJob::measure(std::size_t number) {
  if (stopped()) return std::nullopt;
  const TunedSetting& setting = m_outcome.settings[number];
  const Result<Graph> graph =
      setting.edits.empty() ? Result<Graph>(m_graph)
                            : graphAt(m_graph, builtinCatalog(), m_outcome.axes, setting.point);
  if (graph && m_kept) {
    if (auto told = replayed(number, graphText(*graph, builtinCatalog()))) return told;
    if (!m_outcome.missing.empty()) return std::nullopt;
  }
  return measured(number, graph);
}

/// The next kept trial of that document that counts, or that was replaced and would be replaced
/// now.
std::optional<TunerObservation> TuneJob::replayed(std::size_t number, const std::string& document) {
  while (const KeptTrial* kept = m_replay.next(document)) {
    if (const std::string why = outOfReach(*kept); !why.empty()) {
      endReplay(number, why);
      return std::nullopt;
    }
    if (auto told = replay(number, *kept)) return told;
  }
  return std::nullopt;
}

std::string TuneJob::outOfReach(const KeptTrial& kept) const {
  if (kept.step.state == TuneStep::State::Measured && !kept.figures)
    return "the run with its figures was deleted";
  if (kept.step.state != TuneStep::State::OverLimit) return {};
  const std::uint64_t most = m_meaning.rules.limits.memoryBytes;
  const auto before = parseBytes(m_kept->log.request->memory);
  if (before && most > 0 && most <= *before) return {};
  return "it was stopped at an earlier --memory limit that is below the present one";
}

/// nullopt: the trial did not count then, but would count now.
std::optional<TunerObservation> TuneJob::replay(std::size_t number, const KeptTrial& kept) {
  Tried tried;
  tried.seconds = kept.step.seconds;
  TunerObservation told;
  if (kept.step.state == TuneStep::State::Replaced) {
    told.kind = kept.step.reason.empty() ? TunerObservation::Kind::Measured
                                         : TunerObservation::Kind::Failed;
    told.disturbed = kept.step.reason.empty();
    if (!m_tuner || !m_tuner->isReplaced(told)) return std::nullopt;
  }
  m_replaying = true;
  m_lastRate.reset();
  m_outcome.settings[number].runId = kept.runId;
  ++m_outcome.replayed;
  begin(number);
  switch (kept.step.state) {
    case TuneStep::State::Replaced:
      dropRepeat(number);
      if (told.kind == TunerObservation::Kind::Failed)
        tellEnded(number, "replaced", kept.step.reason, std::nullopt);
      break;
    case TuneStep::State::Measured:
      tried.outcome.figures = *kept.figures;
      told = judge(number, std::move(tried)).told;
      break;
    case TuneStep::State::Failed:
    case TuneStep::State::OverLimit:
      tried.outcome = {TrialOutcome::Kind::Failed, kept.step.reason, {}};
      tried.overMemory = kept.step.state == TuneStep::State::OverLimit;
      told = judge(number, std::move(tried)).told;
      break;
  }
  told.seconds = kept.step.spentSeconds;
  m_clock.replay(told.seconds);
  return told;
}

void TuneJob::endReplay(std::size_t number, const std::string& why) {
  const TunedSetting& setting = m_outcome.settings[number];
  m_outcome.missing = fmt::format("the kept measurements end at repeat {} of {}: {}",
                                  setting.repeats.size() + 1, singleLine(wordsOf(setting)), why);
}

std::optional<TunerObservation> TuneJob::measured(std::size_t number, const Result<Graph>& graph) {
  m_replaying = false;
  const std::string wrong = graph ? whyNot(*graph) : graph.error().message;
  if (wrong.empty() && replays()) {
    endReplay(number, "it was not measured, or its run was deleted");
    return std::nullopt;
  }
  // A replay does not use up time.
  if (!replays()) m_clock.start();
  const double before = m_clock.seconds();
  begin(number);
  Tried tried;
  if (wrong.empty()) {
    tried.outcome = m_trial.run(*graph);
    tried.overMemory = m_trial.telling().overMemory;
    tried.seconds = m_clock.seconds() - before;
  } else {
    tried.outcome = {TrialOutcome::Kind::Failed, wrong, {}};
  }
  if (tried.outcome.kind == TrialOutcome::Kind::Stopped) return std::nullopt;
  TuneStep step;
  step.trial = number;
  step.seconds = tried.seconds;
  Judged judged = judge(number, std::move(tried));
  // Writing to the store counts towards the budget, too.
  judged.told.seconds = m_clock.seconds() - before;
  step.state = judged.state;
  step.reason = judged.reason;
  step.spentSeconds = judged.told.seconds;
  if (m_keeper) m_keeper->addLine(lineOf(step));
  return judged.told;
}

void TuneJob::begin(std::size_t number) {
  TunedSetting& setting = m_outcome.settings[number];
  if (keeper() != nullptr) {
    m_keeper->beginTrial(number);
    setting.runId = m_keeper->runId(number);
  }
  if (!m_replaying)
    m_progress.step({number, setting.repeats.size(), m_outcome.trials, 0, secondsLeft()});
  if (m_events) m_events->trialBegun(m_outcome, number, secondsLeft(), m_replaying);
  ++m_outcome.trials;
}

TuneJob::Judged TuneJob::judge(std::size_t number, Tried tried) {
  const std::uint64_t most = m_meaning.rules.limits.memoryBytes;
  const SpanFigures& figures = tried.outcome.figures;
  if (tried.outcome.kind == TrialOutcome::Kind::Failed)
    return keepFailed(
        number, tried.outcome.reason,
        tried.overMemory ? TunerObservation::Kind::OverLimit : TunerObservation::Kind::Failed);
  if (most > 0 && figures.peakRssBytes.value_or(0) > most)
    return keepFailed(number,
                      fmt::format("it used {} of memory (--memory)",
                                  humanBytes(static_cast<double>(*figures.peakRssBytes))),
                      TunerObservation::Kind::OverLimit);
  // Measured trials are restricted to the cores; kept ones had all cores of that time.
  if (m_coreLimit && coresOf(figures).value_or(0) > *m_coreLimit)
    return keepFailed(number, fmt::format("it kept {:.1f} cores busy (--cores)", *coresOf(figures)),
                      TunerObservation::Kind::OverLimit);
  if (const auto score = scoreOf(m_meaning.goal, figures, tried.seconds))
    return keepMeasured(number, std::move(tried.outcome.figures), *score);
  return keepFailed(
      number,
      fmt::format("{} could not be measured; try a longer --seconds", nameOf(m_meaning.goal)),
      TunerObservation::Kind::Failed);
}

TuneJob::Judged TuneJob::keepFailed(std::size_t number, const std::string& reason,
                                    TunerObservation::Kind kind) {
  TunedSetting& setting = m_outcome.settings[number];
  Judged judged;
  judged.told.kind = kind;
  judged.reason = reason;
  const bool replaced = m_tuner && m_tuner->isReplaced(judged.told);
  m_progress.clear();
  if (!m_replaying)
    fmt::print(
        stderr, "{}",
        wrapped(fmt::format("{}: {}{}", setting.edits.empty() ? "unmodified" : setting.settings,
                            singleLine(reason), replaced ? "; it will be measured again" : ""),
                4));
  if (replaced) {
    judged.state = TuneStep::State::Replaced;
    dropRepeat(number);
    tellEnded(number, "replaced", reason, std::nullopt);
    return judged;
  }
  setting.failure = singleLine(reason);
  setting.overLimit = kind == TunerObservation::Kind::OverLimit;
  judged.state = setting.overLimit ? TuneStep::State::OverLimit : TuneStep::State::Failed;
  if (keeper() != nullptr) m_keeper->failTrial(number, reason, m_outcome.figuresOf(number));
  tellEnded(number, setting.overLimit ? "over_limit" : "failed", reason, std::nullopt);
  return judged;
}

/// The repeat will come again.
void TuneJob::dropRepeat(std::size_t number) {
  ++m_outcome.replaced;
  if (keeper() != nullptr) m_keeper->dropTrial(number);
}

TuneJob::Judged TuneJob::keepMeasured(std::size_t number, SpanFigures figures, double score) {
  TunedSetting& setting = m_outcome.settings[number];
  m_lastRate = figures.samplesPerSecond.mean;
  Judged judged;
  judged.told.score = score;
  judged.told.disturbed = isDisturbed({figures});
  if (m_tuner && m_tuner->isReplaced(judged.told)) {
    judged.state = TuneStep::State::Replaced;
    dropRepeat(number);
    return judged;
  }
  setting.repeats.push_back(std::move(figures));
  setting.scores.push_back(score);
  if (keeper() != nullptr)
    m_keeper->keepTrial(number, setting.repeats.size() - 1, false, m_trial.telling(),
                        m_outcome.figuresOf(number));
  // The unmodified pipeline is measured before there is a tuner that could request it again.
  if (!m_tuner) {
    judged.told.disturbed = false;
    tellEnded(number, "measured", "", m_lastRate);
  }
  return judged;
}

void TuneJob::updateGains() {
  for (std::size_t s = 0; s < m_outcome.settings.size(); ++s)
    if (const auto gained = m_tuner->gainOf(s)) m_outcome.settings[s].gain = std::exp(*gained);
}

void TuneJob::tellEnded(std::size_t number, const std::string& state, const std::string& reason,
                        std::optional<double> rate) {
  if (!m_events) return;
  const std::optional<std::size_t> best = m_tuner ? m_tuner->best() : std::nullopt;
  m_events->trialEnded(m_outcome, number, {state, reason, rate, best, m_replaying});
}

}  // namespace millrace::cli
