// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "app/cli/common/pipeline_input.h"
#include "app/cli/run/run_flags.h"
#include "core/jobs/search/process_trial.h"
#include "core/jobs/sweep/sweep_request.h"
#include "core/tune/sweep/sweep_plan.h"

namespace millrace::cli {

/// The arguments of `millrace sweep`, from flags and from `--file`. Absent: given by neither.
struct SweepArguments {
  PipelineArguments pipeline;
  std::string file;
  /// What is kept for a later --resume, but for what other flags say.
  SweepRequest asked;
  FailureFlag maxFailures;
  KeepFlags keep;
  bool resume = false;
  std::string resumed;  ///< the experiment named by --resume; empty: the newest that matches
  std::string csv;
  bool json = false;
  bool events = false;

  std::size_t blocks() const { return asked.repeats.value_or(3); }
};

/// What is kept with the sweep, for a later --resume.
SweepRequest requestOf(const SweepArguments& arguments);
/// Fills in the arguments of a kept sweep.
void takeRequest(SweepArguments& arguments, const SweepRequest& request);
/// The first of the flags that a kept sweep also has and that was given; empty if none was.
std::string givenAgain(const SweepArguments& arguments);

/// Adds the file's values for arguments that no flag gives (docs/reference/command-line.md#sweep).
/// Paths in the file are relative to its folder. The error names the file and the key.
Status readSweepFile(SweepArguments& arguments);

/// The combined meaning of the arguments; the error is a sentence about the flag.
struct SweepMeaning {
  SweepDesign design;
  TrialRules trial;  ///< a trial is one repeat
};
Result<SweepMeaning> meaningOf(const SweepArguments& arguments);

/// The command line that continues the kept sweep: "millrace sweep --resume EXPERIMENT".
std::string resumeCommandOf(const SweepArguments& arguments, const std::string& experiment);
/// "millrace run ..." with the settings of that point instead of the pipeline's own.
std::string runCommandOf(const SweepArguments& arguments, const SweepPlan& plan, std::size_t point);
/// "millrace compare ..." of the unmodified pipeline and the settings of that point.
std::string compareCommandOf(const SweepArguments& arguments, const SweepPlan& plan,
                             std::size_t point);

/// The program that runs now, even if its file was replaced meanwhile.
inline constexpr const char* kThisProgram = "/proc/self/exe";

}  // namespace millrace::cli
