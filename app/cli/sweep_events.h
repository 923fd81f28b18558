// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/comparison_events.h"
#include "core/tune/sweep_measurement.h"
#include "core/tune/sweep_plan.h"

namespace millrace::cli {

/// What came of a trial.
struct TrialEnding {
  std::string state;           ///< measured, replaced or failed
  std::string reason;          ///< of failed
  std::optional<double> rate;  ///< of this repeat
  RateFigures all;             ///< of the point's repeats so far, this one included
};

/// The stream of a sweep (core/events/README.md): `hello`, `problem`, `sweep`, then `trial_begun`
/// and `trial_ended` in turn, `answer`, and `result` at the end.
class SweepEvents final : public ComparisonEvents {
 public:
  /// `points` and `runIds`, one a setting: as a sweep that goes on has them already.
  void sweep(const SweepPlan& plan, const std::string& experiment, std::size_t blocks,
             const std::vector<PointState>& points, const std::vector<std::string>& runIds);
  void trialBegun(const TrialStep& step, const std::string& runId);
  void trialEnded(const TrialStep& step, const TrialEnding& ending);
};

}  // namespace millrace::cli
