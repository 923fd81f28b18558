// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tune/tune_arguments.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/shell_word.h"

namespace millrace::cli {

namespace {

bool allSettings(const std::vector<Advice>& edits) {
  return std::ranges::all_of(
      edits, [](const Advice& edit) { return edit.edit == Advice::Edit::Parameter; });
}

std::string settingOf(const Advice& edit) { return edit.node + "." + edit.param + "=" + edit.to; }

}  // namespace

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
