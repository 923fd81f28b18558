// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/compare/comparison_outcome.h"

#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/common/text_layout.h"
#include "app/cli/run/report.h"
#include "core/base/text.h"
#include "core/events/event_json.h"
#include "core/events/json_text.h"
#include "core/events/verdict_json.h"
#include "core/metrics/metric_text.h"

namespace millrace::cli {

namespace {

constexpr std::size_t kNameColumns = 24;
constexpr std::size_t kSideColumns = 25;

RunResult resultOf(const BlockResult& blocks, std::size_t side) {
  RunResult result;
  for (const MeasuredBlock& block : blocks.measured.blocks)
    result.repeats.push_back(block.sides[side]);
  // The store keeps no figures of stages, so blocks from before a stop have none.
  for (SpanFigures& repeat : result.repeats) repeat.stages.clear();
  result.figures = combineRepeats(result.repeats);
  return result;
}

std::string sideRow(const std::string& name, const std::string& a, const std::string& b) {
  return trimmedLine("  " + fitted(name, kNameColumns) + "  " + fitted(a, kSideColumns) + "  " +
                     fitted(b, kSideColumns));
}

std::string rateSpread(const SpanFigures& figures) {
  const RateFigures& rate = figures.samplesPerSecond;
  if (!rate.mean) return "-";
  const MetricSpec& metric = *findMetric("samples_per_second");
  if (!rate.ci95Low) return metricNumber(metric, *rate.mean);
  return metricSpread(metric, *rate.mean, (*rate.ci95High - *rate.ci95Low) / 2);
}

/// One row of figures; empty if neither side has the figure.
std::string figureRow(const ComparisonOutcome& outcome, const std::string& name,
                      const std::function<std::string(const SpanFigures&)>& shown) {
  const std::string a = shown(outcome.results[0].figures);
  const std::string b = shown(outcome.results[1].figures);
  if (a.empty() && b.empty()) return {};
  return sideRow(name, a.empty() ? "-" : a, b.empty() ? "-" : b);
}

std::string figureRows(const ComparisonOutcome& outcome) {
  std::string text = figureRow(outcome, "samples/s", rateSpread);
  text += figureRow(outcome, "step busy", [](const SpanFigures& f) {
    return f.stepShare ? fmt::format("{:.1f} %", 100 * *f.stepShare) : std::string();
  });
  text += figureRow(outcome, "CPU per 1000 samples", [](const SpanFigures& f) {
    return f.cpuSecondsPer1000Samples ? humanSeconds(*f.cpuSecondsPer1000Samples) : std::string();
  });
  text += figureRow(outcome, "peak memory", [](const SpanFigures& f) {
    return f.peakRssBytes ? humanBytes(static_cast<double>(*f.peakRssBytes)) : std::string();
  });
  return text;
}

std::string differenceRows(const ComparisonOutcome& outcome) {
  if (outcome.differences.empty()) return "\n  settings: the same on both sides\n";
  std::string text = "\n" + sideRow("what differs", "A", "B");
  for (const SideDifference& difference : outcome.differences)
    text += sideRow(validUtf8(difference.what), validUtf8(difference.a), validUtf8(difference.b));
  return text;
}

/// A sentence about disturbances by the machine.
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

}  // namespace

ComparisonOutcome outcomeOf(const BlockResult& blocks, const BlockRule& rule,
                            std::vector<std::string> differs) {
  ComparisonOutcome outcome;
  outcome.measured = blocks.measured;
  outcome.results = {resultOf(blocks, 0), resultOf(blocks, 1)};
  if (blocks.end == BlockEnd::Stopped) outcome.outcome = RunOutcome::Interrupted;
  if (blocks.end == BlockEnd::Stopped) outcome.reason = "stopped";
  if (blocks.end == BlockEnd::Failed) {
    outcome.outcome = RunOutcome::Failed;
    outcome.reason = fmt::format("{}: {}", kSideLetters[blocks.failedSide], blocks.reason);
  }
  for (RunResult& result : outcome.results) {
    result.outcome = outcome.outcome;
    result.reason = outcome.reason;
  }
  outcome.verdict = judgeTogether(blocks.measured.rates(0), blocks.measured.rates(1), rule);
  if (!differs.empty()) outcome.verdict = notAlike(outcome.verdict, std::move(differs));
  return outcome;
}

std::string comparisonText(const ComparisonOutcome& outcome, const ComparisonSides& sides) {
  std::string text;
  for (std::size_t i = 0; i < sides.size(); ++i)
    text += fmt::format("{}  {}\n", kSideLetters[i], validUtf8(sides[i]->name));
  if (!outcome.measured.blocks.empty()) text += "\n" + sideRow("", "A", "B") + figureRows(outcome);
  text += differenceRows(outcome);
  text += "\n" + wrapped(validUtf8(describe(outcome.verdict)), 2);
  if (const std::string disturbed = disturbedText(outcome); !disturbed.empty())
    text += wrapped(disturbed, 2);
  if (outcome.outcome == RunOutcome::Failed)
    text += wrapped("failed: " + validUtf8(outcome.reason), 2);
  if (!outcome.runIds.empty())
    text += fmt::format("\n  kept as runs {0} and {1}: millrace runs compare {0} {1}{2}\n",
                        outcome.runIds[0], outcome.runIds[1], validUtf8(outcome.storeFlag));
  return text;
}

std::string comparisonJson(const ComparisonOutcome& outcome, const ComparisonSides& sides,
                           bool indented) {
  Json json = {{"format_version", 1},
               {"replaced_blocks", outcome.measured.replaced},
               {"disturbance", orNull(disturbedText(outcome))}};
  json["outcome"] = outcome.outcome == RunOutcome::Finished ? "finished"
                    : outcome.outcome == RunOutcome::Failed ? "failed"
                                                            : "interrupted";
  json["reason"] = orNull(outcome.reason);
  json["verdict"] = verdictJson(outcome.verdict, "A", "B");
  json["differences"] = Json::array();
  for (const SideDifference& difference : outcome.differences)
    json["differences"].push_back(
        {{"what", difference.what}, {"a", difference.a}, {"b", difference.b}});
  json["blocks"] = Json::array();
  const std::vector<double> ratesA = outcome.measured.rates(0);
  const std::vector<double> ratesB = outcome.measured.rates(1);
  for (std::size_t i = 0; i < ratesA.size(); ++i)
    json["blocks"].push_back(
        {{"rates", {ratesA[i], ratesB[i]}}, {"disturbed", outcome.measured.blocks[i].disturbed}});
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const RunIdentity identity{outcome.runIds.empty() ? "" : outcome.runIds[i], sides[i]->pipeline};
    json[i == 0 ? "a" : "b"] = Json::parse(resultJson(outcome.results[i], identity, false));
  }
  return dumpJson(json, indented);
}

}  // namespace millrace::cli
