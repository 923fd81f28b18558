// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/tune/tune_predictions.h"

#include <algorithm>
#include <cmath>

namespace millrace {

TunePredictions::TunePredictions(TuneOutcome& outcome) : m_outcome(outcome) {
  m_predicted.resize(outcome.axes.size());
  if (!outcome.diagnosis || outcome.diagnosis->counters.samplesPerSecond() <= 0) return;
  const RunCounters& counters = outcome.diagnosis->counters;
  for (std::size_t a = 0; a < outcome.axes.size(); ++a)
    for (const TuneLevel& level : outcome.axes[a].levels)
      m_predicted[a].push_back(level.edit
                                   ? predictedRate(counters, *level.edit, outcome.diagnosis->gains)
                                   : std::nullopt);
}

void TunePredictions::expectIn(Tuner& tuner) const {
  // With another goal, more of everything also costs more, and the rate's model does not cover
  // that.
  if (m_outcome.goal != TuneGoal::Throughput || !m_outcome.diagnosis) return;
  const double now = m_outcome.diagnosis->counters.samplesPerSecond();
  for (std::size_t a = 0; a < m_predicted.size(); ++a) {
    std::vector<std::optional<double>> expected;
    for (const std::optional<RatePrediction>& predicted : m_predicted[a])
      expected.push_back(predicted ? std::optional(std::log(predicted->middle / now))
                                   : std::nullopt);
    if (std::ranges::any_of(expected, [](const auto& each) { return each.has_value(); }))
      tuner.expect(a, std::move(expected));
  }
}

void TunePredictions::compare(TuneKeeper* keeper, bool continued) const {
  if (!m_outcome.diagnosis || m_outcome.goal != TuneGoal::Throughput) return;
  if (keeper != nullptr && continued) keeper->dropPredictions();
  const double from = m_outcome.diagnosis->counters.samplesPerSecond();
  for (std::size_t s = 1; s < m_outcome.settings.size(); ++s) {
    const TunedSetting& setting = m_outcome.settings[s];
    const auto axis = onlyMoved(m_outcome.axes, setting.point);
    if (!axis || !setting.gain || setting.repeats.empty() || m_predicted[*axis].empty()) continue;
    const auto& predicted = m_predicted[*axis][setting.point[*axis]];
    if (!predicted) continue;
    m_outcome.predictions.push_back(
        {setting.edits.front().editText(), s, *predicted, from * *setting.gain});
    if (keeper != nullptr) keep(*keeper, s, m_outcome.predictions.back());
  }
}

void TunePredictions::keep(TuneKeeper& keeper, std::size_t setting,
                           const TunedPrediction& prediction) const {
  const std::optional<RunNumber> unmodified = keeper.run(0);
  if (!unmodified) return;
  PredictionRecord record;
  record.run = *unmodified;
  record.edit = prediction.edit;
  record.low = prediction.predicted.low;
  record.middle = prediction.predicted.middle;
  record.high = prediction.predicted.high;
  record.followedBy = keeper.run(setting);
  record.followedValue = prediction.measured;
  keeper.addPrediction(record);
}

}  // namespace millrace
