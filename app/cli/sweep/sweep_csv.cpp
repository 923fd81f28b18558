// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cli/sweep/sweep_page.h"
#include "core/base/text/csv_cell.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_text.h"

namespace millrace::cli {

namespace {

std::string numberCell(const std::optional<double>& value) {
  return value ? fmt::format("{:.9g}", *value) : std::string();
}

}  // namespace

std::string sweepCsv(const SweepOutcome& outcome) {
  const SweepPlan& plan = outcome.plan;
  std::string text(kSweepCsvHead);
  for (const SweepAxis& axis : plan.axes) text += "," + csvCell(axis.name());
  text +=
      ",current,state,samples_per_second,ci95_low,ci95_high,repeats,cpu_seconds_per_1000_samples,"
      "peak_rss_bytes,step_share,reason";
  for (std::size_t b = 0; b < outcome.blocks; ++b) text += fmt::format(",rate_{}", b + 1);
  text += "\r\n";
  for (std::size_t p = 0; p < plan.points.size(); ++p) {
    const PointState& state = outcome.result.points[p];
    const SpanFigures& figures = outcome.finding.figures[p];
    const RateFigures& rate = figures.samplesPerSecond;
    text += fmt::format("{},{}", p, outcome.runIds[p]);
    for (const Value& value : plan.points[p].values) text += "," + csvCell(textOf(value));
    text +=
        fmt::format(",{},{},{},{},{},{},{},{},{},{}", plan.points[p].current, outcome.stateOf(p),
                    numberCell(rate.mean), numberCell(rate.ci95Low), numberCell(rate.ci95High),
                    state.repeats.size(), numberCell(figures.cpuSecondsPer1000Samples),
                    figures.peakRssBytes ? std::to_string(*figures.peakRssBytes) : "",
                    numberCell(figures.stepShare), csvCell(visibleText(state.failure)));
    for (std::size_t b = 0; b < outcome.blocks; ++b)
      text += "," + (b < state.repeats.size() ? numberCell(state.repeats[b].samplesPerSecond.mean)
                                              : std::string());
    text += "\r\n";
  }
  return text;
}

}  // namespace millrace::cli
