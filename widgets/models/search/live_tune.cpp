// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/search/live_tune.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/events/search/tune_json.h"
#include "core/metrics/metric_text.h"
#include "core/tune/tuner/tuner.h"
#include "widgets/common/strings.h"
#include "widgets/models/live/diagnosis_report.h"
#include "widgets/models/live/wait_text.h"
#include "widgets/models/live/window_words.h"

namespace millrace {

namespace {

// Bound for the output of a foreign program.
constexpr std::size_t kMostTrials = 100000;
constexpr std::size_t kMostAhead = 1000;

TunedTrial::State stateOf(TunedSetting::State state) {
  switch (state) {
    case TunedSetting::State::Measured: return TunedTrial::State::Measured;
    case TunedSetting::State::Failed: return TunedTrial::State::Failed;
    case TunedSetting::State::OverLimit: return TunedTrial::State::OverLimit;
    case TunedSetting::State::Waiting: break;
  }
  return TunedTrial::State::Waiting;
}

TunedTrial::State stateOf(std::optional<TrialEndedEvent::State> state) {
  if (state == TrialEndedEvent::State::Measured) return TunedTrial::State::Measured;
  if (state == TrialEndedEvent::State::Failed) return TunedTrial::State::Failed;
  return state == TrialEndedEvent::State::OverLimit ? TunedTrial::State::OverLimit
                                                    : TunedTrial::State::Waiting;
}

/// "after:decode" is a place of a cache: "after Decode image".
QString levelText(const QString& level, const SettingNames& names) {
  const QString place = "after:";
  return level.startsWith(place) ? "after " + names.of(fromQt(level.mid(place.size()))) : level;
}

std::optional<double> asReal(std::optional<std::uint64_t> number) {
  return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

}  // namespace

QString TunedTrial::settings(const SettingNames& names) const {
  if (!known) return "not started";
  QStringList words;
  for (const Advice& edit : edits)
    words << (edit.edit == Advice::Edit::Parameter
                  ? names.of(edit.node + "." + edit.param) + ' ' + toQt(edit.to)
                  : "Memory cache after " + names.of(edit.node));
  return words.isEmpty() ? QString("unmodified") : words.join(", ");
}

void LiveTune::begin(const QString& title, double budgetSeconds, const SettingNames& names) {
  *this = LiveTune();
  m_title = title;
  m_names = names;
  m_budget = budgetSeconds;
  m_state = State::Preparing;
}

void LiveTune::take(const StreamEvent& event) {
  if (const auto* tune = std::get_if<TuneEvent>(&event.content)) {
    m_experiment = toQt(tune->experiment);
    if (const auto goal = parseGoal(tune->goal)) m_goal = *goal;
    m_budget = tune->budgetSeconds.value_or(m_budget);
    m_state = State::Going;
  }
  if (const auto* progress = std::get_if<ProgressEvent>(&event.content))
    m_what = toQt(progress->what);
  if (const auto* waiting = std::get_if<WaitingEvent>(&event.content))
    m_wait = waitText(waiting->phase.secondsLeft);
  if (const auto* space = std::get_if<TuneSpaceEvent>(&event.content)) takeSpace(*space);
  if (const auto* begun = std::get_if<TrialBegunEvent>(&event.content)) takeBegun(*begun);
  if (const auto* ended = std::get_if<TrialEndedEvent>(&event.content)) takeEnded(*ended);
  if (const auto* result = std::get_if<ResultEvent>(&event.content))
    takeResult(readTuneResult(result->json));
}

void LiveTune::takeSpace(const TuneSpaceEvent& event) {
  m_what.clear();
  m_limit = event.limit ? windowWords(limitHeadline(*event.limit), {}) : QString();
  m_axes.clear();
  for (const TuneAxisRecord& axis : event.axes) {
    QStringList levels;
    for (const std::string& level : axis.levels) levels << levelText(toQt(level), m_names);
    m_axes << (axis.name == "cache" ? "Memory cache" : m_names.of(axis.name)) + ": " +
                  levels.join(", ");
  }
}

std::optional<std::size_t> LiveTune::trialOf(std::optional<std::uint64_t> number) const {
  if (!number || *number >= m_trials.size()) return std::nullopt;
  return static_cast<std::size_t>(*number);
}

/// Trials are numbered in order of proposal, but measured in random order within each block: a
/// later one may begin first.
void LiveTune::makeRoomFor(std::uint64_t number) {
  const std::size_t most = m_trials.empty() ? 0 : m_trials.size() + kMostAhead;
  if (number > std::min(most, kMostTrials - 1)) return;
  m_trials.resize(std::max(m_trials.size(), static_cast<std::size_t>(number) + 1));
}

void LiveTune::takeBegun(const TrialBegunEvent& event) {
  if (event.trial) makeRoomFor(*event.trial);
  m_running = trialOf(event.trial);
  if (!m_running) return;
  TunedTrial& trial = m_trials[*m_running];
  if (!trial.known) trial.edits = event.tuned->edits;
  trial.known = true;
  m_what.clear();
  m_left = event.secondsLeft;
  if (!event.runId.empty()) trial.run = toQt(event.runId);
}

void LiveTune::takeEnded(const TrialEndedEvent& event) {
  const auto number = trialOf(event.trial);
  if (!number) return;
  m_running.reset();
  m_wait.clear();
  if (event.state == TrialEndedEvent::State::Replaced) {
    ++m_replaced;
    return;
  }
  TunedTrial& trial = m_trials[*number];
  trial.rate = event.samplesPerSecond.mean;
  trial.gain = event.tuned->gain;
  trial.goal = event.tuned->goalValue;
  trial.cores = event.tuned->cores;
  trial.bytes = asReal(event.tuned->peakRssBytes);
  trial.reason = toQt(event.reason);
  trial.state = stateOf(event.state);
  trial.repeats = static_cast<int>(event.repeat);
  if (trial.failed() && trial.reason.isEmpty()) trial.reason = "unknown reason";
  if (event.state == TrialEndedEvent::State::Measured) ++m_measured;
  if (const auto best = trialOf(event.tuned->best)) {
    m_best = best;
    if (event.tuned->bestGain) m_trials[*m_best].gain = event.tuned->bestGain;
  } else if (!m_best && !trial.failed()) {
    m_best = number;
  }
  updateFront();
}

std::vector<TuneBalance> LiveTune::balances(bool byGoal) const {
  std::vector<TuneBalance> all;
  for (std::size_t t = 0; t < m_trials.size(); ++t) {
    const TunedTrial& trial = m_trials[t];
    double rate = rateOf(t).value_or(0);
    if (byGoal && m_goal != TuneGoal::Throughput) rate = inverseOf(trial.goal.value_or(0));
    if (trial.failed()) rate = 0;
    all.push_back({rate, trial.bytes.value_or(0), trial.cores.value_or(0)});
  }
  return all;
}

void LiveTune::updateFront() {
  // With another goal, the best setting need not be on the speed front.
  m_front = paretoFront(balances(false), m_goal == TuneGoal::Throughput ? m_best : std::nullopt);
}

std::optional<std::size_t> LiveTune::rivalOfBest() const {
  if (!m_best || *m_best == 0) return std::nullopt;
  return beaterOf(balances(true), *m_best);
}

std::optional<double> LiveTune::rateOf(std::size_t trial) const {
  const TunedTrial& one = m_trials[trial];
  const std::optional<double>& start = m_trials.front().rate;
  if (m_goal != TuneGoal::Throughput || !one.rate || !one.gain || !start) return one.rate;
  return *start * *one.gain;
}

std::optional<double> LiveTune::shownGain(std::size_t trial) const {
  const std::optional<double>& gain = m_trials[trial].gain;
  if (m_goal != TuneGoal::Throughput || !gain || !rateOf(0) || !rateOf(trial)) return gain;
  return shownRatio(*rateOf(0), *rateOf(trial));
}

std::optional<std::size_t> LiveTune::unproven() const {
  if (m_best != std::size_t{0}) return std::nullopt;
  std::optional<std::size_t> found;
  double most = std::exp(kMinGain);
  for (std::size_t t = 1; t < m_trials.size(); ++t) {
    if (m_trials[t].failed() || m_trials[t].gain.value_or(0) <= most) continue;
    most = *m_trials[t].gain;
    found = t;
  }
  return found;
}

void LiveTune::takeResult(const TuneResultRecord& result) {
  for (const TuneResultRecord::Trial& told : result.trials) {
    const auto number = trialOf(told.trial);
    if (!number) continue;
    TunedTrial& trial = m_trials[*number];
    trial.rate = told.samplesPerSecond.mean;
    trial.gain = told.gain;
    trial.goal = told.goalValue;
    trial.cores = told.cores;
    trial.bytes = asReal(told.peakRssBytes);
    trial.reason = toQt(told.reason);
    trial.state = stateOf(told.state);
    trial.repeats = static_cast<int>(told.rates.size());
  }
  m_best = trialOf(result.best);
  m_front.clear();
  for (const std::uint64_t trial : result.front)
    if (const auto number = trialOf(trial)) m_front.push_back(*number);
  m_because = toQt(result.stoppedBecause);
  m_verdict = result.tooFewBlocks
                  ? QString("There were too few blocks for a verdict. Allow more time.")
                  : sentence(result.verdict);
  for (const std::string& each : result.leftOut) m_leftOut << sentence(each);
}

void LiveTune::finish(const ChildEnd& end) {
  m_state = State::Over;
  m_running.reset();
  m_left.reset();
  m_what.clear();
  m_end = end;
}

int LiveTune::failed() const {
  return static_cast<int>(std::ranges::count_if(m_trials, &TunedTrial::failed));
}

QString LiveTune::stepText() const {
  if (!m_wait.isEmpty()) return m_wait;
  if (m_running) return settingsOf(*m_running);
  return m_what.isEmpty() ? QString() : "diagnosing, " + m_what;
}

QString LiveTune::stateText(std::size_t trial) const {
  const TunedTrial& one = m_trials[trial];
  if (one.state == TunedTrial::State::OverLimit) return "over the limit";
  if (one.failed()) return "failed";
  if (m_running == trial) return "measuring";
  if (one.repeats == 0) return m_state == State::Over ? "not measured" : "waiting";
  return one.repeats == 1 ? QString("measured once")
                          : QString("measured %1 times").arg(one.repeats);
}

}  // namespace millrace
