// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tune/tune_arguments.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/cli/common/program_words.h"
#include "core/base/text/shell_word.h"

namespace millrace::cli {

namespace {

bool allSettings(const std::vector<Advice>& edits) {
  return std::ranges::all_of(
      edits, [](const Advice& edit) { return edit.edit == Advice::Edit::Parameter; });
}

std::string settingOf(const Advice& edit) { return edit.node + "." + edit.param + "=" + edit.to; }

}  // namespace

TuneRequest requestOf(const TuneArguments& a) {
  TuneRequest request = a.asked;
  request.maxFailures = a.maxFailures.text;
  request.noRandom = a.pipeline.noRandom;
  request.noFuse = a.pipeline.noFuse;
  return request;
}

void takeRequest(TuneArguments& a, const TuneRequest& request) {
  // Other settings are those with which the trials were measured.
  const TuneRequest asked = std::exchange(a.asked, request);
  const auto keep = [&](const char* flag, auto TuneRequest::* setting) {
    if (a.given.contains(flag)) a.asked.*setting = asked.*setting;
  };
  keep("--budget", &TuneRequest::budget);
  keep("--memory", &TuneRequest::memory);
  keep("--for", &TuneRequest::goal);
  keep("--allow", &TuneRequest::allow);
  keep("--vary", &TuneRequest::vary);
  keep("--cores", &TuneRequest::cores);
  a.maxFailures.text = request.maxFailures;
  a.pipeline.noRandom = request.noRandom;
  a.pipeline.noFuse = request.noFuse;
}

std::string resumeCommandOf(const TuneArguments& a, const std::string& experiment) {
  return programWords() + " tune" + a.keep.suggested() + " --resume " + shownShellWord(experiment);
}

std::string compareCommandOf(const TuneArguments& a, const std::vector<Advice>& edits) {
  if (edits.empty() || !allSettings(edits) || a.pipeline.document) return {};
  PipelineArguments own = a.pipeline;
  for (const Advice& edit : edits) own.settings.push_back("B:" + settingOf(edit));
  const std::string pipeline = " " + shownShellWord(a.pipeline.pipeline);
  return programWords() + " compare" + pipeline + pipeline + own.suggestedFlags();
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
