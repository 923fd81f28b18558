// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/sweep/sweep_rules.h"

#include "core/jobs/common/amount.h"
#include "core/run/failure_budget.h"

namespace millrace {

namespace {

constexpr double kStartTimeout = 60;  ///< additional seconds that a trial may take

}  // namespace

Result<TrialRules> rulesOf(const SweepRequest& request) {
  const std::string limit = request.maxFailures.empty() ? "1%" : request.maxFailures;
  const Result<FailureLimit> failures = FailureLimit::parse(limit);
  if (!failures) return Error{"max-failures: " + failures.error().message};
  if (request.seconds && request.batches) return Error{"seconds: not together with batches"};
  TrialRules rules;
  rules.maxFailures = limit;
  rules.noFuse = request.noFuse;
  MeasureSettings& measure = rules.measure;
  measure.failureLimit = *failures;
  measure.noRandom = request.noRandom;
  measure.repeats = 1;
  measure.warmupSeconds = request.warmup.value_or(measure.warmupSeconds);
  if (request.seconds) measure.seconds = request.seconds;
  if (request.batches) {
    measure.batches = request.batches;
    measure.seconds.reset();
  }
  rules.limits.seconds = request.trialTimeout.value_or(
      kStartTimeout + kTimeoutTimes * (measure.warmupSeconds + measure.seconds.value_or(0)));
  if (request.trialMemory.empty()) return rules;
  const Result<std::uint64_t> bytes = parseBytes(request.trialMemory);
  if (!bytes) return Error{"trial-memory: " + bytes.error().message};
  rules.limits.memoryBytes = *bytes;
  return rules;
}

}  // namespace millrace
