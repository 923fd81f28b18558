// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/analysis/verdict.h"
#include "core/measure/run_result.h"
#include "core/tune/block_measurement.h"

namespace millrace {

/// The names of the two sides of a comparison.
inline constexpr std::array<const char*, 2> kSideLetters = {"A", "B"};

/// A difference between the two pipelines.
struct SideDifference {
  std::string what;  ///< "workers.count", or a node's id
  std::string a;     ///< "-" if that side does not have it
  std::string b;
};

/// One of the two pipelines, after the comparison.
struct ComparedSide {
  std::string pipeline;  ///< file or example; for a kept run, that of the run
  std::string name;      ///< the same, preceded by the number of a kept run
  std::string runId;     ///< number in the store; empty: not kept
  RunResult result;
};

/// The result of a comparison of two pipelines that were measured together. Value.
struct ComparisonOutcome {
  RunOutcome outcome = RunOutcome::Finished;
  std::string reason;               ///< why it failed or was interrupted
  std::vector<ComparedSide> sides;  ///< A and B
  std::vector<SideDifference> differences;
  MeasuredBlocks measured;
  Verdict verdict;

  bool kept() const { return !sides.empty() && !sides.front().runId.empty(); }
};

/// The figures of both sides' blocks with their verdict. `differs`: what prevents a verdict; empty
/// if nothing does. Names, run numbers and differences are left to the caller.
ComparisonOutcome outcomeOf(const BlockResult& blocks, const BlockRule& rule,
                            std::vector<std::string> differs);

/// A sentence about disturbances by the machine, without a full stop; empty if there were none.
std::string disturbedText(const ComparisonOutcome& outcome);

}  // namespace millrace
