// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tune/tune_arguments.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/sweep/sweep_arguments.h"
#include "core/base/shell_word.h"
#include "core/base/text.h"
#include "core/store/query_value.h"

namespace millrace::cli {

namespace {

constexpr double kStartSeconds = 0.3;  ///< time for starting and checking a trial
constexpr double kLeastTimeout = 15;

/// A budget must be long enough for one trial.
Status enough(const TuneArguments& a, double budget) {
  const double trial = a.warmup + a.seconds + kStartSeconds;
  if (budget >= trial) return {};
  return Error{
      fmt::format("--budget {}: one trial takes {} (--warmup, --seconds and its start), and "
                  "the first one measures the unmodified pipeline; use, for example, --budget 2m",
                  a.budget, humanSeconds(trial))};
}

bool allSettings(const std::vector<Advice>& edits) {
  return std::ranges::all_of(
      edits, [](const Advice& edit) { return edit.edit == Advice::Edit::Parameter; });
}

std::string settingOf(const Advice& edit) { return edit.node + "." + edit.param + "=" + edit.to; }

}  // namespace

Result<double> parseSeconds(const std::string& text) {
  const Error none{
      fmt::format("`{}` is not a length of time; use, for example, 2m, 90s or 1.5 min", text)};
  const auto prefix = numberPrefix(trimmed(text));
  if (!prefix || !(prefix->number > 0)) return none;
  std::string unit(trimmed(prefix->rest));
  if (unit.empty()) unit = "s";
  if (unit == "m") unit = "min";
  const auto meaning = unitMeaning(unit);
  if (!meaning || meaning->of != UnitMeaning::Of::Seconds) return none;
  return prefix->number * meaning->factor;
}

Result<TuneMeaning> meaningOf(const TuneArguments& a) {
  TuneMeaning meaning;
  const Result<double> budget = parseSeconds(a.budget);
  if (!budget) return Error{"--budget: " + budget.error().message};
  meaning.budgetSeconds = *budget;
  MILLRACE_TRY(enough(a, *budget));
  const Result<TuneGoal> goal = parseGoal(a.goal);
  if (!goal) return goal.error();
  meaning.goal = *goal;
  if (!a.allow.empty()) {
    const Result<AllowedChanges> allowed = parseAllowed(join(a.allow, ","));
    if (!allowed) return allowed.error();
    meaning.allowed = *allowed;
  }
  const Result<FailureLimit> failures = a.maxFailures.limit();
  if (!failures) return failures.error();
  meaning.failureLimit = *failures;
  if (a.cores && *a.cores < 1) return Error{"--cores: at least one core is needed"};
  TrialRules& rules = meaning.rules;
  rules.measure.failureLimit = *failures;
  rules.measure.noRandom = a.pipeline.noRandom;
  rules.measure.warmupSeconds = a.warmup;
  rules.measure.seconds = a.seconds;
  if (meaning.goal == TuneGoal::EpochTime) {
    rules.measure.warmupSeconds = 0;
    rules.measure.seconds.reset();
    rules.measure.epochs = 1;
  }
  rules.maxFailures = a.maxFailures.text;
  rules.noFuse = a.pipeline.noFuse;
  rules.memoryFlag = "--memory";
  const double usual = std::max(kLeastTimeout, kTimeoutTimes * (a.warmup + a.seconds));
  rules.limits.seconds = a.trialTimeout.value_or(
      meaning.goal == TuneGoal::EpochTime ? std::max(usual, meaning.budgetSeconds) : usual);
  if (!a.memory.empty()) {
    const Result<std::uint64_t> bytes = parseBytes(a.memory);
    if (!bytes) return Error{"--memory: " + bytes.error().message};
    rules.limits.memoryBytes = *bytes;
  }
  return meaning;
}

TuneRequest requestOf(const TuneArguments& a) {
  TuneRequest request;
  request.budget = a.budget;
  request.memory = a.memory;
  if (a.cores) request.cores = *a.cores;
  request.goal = a.goal;
  request.allow = a.allow;
  request.vary = a.vary;
  request.seconds = a.seconds;
  request.warmup = a.warmup;
  request.trialTimeout = a.trialTimeout;
  request.maxFailures = a.maxFailures.text;
  request.noRandom = a.pipeline.noRandom;
  request.noFuse = a.pipeline.noFuse;
  return request;
}

void takeRequest(TuneArguments& a, const TuneRequest& request) {
  const auto take = [&a](const char* flag, auto& to, const auto& from) {
    if (!a.given.contains(flag)) to = from;
  };
  take("--budget", a.budget, request.budget);
  take("--memory", a.memory, request.memory);
  take("--for", a.goal, request.goal);
  take("--allow", a.allow, request.allow);
  take("--vary", a.vary, request.vary);
  if (!a.given.contains("--cores")) {
    a.cores.reset();
    if (request.cores) a.cores = static_cast<int>(*request.cores);
  }
  // The settings with which the trials were measured.
  a.seconds = request.seconds;
  a.warmup = request.warmup;
  a.trialTimeout = request.trialTimeout;
  a.maxFailures.text = request.maxFailures;
  a.pipeline.noRandom = request.noRandom;
  a.pipeline.noFuse = request.noFuse;
}

std::string resumeCommandOf(const TuneArguments& a, const std::string& experiment) {
  return "millrace tune" + a.keep.suggested() + " --resume " + shellWord(experiment);
}

std::string compareCommandOf(const TuneArguments& a, const std::vector<Advice>& edits) {
  if (edits.empty() || !allSettings(edits) || a.pipeline.document) return {};
  PipelineArguments own = a.pipeline;
  for (const Advice& edit : edits) own.settings.push_back("B:" + settingOf(edit));
  const std::string pipeline = " " + shellWord(a.pipeline.pipeline);
  return "millrace compare" + pipeline + pipeline + own.suggestedFlags();
}

std::string writeCommandOf(const TuneArguments& a, const std::vector<Advice>& edits,
                           const std::string& runId) {
  constexpr const char* kTo = " --to json -o tuned.millrace.json";
  if (edits.empty()) return {};
  if (!runId.empty()) return "millrace export --run " + runId + a.keep.suggested() + kTo;
  if (!allSettings(edits) || a.pipeline.document) return {};
  PipelineArguments own = a.pipeline;
  for (const Advice& edit : edits) own.settings.push_back(settingOf(edit));
  return "millrace export" + own.suggested() + kTo;
}

}  // namespace millrace::cli
