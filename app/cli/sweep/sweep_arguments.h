// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/common/pipeline_input.h"
#include "app/cli/run/run_flags.h"
#include "core/jobs/common/amount.h"
#include "core/jobs/search/process_trial.h"
#include "core/tune/sweep/sweep_plan.h"

namespace millrace::cli {

/// The arguments of `millrace sweep`, from flags and from `--file`. Absent: given by neither.
struct SweepArguments {
  PipelineArguments pipeline;
  std::string file;
  std::vector<std::string> vary;
  std::string plan;
  std::optional<std::uint64_t> random;
  std::optional<std::uint64_t> latin;
  std::optional<std::size_t> repeats;
  std::optional<double> seconds;
  std::optional<std::uint64_t> batches;
  std::optional<double> warmup;
  std::optional<double> trialTimeout;
  std::string trialMemory;
  FailureFlag maxFailures;
  KeepFlags keep;
  bool resume = false;
  std::string resumed;  ///< the experiment named by --resume; empty: the newest that matches
  std::string csv;
  bool json = false;
  bool events = false;

  std::size_t blocks() const { return repeats.value_or(3); }
};

/// Adds the file's values for arguments that no flag gives (README.md has the format). Paths in the
/// file are relative to its folder. The error names the file and the key.
Status readSweepFile(SweepArguments& arguments);

/// The combined meaning of the arguments; the error is a sentence about the flag.
struct SweepMeaning {
  SweepDesign design;
  TrialRules trial;  ///< a trial is one repeat
};
Result<SweepMeaning> meaningOf(const SweepArguments& arguments);

/// The command line that begins this sweep, without `--resume`: "millrace sweep ...".
std::string sweepCommand(const SweepArguments& arguments);
/// "millrace run ..." with the settings of that point instead of the pipeline's own.
std::string runCommandOf(const SweepArguments& arguments, const SweepPlan& plan, std::size_t point);
/// "millrace compare ..." of the unmodified pipeline and the settings of that point.
std::string compareCommandOf(const SweepArguments& arguments, const SweepPlan& plan,
                             std::size_t point);

/// The program that runs now, even if its file was replaced meanwhile.
inline constexpr const char* kThisProgram = "/proc/self/exe";

}  // namespace millrace::cli
