// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/events/search/search_events.h"
#include "core/events/stream/comparison_events.h"
#include "core/jobs/sweep/sweep_job.h"

namespace millrace {

/// The event stream of a sweep (docs/reference/event-stream.md): `hello`, `problem`, `sweep`, then
/// `trial_begun` and `trial_ended` in turn, `answer`, and `result` at the end.
class SweepEvents final : public ComparisonEvents {
 public:
  using ComparisonEvents::ComparisonEvents;

  void sweep(const SweepBegin& begin, std::size_t blocks);
  void trialBegun(const TrialStep& step, const std::string& runId);
  /// The ends of a trial, with the arguments of SweepJobObserver.
  void measured(const TrialStep& step, const SpanFigures& repeat, const SpanFigures& all);
  void replaced(const TrialStep& step, const SpanFigures& repeat);
  void failed(const TrialStep& step, const std::string& reason, const SpanFigures& all);

 private:
  /// `event`: all but the numbers of the trial.
  void trialEnded(const TrialStep& step, TrialEndedEvent event);
};

}  // namespace millrace
