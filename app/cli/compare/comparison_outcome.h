// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/cli/compare/comparison_sides.h"
#include "core/analysis/verdict.h"
#include "core/measure/run_result.h"
#include "core/tune/block_measurement.h"

namespace millrace::cli {

/// The result of a comparison.
struct ComparisonOutcome {
  RunOutcome outcome = RunOutcome::Finished;
  std::string reason;
  std::vector<RunResult> results;   ///< one for each side
  std::vector<std::string> runIds;  ///< empty: not kept
  std::string storeFlag;            ///< KeepFlags::suggested
  std::vector<SideDifference> differences;
  MeasuredBlocks measured;
  Verdict verdict;
};

/// The result of both sides' blocks with its verdict; `differs` as returned by notAlikeIn.
ComparisonOutcome outcomeOf(const BlockResult& blocks, const BlockRule& rule,
                            std::vector<std::string> differs);

/// The page for the user, at most 80 columns: both sides next to each other, the differing
/// settings, the verdict.
std::string comparisonText(const ComparisonOutcome& outcome, const ComparisonSides& sides);

/// `format_version outcome reason verdict differences` (`what a b`) `blocks` (`rates` of A and B,
/// `disturbed`) `replaced_blocks a b`, the last two in the form of `run --json`.
std::string comparisonJson(const ComparisonOutcome& outcome, const ComparisonSides& sides,
                           bool indented);

}  // namespace millrace::cli
