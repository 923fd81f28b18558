// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep/sweep_arguments.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/cli/common/program_words.h"
#include "core/base/text/shell_word.h"
#include "core/base/text/text.h"
#include "core/jobs/sweep/sweep_rules.h"

namespace millrace::cli {

namespace {

Result<SweepDesign> designOf(const SweepRequest& a) {
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
  MILLRACE_ASSIGN_OR_RETURN(meaning.design, designOf(a.asked));
  Result<TrialRules> rules = rulesOf(requestOf(a));
  // A setting has the name of its flag.
  if (!rules) return Error{"--" + rules.error().message};
  meaning.trial = rules.take();
  meaning.trial.program = kThisProgram;
  return meaning;
}

SweepRequest requestOf(const SweepArguments& a) {
  SweepRequest request = a.asked;
  request.maxFailures = a.maxFailures.text;
  request.noRandom = a.pipeline.noRandom;
  request.noFuse = a.pipeline.noFuse;
  return request;
}

void takeRequest(SweepArguments& a, const SweepRequest& request) {
  a.asked = request;
  a.resumed = std::exchange(a.asked.experiment, {});
  a.pipeline.pipeline = std::exchange(a.asked.pipeline, {});
  a.pipeline.document = std::exchange(a.asked.document, {});
  a.maxFailures.text = request.maxFailures;
  a.pipeline.noRandom = request.noRandom;
  a.pipeline.noFuse = request.noFuse;
}

std::string givenAgain(const SweepArguments& a) {
  const std::pair<const char*, bool> flags[] = {
      {"--vary", !a.asked.vary.empty()},
      {"--plan", !a.asked.plan.empty()},
      {"--random", a.asked.random.has_value()},
      {"--latin", a.asked.latin.has_value()},
      {"--repeats", a.asked.repeats.has_value()},
      {"--seconds", a.asked.seconds.has_value()},
      {"--batches", a.asked.batches.has_value()},
      {"--warmup", a.asked.warmup.has_value()},
      {"--trial-timeout", a.asked.trialTimeout.has_value()},
      {"--trial-memory", !a.asked.trialMemory.empty()},
      {"--data", !a.pipeline.data.empty()},
      {"--set", !a.pipeline.settings.empty()},
      {"--seed", a.pipeline.seed.has_value()},
      {"--no-random", a.pipeline.noRandom},
      {"--no-fuse", a.pipeline.noFuse}};
  for (const auto& [flag, given] : flags)
    if (given) return flag;
  return {};
}

std::string resumeCommandOf(const SweepArguments& a, const std::string& experiment) {
  return programWords() + " sweep" + a.keep.suggested() + " --resume " + shownShellWord(experiment);
}

std::string runCommandOf(const SweepArguments& a, const SweepPlan& plan, std::size_t point) {
  PipelineArguments own = a.pipeline;
  for (std::size_t i = 0; i < plan.axes.size(); ++i) {
    const std::string name = plan.axes[i].name() + "=";
    std::erase_if(own.settings, [&](const std::string& set) { return set.starts_with(name); });
    own.settings.push_back(name + textOf(plan.points[point].values[i]));
  }
  return programWords() + " run" + own.suggested();
}

std::string compareCommandOf(const SweepArguments& a, const SweepPlan& plan, std::size_t point) {
  PipelineArguments own = a.pipeline;
  for (std::size_t i = 0; i < plan.axes.size(); ++i)
    own.settings.push_back("B:" + plan.axes[i].name() + "=" + textOf(plan.points[point].values[i]));
  const std::string pipeline = " " + shownShellWord(a.pipeline.pipeline);
  return programWords() + " compare" + pipeline + pipeline + own.suggestedFlags();
}

}  // namespace millrace::cli
