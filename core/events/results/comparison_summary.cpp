// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/results/comparison_summary.h"

#include <utility>

#include "core/base/text/parsed_json.h"
#include "core/events/json/json_fields.inl"
#include "core/events/stream/event_json.h"

namespace millrace {

template <class Fields>
void describe(Fields& fields, SideDifference& difference) {
  fields("what", difference.what);
  fields("a", difference.a);
  fields("b", difference.b);
}

template <class Fields>
void describe(Fields& fields, ComparisonSummary::Block& block) {
  fields("rates", block.rates);
  fields("disturbed", block.disturbed);
}

template <class Fields>
void describe(Fields& fields, ComparisonSummary::Side& side) {
  fields.text(kRunIdKey, side.runId);
  fields(kPipelineKey, side.pipeline);
}

template <class Fields>
void describe(Fields& fields, ComparisonSummary& summary) {
  fields(kOutcomeKey, summary.outcome);
  fields.text(kReasonKey, summary.reason);
  fields("differences", summary.differences);
  fields("blocks", summary.blocks);
  fields("replaced_blocks", summary.replacedBlocks);
  fields.text("disturbance", summary.disturbance);
  fields("a", summary.a);
  fields("b", summary.b);
}

namespace {

constexpr const char* kVerdictKey = "verdict";

ComparisonSummary summaryOf(const ComparisonOutcome& outcome) {
  ComparisonSummary summary;
  summary.outcome = nameOf(outcome.outcome);
  summary.reason = outcome.reason;
  summary.differences = outcome.differences;
  const std::vector<double> ratesA = outcome.measured.rates(0);
  const std::vector<double> ratesB = outcome.measured.rates(1);
  for (std::size_t i = 0; i < ratesA.size(); ++i)
    summary.blocks.push_back({{ratesA[i], ratesB[i]}, outcome.measured.blocks[i].disturbed});
  summary.replacedBlocks = outcome.measured.replaced;
  summary.disturbance = disturbedText(outcome);
  return summary;
}

Json sideJson(const ComparedSide& side) {
  return parsedJson(resultJson(side.result, {side.runId, side.pipeline}, false));
}

}  // namespace

std::string comparisonJson(const ComparisonOutcome& outcome, bool indented) {
  Json json = jsonOf(summaryOf(outcome));
  json[kFormatVersionKey] = 1;
  json[kVerdictKey] = verdictJson(outcome.verdict, kSideLetters[0], kSideLetters[1]);
  json["a"] = sideJson(outcome.sides[0]);
  json["b"] = sideJson(outcome.sides[1]);
  return dumpJson(json, indented);
}

std::optional<ComparisonSummary> readComparison(std::string_view text) {
  const Json json = parsedJson(text);
  if (!json.is_object()) return std::nullopt;
  ComparisonSummary summary;
  readJsonInto(json, summary);
  if (const auto verdict = json.find(kVerdictKey); verdict != json.end() && verdict->is_object())
    summary.verdict = readVerdict(*verdict);
  return summary;
}

}  // namespace millrace
