// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/cli/comparison_sides.h"
#include "core/analyse/verdict.h"
#include "core/run/run_result.h"
#include "core/tune/block_measurement.h"

namespace millrace::cli {

/// What a comparison ended with.
struct ComparisonOutcome {
  RunOutcome outcome = RunOutcome::Finished;
  std::string reason;
  std::vector<RunResult> results;   ///< of both sides
  std::vector<std::string> runIds;  ///< empty: not kept
  std::string storeFlag;            ///< KeepFlags::suggested
  std::vector<SideDifference> differences;
  MeasuredBlocks measured;
  Verdict verdict;
};

/// What both sides' blocks give, and the verdict of them; `differs` as notAlikeIn has it.
ComparisonOutcome outcomeOf(const BlockResult& blocks, const BlockRule& rule,
                            std::vector<std::string> differs);

/// For a person, at most 80 columns: both sides beside each other, the settings that differ, the
/// verdict.
std::string comparisonText(const ComparisonOutcome& outcome, const ComparisonSides& sides);

/// `format_version outcome reason verdict differences` (`what a b`) `blocks` (`rates` of A and B,
/// `disturbed`) `replaced_blocks a b`, the last two as `run --json` prints a run.
std::string comparisonJson(const ComparisonOutcome& outcome, const ComparisonSides& sides,
                           bool indented);

}  // namespace millrace::cli
