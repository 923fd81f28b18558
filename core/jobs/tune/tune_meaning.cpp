// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/tune/tune_meaning.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/jobs/common/amount.h"

namespace millrace {

namespace {

constexpr double kStartSeconds = 0.3;  ///< time for starting and checking a trial
constexpr double kLeastTimeout = 15;

/// A budget must be long enough for one trial.
Status enough(const TuneRequest& request, double budget) {
  const double trial = request.warmup + request.seconds + kStartSeconds;
  if (budget >= trial) return {};
  return Error{fmt::format(
      "budget: {} is too short; one trial takes {} with its warm-up and its start, and the "
      "first one measures the unmodified pipeline; use, for example, 2m",
      request.budget, humanSeconds(trial))};
}

Result<TrialRules> rulesOf(const TuneRequest& request, TuneGoal goal, double budget) {
  TrialRules rules;
  const Result<FailureLimit> failures = FailureLimit::parse(request.maxFailures);
  if (!failures) return Error{"max-failures: " + failures.error().message};
  rules.measure.failureLimit = *failures;
  if (request.cores && *request.cores < 1) return Error{"cores: at least one core is needed"};
  rules.measure.noRandom = request.noRandom;
  rules.measure.warmupSeconds = request.warmup;
  rules.measure.seconds = request.seconds;
  if (goal == TuneGoal::EpochTime) {
    rules.measure.warmupSeconds = 0;
    rules.measure.seconds.reset();
    rules.measure.epochs = 1;
  }
  rules.maxFailures = request.maxFailures;
  rules.noFuse = request.noFuse;
  const double usual = std::max(kLeastTimeout, kTimeoutTimes * (request.warmup + request.seconds));
  rules.limits.seconds =
      request.trialTimeout.value_or(goal == TuneGoal::EpochTime ? std::max(usual, budget) : usual);
  if (request.memory.empty()) return rules;
  const Result<std::uint64_t> bytes = parseBytes(request.memory);
  if (!bytes) return Error{"memory: " + bytes.error().message};
  rules.limits.memoryBytes = *bytes;
  return rules;
}

}  // namespace

Result<TuneMeaning> meaningOf(const TuneRequest& request) {
  TuneMeaning meaning;
  const Result<double> budget = parseSeconds(request.budget);
  if (!budget) return Error{"budget: " + budget.error().message};
  meaning.budgetSeconds = *budget;
  MILLRACE_TRY(enough(request, *budget));
  const Result<TuneGoal> goal = parseGoal(request.goal);
  if (!goal) return Error{"for: " + goal.error().message};
  meaning.goal = *goal;
  if (!request.allow.empty()) {
    const Result<AllowedChanges> allowed = parseAllowed(join(request.allow, ","));
    if (!allowed) return Error{"allow: " + allowed.error().message};
    meaning.allowed = *allowed;
  }
  MILLRACE_ASSIGN_OR_RETURN(meaning.rules, rulesOf(request, meaning.goal, *budget));
  return meaning;
}

}  // namespace millrace
