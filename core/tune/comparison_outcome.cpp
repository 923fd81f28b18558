// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/comparison_outcome.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

RunResult resultOf(const BlockResult& blocks, std::size_t side) {
  RunResult result;
  for (const MeasuredBlock& block : blocks.measured.blocks)
    result.repeats.push_back(block.sides[side]);
  // The store keeps no figures of stages, so blocks from before a stop have none.
  for (SpanFigures& repeat : result.repeats) repeat.stages.clear();
  result.figures = combineRepeats(result.repeats);
  return result;
}

}  // namespace

ComparisonOutcome outcomeOf(const BlockResult& blocks, const BlockRule& rule,
                            std::vector<std::string> differs) {
  ComparisonOutcome outcome;
  outcome.measured = blocks.measured;
  outcome.sides.resize(kSideLetters.size());
  if (blocks.end == BlockEnd::Stopped) outcome.outcome = RunOutcome::Interrupted;
  if (blocks.end == BlockEnd::Stopped) outcome.reason = "stopped";
  if (blocks.end == BlockEnd::Failed) {
    outcome.outcome = RunOutcome::Failed;
    outcome.reason = fmt::format("{}: {}", kSideLetters[blocks.failedSide], blocks.reason);
  }
  for (std::size_t i = 0; i < outcome.sides.size(); ++i) {
    RunResult& result = outcome.sides[i].result;
    result = resultOf(blocks, i);
    result.outcome = outcome.outcome;
    result.reason = outcome.reason;
  }
  outcome.verdict = judgeTogether(blocks.measured.rates(0), blocks.measured.rates(1), rule);
  if (!differs.empty()) outcome.verdict = notAlike(outcome.verdict, std::move(differs));
  return outcome;
}

std::string disturbedText(const ComparisonOutcome& outcome) {
  const std::size_t kept = outcome.measured.disturbed();
  const std::size_t replaced = outcome.measured.replaced;
  if (kept == 0 && replaced == 0) return {};
  const std::string& first = outcome.measured.disturbance;
  const std::string why = first.empty() ? "" : " (" + first + ")";
  if (kept == 0) return counted(replaced, "disturbed block") + " measured again" + why;
  std::string text =
      fmt::format("{} of {} disturbed", kept, counted(outcome.measured.blocks.size(), "block"));
  if (replaced > 0) text += fmt::format(", {} measured again", replaced);
  return text + why + ": a quiet machine would resolve smaller differences";
}

}  // namespace millrace
