// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/results/verdict_json.h"
#include "core/tune/comparison_outcome.h"

namespace millrace {

/// A comparison as its result writes it (docs/reference/command-line.md): `format_version outcome
/// reason verdict differences` (`what a b`) `blocks` (`rates` of A and B, `disturbed`)
/// `replaced_blocks disturbance a b`, the last two in the form of `run --json`. Value.
struct ComparisonSummary {
  struct Block {
    std::vector<double> rates;  ///< samples/s of A and of B
    bool disturbed = false;
  };
  struct Side {
    std::string runId;  ///< number in the store; empty: not kept
    std::string pipeline;
  };
  std::string outcome;  ///< finished, failed or interrupted
  std::string reason;
  std::optional<VerdictSummary> verdict;
  std::vector<SideDifference> differences;
  std::vector<Block> blocks;
  std::size_t replacedBlocks = 0;
  std::string disturbance;  ///< a sentence; empty: none
  Side a;
  Side b;
};

/// The object of `--json`, on one line or indented.
std::string comparisonJson(const ComparisonOutcome& outcome, bool indented);
/// Reads that object, or a `result` event with it; nullopt if the text is not a JSON object. Keys
/// that are missing keep their default.
std::optional<ComparisonSummary> readComparison(std::string_view json);

}  // namespace millrace
