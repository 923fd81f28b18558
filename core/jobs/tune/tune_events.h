// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/events/stream/comparison_events.h"
#include "core/jobs/tune/tune_observer.h"

namespace millrace {

/// The event stream of a tuning (docs/reference/event-stream.md): `hello`, `problem`, `tune`, the
/// first trial, `progress` during the diagnosis, `tune_space`, then `trial_begun` and `trial_ended`
/// in turn, `answer`, `tune_ended`, and `result`.
class TuneEvents final : public ComparisonEvents {
 public:
  using ComparisonEvents::ComparisonEvents;

  void tune(const TuneOutcome& outcome);
  void space(const TuneOutcome& outcome);
  void trialBegun(const TuneOutcome& outcome, const TuneTrialBegin& begin);
  void trialEnded(const TuneOutcome& outcome, const TuneTrialEnd& end);
  void tuneEnded(const TuneOutcome& outcome);
};

}  // namespace millrace
