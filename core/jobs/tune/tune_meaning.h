// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/search/process_trial.h"
#include "core/tune/tuner/tune_goal.h"
#include "core/tune/tuner/tune_log.h"
#include "core/tune/tuner/tune_space.h"

namespace millrace {

/// What a request for a tuning asks for. Value.
struct TuneMeaning {
  double budgetSeconds = 120;
  TuneGoal goal = TuneGoal::Throughput;
  AllowedChanges allowed;
  TrialRules rules;  ///< `program` is for the caller to fill in
};

/// The error begins with the name of the wrong setting, as docs/reference/command-line.md has it
/// without dashes: "budget: ...".
Result<TuneMeaning> meaningOf(const TuneRequest& request);

}  // namespace millrace
