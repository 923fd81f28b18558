// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/events/comparison_events.h"
#include "core/tune/sweep/sweep_measurement.h"
#include "core/tune/sweep/sweep_plan.h"

namespace millrace::cli {

/// The result of a trial.
struct TrialEnding {
  std::string state;           ///< measured, replaced or failed
  std::string reason;          ///< for failed
  std::optional<double> rate;  ///< rate of this repeat
  RateFigures all;             ///< all repeats of the point so far, including this one
};

/// The event stream of a sweep (docs/reference/event-stream.md): `hello`, `problem`, `sweep`, then
/// `trial_begun` and `trial_ended` in turn, `answer`, and `result` at the end.
class SweepEvents final : public ComparisonEvents {
 public:
  /// `points` and `runIds` have one entry for each setting, as a continued sweep already has them.
  void sweep(const SweepPlan& plan, const std::string& experiment, std::size_t blocks,
             const std::vector<PointState>& points, const std::vector<std::string>& runIds);
  void trialBegun(const TrialStep& step, const std::string& runId);
  void trialEnded(const TrialStep& step, const TrialEnding& ending);
};

}  // namespace millrace::cli
