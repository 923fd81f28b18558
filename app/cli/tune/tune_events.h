// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/tune/tune_outcome.h"
#include "core/events/comparison_events.h"

namespace millrace::cli {

/// The result of a trial of the tuner.
struct TunedTrialEnding {
  std::string state;                ///< measured, replaced, failed or over_limit
  std::string reason;               ///< for the last two
  std::optional<double> rate;       ///< rate of this repeat
  std::optional<std::size_t> best;  ///< the best so far
  bool replayed = false;            ///< taken from a kept tuning
};

/// The event stream of a tuning (docs/reference/event-stream.md): `hello`, `problem`, `tune`, the
/// first trial, `progress` during the diagnosis, `tune_space`, then `trial_begun` and `trial_ended`
/// in turn, `answer`, `tune_ended`, and `result`.
class TuneEvents final : public ComparisonEvents {
 public:
  void tune(const TuneOutcome& outcome);
  void space(const TuneOutcome& outcome);
  void trialBegun(const TuneOutcome& outcome, std::size_t trial, double secondsLeft, bool replayed);
  void trialEnded(const TuneOutcome& outcome, std::size_t trial, const TunedTrialEnding& ending);
  void tuneEnded(const TuneOutcome& outcome);
};

}  // namespace millrace::cli
