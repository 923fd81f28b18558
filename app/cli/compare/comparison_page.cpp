// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/compare/comparison_page.h"

#include <functional>

#include <fmt/format.h>

#include "app/cli/common/terminal.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/run/report.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/metrics/metric_text.h"

namespace millrace::cli {

namespace {

constexpr std::size_t kNameColumns = 24;
constexpr std::size_t kSideColumns = 25;

std::string sideRow(const std::string& name, const std::string& a, const std::string& b) {
  return trimmedLine("  " + fitted(name, kNameColumns) + "  " + fitted(a, kSideColumns) + "  " +
                     fitted(b, kSideColumns));
}

std::string rateSpread(const SpanFigures& figures) {
  const RateFigures& rate = figures.samplesPerSecond;
  if (!rate.mean) return "-";
  const MetricSpec& metric = *findMetric("samples_per_second");
  if (!rate.ci95Low) return metricNumber(metric, *rate.mean);
  return metricInterval(metric, *rate.mean, *rate.ci95Low, *rate.ci95High);
}

/// One row of figures; empty if neither side has the figure.
std::string figureRow(const ComparisonOutcome& outcome, const std::string& name,
                      const std::function<std::string(const SpanFigures&)>& shown) {
  const std::string a = shown(outcome.sides[0].result.figures);
  const std::string b = shown(outcome.sides[1].result.figures);
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
    text +=
        sideRow(visibleName(difference.what), visibleName(difference.a), visibleName(difference.b));
  return text;
}

}  // namespace

std::string comparisonText(const ComparisonOutcome& outcome, const std::string& storeFlag) {
  std::string text;
  for (std::size_t i = 0; i < outcome.sides.size(); ++i)
    text += fmt::format("{}  {}\n", kSideLetters[i], visibleName(outcome.sides[i].name));
  if (!outcome.measured.blocks.empty()) text += "\n" + sideRow("", "A", "B") + figureRows(outcome);
  text += differenceRows(outcome);
  const std::string verdict = outcome.measured.blocks.empty()
                                  ? "nothing was measured: no block was completed"
                                  : describe(outcome.verdict);
  text += "\n" + wrapped(emphasised(visibleName(verdict)), 2);
  if (const std::string disturbed = disturbedText(outcome); !disturbed.empty())
    text += wrapped(disturbed, 2);
  if (outcome.outcome == RunOutcome::Failed)
    text += wrapped("failed: " + visibleName(outcome.reason), 2);
  if (outcome.kept())
    text += fmt::format("\n  kept as runs {0} and {1}: millrace runs compare {0} {1}{2}\n",
                        outcome.sides[0].runId, outcome.sides[1].runId, visibleName(storeFlag));
  return text;
}

}  // namespace millrace::cli
