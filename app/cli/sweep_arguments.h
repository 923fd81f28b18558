// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/pipeline_input.h"
#include "app/cli/run_flags.h"
#include "core/run/measured_run.h"
#include "core/tune/sweep_plan.h"
#include "core/tune/trial_process.h"

namespace millrace::cli {

/// What `millrace sweep` was asked for, by flags and by `--file`. Absent: neither says it.
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
  std::string resumed;  ///< the experiment that --resume names; empty: the newest that fits
  std::string csv;
  bool json = false;
  bool events = false;

  std::size_t blocks() const { return repeats.value_or(3); }
};

/// Takes what the file says and no flag does (README.md has the format). Paths in it begin at its
/// folder. The error names the file and the key.
Status readSweepFile(SweepArguments& arguments);

/// What the arguments mean together; the error is a sentence about the flag.
struct SweepMeaning {
  SweepDesign design;
  MeasureSettings measure;  ///< of one trial: one repeat
  TrialLimits limits;
};
Result<SweepMeaning> meaningOf(const SweepArguments& arguments);

/// The flags by which this sweep is begun again, without `--resume`: "millrace sweep ...".
std::string sweepCommand(const SweepArguments& arguments);
/// "millrace run ..." with the settings of that point over the pipeline's own.
std::string runCommandOf(const SweepArguments& arguments, const SweepPlan& plan, std::size_t point);
/// "millrace compare ..." of the pipeline as it is and with the settings of that point.
std::string compareCommandOf(const SweepArguments& arguments, const SweepPlan& plan,
                             std::size_t point);

/// A trial fails after so many times the spans that it measures.
inline constexpr double kTimeoutTimes = 10;

/// "2G", "512 MiB", "1000000000": bytes.
Result<std::uint64_t> parseBytes(const std::string& text);

}  // namespace millrace::cli
