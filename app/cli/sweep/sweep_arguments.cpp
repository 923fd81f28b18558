// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep/sweep_arguments.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/shell_word.h"
#include "core/base/text.h"
#include "core/jobs/common/amount.h"

namespace millrace::cli {

namespace {

constexpr double kStartTimeout = 60;  ///< additional seconds that a trial may take

Result<SweepDesign> designOf(const SweepArguments& a) {
  const int given = (a.plan.empty() ? 0 : 1) + (a.random ? 1 : 0) + (a.latin ? 1 : 0);
  if (given > 1) return Error{"--plan, --random and --latin exclude each other"};
  if (a.random) return SweepDesign{SweepDesign::Kind::Random, *a.random};
  if (a.latin) return SweepDesign{SweepDesign::Kind::Latin, *a.latin};
  if (a.plan.empty()) return SweepDesign{};
  Result<SweepDesign> design = parseDesign(a.plan);
  if (!design) return Error{"--plan: " + design.error().message};
  return design;
}

}  // namespace

Result<SweepMeaning> meaningOf(const SweepArguments& a) {
  SweepMeaning meaning;
  const Result<SweepDesign> design = designOf(a);
  if (!design) return design.error();
  meaning.design = *design;
  const Result<FailureLimit> failures = a.maxFailures.limit();
  if (!failures) return failures.error();
  if (a.seconds && a.batches) return Error{"--seconds and --batches exclude each other"};
  TrialRules& trial = meaning.trial;
  trial.program = kThisProgram;
  trial.maxFailures = a.maxFailures.text;
  trial.noFuse = a.pipeline.noFuse;
  MeasureSettings& measure = trial.measure;
  measure.failureLimit = *failures;
  measure.noRandom = a.pipeline.noRandom;
  measure.repeats = 1;
  measure.warmupSeconds = a.warmup.value_or(measure.warmupSeconds);
  if (a.seconds) measure.seconds = a.seconds;
  if (a.batches) {
    measure.batches = a.batches;
    measure.seconds.reset();
  }
  trial.limits.seconds = a.trialTimeout.value_or(
      kStartTimeout + kTimeoutTimes * (measure.warmupSeconds + measure.seconds.value_or(0)));
  if (!a.trialMemory.empty()) {
    const Result<std::uint64_t> bytes = parseBytes(a.trialMemory);
    if (!bytes) return Error{"--trial-memory: " + bytes.error().message};
    trial.limits.memoryBytes = *bytes;
  }
  return meaning;
}

std::string sweepCommand(const SweepArguments& a) {
  std::string text = "millrace sweep";
  if (!a.file.empty()) {
    text += " --file " + shellWord(a.file);
  } else {
    text += a.pipeline.suggested();
    for (const std::string& vary : a.vary) text += " --vary " + shellWord(vary);
    if (!a.plan.empty()) text += " --plan " + shellWord(a.plan);
    if (a.random) text += fmt::format(" --random {}", *a.random);
    if (a.latin) text += fmt::format(" --latin {}", *a.latin);
    if (a.repeats) text += fmt::format(" --repeats {}", *a.repeats);
    if (a.seconds) text += fmt::format(" --seconds {}", *a.seconds);
    if (a.batches) text += fmt::format(" --batches {}", *a.batches);
    if (a.warmup) text += fmt::format(" --warmup {}", *a.warmup);
    if (a.maxFailures.text != FailureFlag().text)
      text += " --max-failures " + shellWord(a.maxFailures.text);
  }
  if (a.trialTimeout) text += fmt::format(" --trial-timeout {}", *a.trialTimeout);
  if (!a.trialMemory.empty()) text += " --trial-memory " + shellWord(a.trialMemory);
  return text + a.keep.suggested();
}

std::string runCommandOf(const SweepArguments& a, const SweepPlan& plan, std::size_t point) {
  PipelineArguments own = a.pipeline;
  for (std::size_t i = 0; i < plan.axes.size(); ++i) {
    const std::string name = plan.axes[i].name() + "=";
    std::erase_if(own.settings, [&](const std::string& set) { return set.starts_with(name); });
    own.settings.push_back(name + textOf(plan.points[point].values[i]));
  }
  return "millrace run" + own.suggested();
}

std::string compareCommandOf(const SweepArguments& a, const SweepPlan& plan, std::size_t point) {
  PipelineArguments own = a.pipeline;
  for (std::size_t i = 0; i < plan.axes.size(); ++i)
    own.settings.push_back("B:" + plan.axes[i].name() + "=" + textOf(plan.points[point].values[i]));
  const std::string pipeline = " " + shellWord(a.pipeline.pipeline);
  return "millrace compare" + pipeline + pipeline + own.suggestedFlags();
}

}  // namespace millrace::cli
