// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/what_if.h"
#include "core/jobs/tune/tune_keeper.h"
#include "core/tune/tuner/tune_outcome.h"
#include "core/tune/tuner/tuner.h"

namespace millrace {

/// What the model of the diagnosis predicts for settings with one change. Without a diagnosis
/// nothing is predicted. One thread.
class TunePredictions {
 public:
  /// `outcome` has diagnosis and axes, and must outlive this object.
  explicit TunePredictions(TuneOutcome& outcome);

  /// Gives the predictions to the tuner, if its goal is the rate.
  void expectIn(Tuner& tuner) const;
  /// Compares predictions with measurements, as rates next to the rate that the model started from,
  /// in the outcome and with the run of the unmodified pipeline. `keeper` may be nullptr;
  /// `continued`: it has the predictions from before a stop.
  void compare(TuneKeeper* keeper, bool continued) const;

 private:
  void keep(TuneKeeper& keeper, std::size_t setting, const TunedPrediction& prediction) const;

  TuneOutcome& m_outcome;
  std::vector<std::vector<std::optional<RatePrediction>>> m_predicted;  ///< by axis and level
};

}  // namespace millrace
