// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tune_outcome.h"

#include <array>
#include <cmath>

#include "core/base/text.h"
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

std::optional<double> TuneOutcome::levelRateOf(std::size_t setting) const {
  const std::optional<double> rate = figuresOf(setting).samplesPerSecond.mean;
  const std::optional<double> start = figuresOf(0).samplesPerSecond.mean;
  const std::optional<double>& gain = settings[setting].gain;
  if (goal != TuneGoal::Throughput || !rate || !start || !gain) return rate;
  return *start * *gain;
}

std::optional<std::size_t> TuneOutcome::unproven() const {
  if (best != std::size_t{0}) return std::nullopt;
  std::optional<std::size_t> found;
  double most = std::exp(kMinGain);
  for (std::size_t s = 1; s < settings.size(); ++s) {
    if (!settings[s].failure.empty() || settings[s].gain.value_or(0) <= most) continue;
    most = *settings[s].gain;
    found = s;
  }
  return found;
}

std::string TuneOutcome::stoppedBecause() const {
  if (stopped) return "it was stopped";
  if (!missing.empty()) return missing;
  // Measured trials are restricted to the cores; only kept ones can exceed them.
  const std::string more =
      replay && cores ? "allow more with --memory or --cores" : "allow more with --memory";
  switch (end) {
    case TunerEnd::NothingBetter: return "no neighbour of the best setting is better";
    case TunerEnd::Budget: return "the budget of " + humanSeconds(budgetSeconds) + " was used";
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
