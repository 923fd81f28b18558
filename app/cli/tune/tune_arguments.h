// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/cli/common/pipeline_input.h"
#include "app/cli/run/run_flags.h"
#include "core/analysis/advice.h"
#include "core/tune/tuner/tune_log.h"

namespace millrace::cli {

inline TuneRequest usualTuning() {
  TuneRequest usual;
  usual.budget = "2m";
  usual.goal = "throughput";
  usual.seconds = 1.5;
  usual.warmup = 0.5;
  return usual;
}

/// The arguments of `millrace tune`.
struct TuneArguments {
  PipelineArguments pipeline;
  /// What is kept for a later --resume and --replay, but for what other flags say.
  TuneRequest asked = usualTuning();
  FailureFlag maxFailures;
  KeepFlags keep;
  std::string output;
  bool json = false;
  bool events = false;
  std::string replayed;         ///< experiment to replay; empty: none
  bool resume = false;          ///< continue a stopped tuning
  std::string resumed;          ///< its experiment; empty: the newest
  std::set<std::string> given;  ///< flags known to takeRequest that were given

  bool replays() const { return !replayed.empty(); }
};

/// The request that the flags make, for the store.
TuneRequest requestOf(const TuneArguments& arguments);
/// Fills in a kept tuning's request where no flag was given.
void takeRequest(TuneArguments& arguments, const TuneRequest& request);

/// "millrace compare ..." of the unmodified pipeline and these edits; empty if an edit is not a
/// setting, or if the pipeline came from the store.
std::string compareCommandOf(const TuneArguments& arguments, const std::vector<Advice>& edits);
/// "millrace tune --resume ...", which continues that experiment.
std::string resumeCommandOf(const TuneArguments& arguments, const std::string& experiment);
/// The command that writes the edited pipeline; it reads the store if the run is kept. Empty if no
/// command can do it.
std::string writeCommandOf(const TuneArguments& arguments, const std::vector<Advice>& edits,
                           const std::string& runId);

}  // namespace millrace::cli
