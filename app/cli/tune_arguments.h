// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/cli/graph_trial.h"
#include "app/cli/pipeline_input.h"
#include "app/cli/run_flags.h"
#include "core/tune/tune_goal.h"
#include "core/tune/tune_log.h"
#include "core/tune/tune_space.h"

namespace millrace::cli {

/// What `millrace tune` was asked for.
struct TuneArguments {
  PipelineArguments pipeline;
  std::string budget = "2m";
  std::string memory;
  std::optional<int> cores;
  std::string goal = "throughput";
  std::vector<std::string> allow;
  std::vector<std::string> vary;
  double seconds = 1.5;
  double warmup = 0.5;
  std::optional<double> trialTimeout;
  FailureFlag maxFailures;
  KeepFlags keep;
  std::string output;
  bool json = false;
  bool events = false;
  std::string replayed;         ///< experiment to make the search of again; empty: none
  bool resume = false;          ///< go on with a stopped tuning
  std::string resumed;          ///< its experiment; empty: the newest
  std::set<std::string> given;  ///< of the flags that takeRequest knows, those that were typed

  bool replays() const { return !replayed.empty(); }
};

/// What the flags ask for, to be kept.
TuneRequest requestOf(const TuneArguments& arguments);
/// What a kept tuning was asked for, where no flag says otherwise.
void takeRequest(TuneArguments& arguments, const TuneRequest& request);

/// What the arguments mean together.
struct TuneMeaning {
  double budgetSeconds = 120;
  TuneGoal goal = TuneGoal::Throughput;
  AllowedChanges allowed;
  TrialRules rules;
  FailureLimit failureLimit;
};
/// The error is a sentence about the flag.
Result<TuneMeaning> meaningOf(const TuneArguments& arguments);

/// "2m", "90s", "90", "1.5 min": seconds.
Result<double> parseSeconds(const std::string& text);

/// "millrace compare ..." of the pipeline as it is and with these edits; empty where an edit is no
/// setting, or the pipeline came out of the store.
std::string compareCommandOf(const TuneArguments& arguments, const std::vector<Advice>& edits);
/// "millrace tune --resume ...", which goes on with that experiment.
std::string resumeCommandOf(const TuneArguments& arguments, const std::string& experiment);
/// The command that writes the edited pipeline: out of the store where its run is kept. Empty where
/// no command does.
std::string writeCommandOf(const TuneArguments& arguments, const std::vector<Advice>& edits,
                           const std::string& runId);

}  // namespace millrace::cli
