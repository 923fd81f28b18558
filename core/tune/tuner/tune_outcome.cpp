// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tune_outcome.h"

#include <array>
#include <cmath>

#include "core/base/text/text.h"
#include "core/metrics/metric_text.h"
#include "core/tune/tuner/tuner.h"

namespace millrace {

std::string_view nameOf(TunedSetting::State state) {
  static constexpr std::array<std::string_view, 4> kNames = {"waiting", "measured", "failed",
                                                             "over_limit"};
  return kNames[static_cast<std::size_t>(state)];
}

TunedSetting::State TunedSetting::state() const {
  if (overLimit) return State::OverLimit;
  if (!failure.empty()) return State::Failed;
  return repeats.empty() ? State::Waiting : State::Measured;
}

std::optional<double> TunedSetting::goalValue(TuneGoal goal) const {
  if (scores.empty()) return std::nullopt;
  double sum = 0;
  for (const double score : scores) sum += score;
  const double mean = sum / static_cast<double>(scores.size());
  return std::exp(goal == TuneGoal::Throughput ? mean : -mean);
}

std::optional<double> TuneOutcome::levelOf(std::size_t setting) const {
  const std::optional<double> start = settings.front().goalValue(goal);
  const std::optional<double>& gain = settings[setting].gain;
  if (!start || !gain) return settings[setting].goalValue(goal);
  return goal == TuneGoal::Throughput ? *start * *gain : *start / *gain;
}

std::optional<double> TuneOutcome::levelRateOf(std::size_t setting) const {
  return goal == TuneGoal::Throughput ? levelOf(setting) : figuresOf(setting).samplesPerSecond.mean;
}

std::optional<double> TuneOutcome::shownGain(std::size_t setting) const {
  const std::optional<double> start = levelOf(0);
  const std::optional<double> own = levelOf(setting);
  if (!start || !own || !settings[setting].gain) return std::nullopt;
  return goal == TuneGoal::Throughput ? shownRatio(*start, *own) : shownRatio(*own, *start);
}

std::optional<std::size_t> TuneOutcome::unproven() const {
  if (best != std::size_t{0}) return std::nullopt;
  std::optional<std::size_t> found;
  double most = std::exp(kMinGain);
  if (judged && settings[*judged].gain.value_or(0) > most) return judged;
  for (std::size_t s = 1; s < settings.size(); ++s) {
    if (!settings[s].failure.empty() || settings[s].gain.value_or(0) <= most) continue;
    most = *settings[s].gain;
    found = s;
  }
  return found;
}

std::vector<TuneBalance> TuneOutcome::balances(bool byGoal) const {
  std::vector<TuneBalance> all;
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const SpanFigures figures = figuresOf(s);
    double rate = levelRateOf(s).value_or(0);
    if (byGoal && goal != TuneGoal::Throughput) rate = inverseOf(levelOf(s).value_or(0));
    if (!settings[s].failure.empty()) rate = 0;
    all.push_back({rate, static_cast<double>(figures.peakRssBytes.value_or(0)),
                   coresOf(figures).value_or(0)});
  }
  return all;
}

std::optional<std::size_t> TuneOutcome::rivalOfBest() const {
  if (!best || *best == 0) return std::nullopt;
  return beaterOf(balances(true), *best);
}

std::string TuneOutcome::judgedName() const {
  return !judged || judged == best ? "the best" : settings[*judged].settings;
}

std::string TuneOutcome::stoppedBecause() const {
  if (stopped) return "it was stopped";
  if (!missing.empty()) return missing;
  // Measured trials are restricted to the cores; only kept ones can exceed them.
  const std::string more =
      replay && cores ? "allow more memory or more cores" : "allow more memory";
  switch (end) {
    case TunerEnd::NothingBetter: return "no neighbour of the best setting is better";
    case TunerEnd::Budget:
      return "the budget of " + humanSeconds(budgetSeconds) + " leaves no time for another trial";
    case TunerEnd::Ceiling: return "the step is the limit: the loader keeps up with it";
    case TunerEnd::StartFails:
      return "the unmodified pipeline fails" +
             (settings.empty() ? "" : ": " + settings.front().failure);
    case TunerEnd::NothingFits:
      return settings.size() > 1
                 ? "neither the unmodified pipeline nor its smallest setting stays within the "
                   "limits; " +
                       more
                 : "the unmodified pipeline exceeds the limits, and none of its settings can "
                   "be reduced; " +
                       more;
    case TunerEnd::Stopped:
    case TunerEnd::Searching: break;
  }
  return "it was stopped";
}

}  // namespace millrace
