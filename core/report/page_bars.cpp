// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The plots of nodes and queues.
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "core/metrics/metric_text.h"
#include "core/report/page_plots.h"
#include "core/report/page_svg.h"

namespace millrace {

namespace {

constexpr double kBar = 14;
constexpr double kBarStep = 18;
constexpr double kGroupGap = 12;

std::vector<const FigureRow*> rowsOf(const Comparison& comparison, std::string_view metric) {
  std::vector<const FigureRow*> rows;
  for (const FigureRow& row : comparison.figures)
    if (row.spec->id == metric) rows.push_back(&row);
  return rows;
}

/// One group of bars per row, one bar per run with a value.
struct Bars {
  std::string content;
  std::string words;
  double bottom = 8;
};

using DrawBar = std::function<std::string(std::size_t run, double value, double y)>;

void addGroup(Bars& bars, const Comparison& comparison, const FigureRow& row, const DrawBar& draw) {
  double y = bars.bottom;
  bars.words += row.of + ": ";
  for (std::size_t run = 0; run < row.values.size(); ++run) {
    const auto& value = row.values[run].value;
    if (!value) continue;
    if (y == bars.bottom) bars.content += svgText(kPlotLeft - 10, y + 11, "name end", row.of);
    bars.content += draw(run, *value, y);
    bars.words +=
        fmt::format("run {} {}, ", comparison.runs[run].number(), metricText(*row.spec, *value));
    y += kBarStep;
  }
  if (y == bars.bottom) return;
  bars.words.replace(bars.words.size() - 2, 2, ". ");
  bars.bottom = y + kGroupGap;
}

std::string valueLabel(const Comparison& comparison, std::size_t run, double y,
                       const std::string& value) {
  return svgText(kPlotRight + 8, y + 11, "value",
                 "run " + comparison.runs[run].number() + ": " + value);
}

double shareOf(const Comparison& comparison, std::string_view metric, const std::string& queue,
               std::size_t run) {
  for (const FigureRow* row : rowsOf(comparison, metric))
    if (row->of == queue) return row->values[run].value.value_or(0);
  return 0;
}

}  // namespace

std::string nodePlot(const Comparison& comparison) {
  std::vector<const FigureRow*> rows = rowsOf(comparison, "node.mean_ms");
  std::erase_if(rows, [&](const FigureRow* row) { return comparison.isNegligible(*row); });
  double longest = 0;
  for (const FigureRow* row : rows)
    for (const FigureValue& figure : row->values)
      longest = std::max(longest, figure.value.value_or(0));
  if (!(longest > 0)) return {};
  const Axis axis = axisFor(0, longest, false);
  Bars bars;
  for (const FigureRow* row : rows)
    addGroup(bars, comparison, *row, [&](std::size_t run, double value, double y) {
      return svgBar(kPlotLeft, y, axis.at(value, kPlotLeft, kPlotRight) - kPlotLeft, kBar,
                    seriesClass(comparison, run) + " fill") +
             valueLabel(comparison, run, y, metricNumber(*row->spec, value));
    });
  return svgElement("nodes", bars.bottom + 20, "Mean time per item, by node", bars.words,
                    verticalGrid(axis, bars.bottom - 4, "ms") + bars.content);
}

std::string queuePlot(const Comparison& comparison) {
  const std::vector<const FigureRow*> rows = rowsOf(comparison, "queue.full_share");
  if (rows.empty()) return {};
  Bars bars;
  for (const FigureRow* row : rows)
    addGroup(bars, comparison, *row, [&](std::size_t run, double full, double y) {
      const double width = kPlotRight - kPlotLeft;
      const double empty = shareOf(comparison, "queue.empty_share", row->of, run);
      const double between = std::clamp(1 - full - empty, 0.0, 1.0);
      return svgBar(kPlotLeft, y, width, kBar, "track") +
             svgBar(kPlotLeft, y, width * std::clamp(full + between, 0.0, 1.0), kBar, "partly") +
             svgBar(kPlotLeft, y, width * std::clamp(full, 0.0, 1.0), kBar, "water") +
             valueLabel(comparison, run, y,
                        fmt::format("{:.0f} % / {:.0f} %", 100 * full, 100 * empty));
    });
  const Axis percent{0, 100, 20};
  return svgElement("queues", bars.bottom + 20, "Share of time in which queues were full",
                    bars.words,
                    verticalGrid(percent, bars.bottom - 4, "% full / empty") + bars.content);
}

}  // namespace millrace
