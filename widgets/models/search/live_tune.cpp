// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/search/live_tune.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QJsonArray>

#include "core/tune/tuner/tuner.h"
#include "widgets/common/strings.h"
#include "widgets/models/json_values.h"
#include "widgets/models/live/advice_edits.h"
#include "widgets/models/live/diagnosis_report.h"
#include "widgets/models/live/wait_text.h"

namespace millrace {

namespace {

// Bound for the output of a foreign program.
constexpr std::size_t kMostTrials = 100000;
constexpr std::size_t kMostAhead = 1000;

std::vector<Advice> editsOf(const QJsonArray& json) {
  std::vector<Advice> edits;
  for (const QJsonValue& each : json) edits.push_back(editOf(each.toObject()));
  return edits;
}

TunedTrial::State stateNamed(const QString& name) {
  if (name == "measured") return TunedTrial::State::Measured;
  if (name == "failed") return TunedTrial::State::Failed;
  return name == "over_limit" ? TunedTrial::State::OverLimit : TunedTrial::State::Waiting;
}

void takeFigures(const QJsonObject& json, TunedTrial& trial) {
  trial.rate = numberAt(json["samples_per_second"].toObject(), "mean");
  trial.gain = numberAt(json, "gain");
  trial.goal = numberAt(json, "goal_value");
  trial.cores = numberAt(json, "cores");
  trial.bytes = numberAt(json, "peak_rss_bytes");
  trial.reason = json["reason"].toString();
}

}  // namespace

QString TunedTrial::settings(const SettingNames& names) const {
  if (!known) return "not started";
  QStringList words;
  for (const Advice& edit : edits)
    words << (edit.edit == Advice::Edit::Parameter
                  ? names.of(edit.node + "." + edit.param) + ' ' + toQt(edit.to)
                  : "cache after " + names.of(edit.node));
  return words.isEmpty() ? QString("unmodified") : words.join(", ");
}

void LiveTune::begin(const QString& title, double budgetSeconds, const SettingNames& names) {
  *this = LiveTune();
  m_title = title;
  m_names = names;
  m_budget = budgetSeconds;
  m_state = State::Preparing;
}

void LiveTune::take(const QJsonObject& event) {
  const QString name = event["event"].toString();
  if (name == "tune") {
    m_experiment = event["experiment"].toString();
    if (const auto goal = parseGoal(fromQt(event["for"].toString()))) m_goal = *goal;
    m_budget = numberAt(event, "budget_seconds").value_or(m_budget);
    m_state = State::Going;
  }
  if (name == "progress") m_what = event["what"].toString();
  if (name == "waiting") m_wait = waitText(event);
  if (name == "tune_space") takeSpace(event);
  if (name == "trial_begun") takeBegun(event);
  if (name == "trial_ended") takeEnded(event);
  if (name == "result") takeResult(event);
}

void LiveTune::takeSpace(const QJsonObject& event) {
  m_what.clear();
  m_limit = event["limit"].isObject() ? limitHeadline(event["limit"].toObject()) : QString();
  m_axes.clear();
  for (const QJsonValue& each : event["axes"].toArray()) {
    const QJsonObject axis = each.toObject();
    QStringList levels;
    for (const QJsonValue& level : axis["levels"].toArray()) levels << level.toString();
    m_axes << m_names.of(fromQt(axis["name"].toString())) + ": " + levels.join(", ");
  }
}

std::optional<std::size_t> LiveTune::trialOf(const QJsonObject& event) const {
  const int trial = event["trial"].toInt(-1);
  if (trial < 0 || static_cast<std::size_t>(trial) >= m_trials.size()) return std::nullopt;
  return static_cast<std::size_t>(trial);
}

/// Trials are numbered in order of proposal, but measured in random order within each block: a
/// later one may begin first.
void LiveTune::makeRoomFor(int number) {
  const std::size_t most = m_trials.empty() ? 0 : m_trials.size() + kMostAhead;
  if (number < 0 || static_cast<std::size_t>(number) > std::min(most, kMostTrials - 1)) return;
  m_trials.resize(std::max(m_trials.size(), static_cast<std::size_t>(number) + 1));
}

void LiveTune::takeBegun(const QJsonObject& event) {
  makeRoomFor(event["trial"].toInt(-1));
  m_running = trialOf(event);
  if (!m_running) return;
  TunedTrial& trial = m_trials[*m_running];
  if (!trial.known) trial.edits = editsOf(event["edits"].toArray());
  trial.known = true;
  m_what.clear();
  m_left = numberAt(event, "seconds_left");
  if (const QString run = event["run_id"].toString(); !run.isEmpty()) trial.run = run;
}

void LiveTune::takeEnded(const QJsonObject& event) {
  const auto number = trialOf(event);
  if (!number) return;
  m_running.reset();
  m_wait.clear();
  const QString state = event["state"].toString();
  if (state == "replaced") {
    ++m_replaced;
    return;
  }
  TunedTrial& trial = m_trials[*number];
  takeFigures(event, trial);
  trial.state = stateNamed(state);
  trial.repeats = event["repeat"].toInt();
  if (trial.failed() && trial.reason.isEmpty()) trial.reason = "unknown reason";
  if (state == "measured") ++m_measured;
  const int best = event["best"].toInt(-1);
  if (best >= 0 && static_cast<std::size_t>(best) < m_trials.size()) {
    m_best = static_cast<std::size_t>(best);
    if (const auto gain = numberAt(event, "best_gain")) m_trials[*m_best].gain = gain;
  } else if (!m_best && !trial.failed()) {
    m_best = number;
  }
  updateFront();
}

void LiveTune::updateFront() {
  std::vector<TuneBalance> balances;
  for (std::size_t t = 0; t < m_trials.size(); ++t) {
    const TunedTrial& trial = m_trials[t];
    balances.push_back({trial.failed() ? 0 : rateOf(t).value_or(0), trial.bytes.value_or(0),
                        trial.cores.value_or(0)});
  }
  // With another goal, the best setting need not be on the speed front.
  m_front =
      paretoFront(std::move(balances), m_goal == TuneGoal::Throughput ? m_best : std::nullopt);
}

std::optional<double> LiveTune::rateOf(std::size_t trial) const {
  const TunedTrial& one = m_trials[trial];
  const std::optional<double>& start = m_trials.front().rate;
  if (m_goal != TuneGoal::Throughput || !one.rate || !one.gain || !start) return one.rate;
  return *start * *one.gain;
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

void LiveTune::takeResult(const QJsonObject& result) {
  for (const QJsonValue& each : result["trials"].toArray()) {
    const QJsonObject json = each.toObject();
    const auto number = trialOf(json);
    if (!number) continue;
    TunedTrial& trial = m_trials[*number];
    takeFigures(json, trial);
    trial.state = stateNamed(json["state"].toString());
    trial.repeats = static_cast<int>(json["rates"].toArray().size());
  }
  m_best = trialOf(result["best"].toObject());
  m_front.clear();
  for (const QJsonValue& each : result["front"].toArray())
    if (const auto number = trialOf({{"trial", each}})) m_front.push_back(*number);
  m_because = result["stopped_because"].toString();
  const QJsonObject verdict = result["verdict"].toObject();
  m_verdict = verdict["kind"].toString() == "too few"
                  ? QString("There were too few blocks for a verdict. Allow more time.")
                  : sentence(fromQt(verdict["sentence"].toString()));
  for (const QJsonValue& each : result["left_out"].toArray())
    m_leftOut << sentence(fromQt(each.toString()));
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
