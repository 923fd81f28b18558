// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/report/page_plots.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "core/metrics/metric_text.h"
#include "core/report/page_svg.h"

namespace millrace {

namespace {

std::vector<double> rates(const ComparedRun& run) {
  std::vector<double> all;
  for (const ComparedRepeat& repeat : run.repeats)
    if (repeat.finished && repeat.rate) all.push_back(*repeat.rate);
  return all;
}

std::string runName(const ComparedRun& run) { return "run " + run.number(); }

std::string rateWords(const ComparedRun& run) {
  if (!run.summary.samplesPerSecond) return "nothing measured";
  const MetricSpec& spec = *findMetric("samples_per_second");
  if (!run.rate95) return metricNumber(spec, *run.summary.samplesPerSecond);
  return metricNumber(spec, *run.summary.samplesPerSecond) + " [" +
         metricNumber(spec, std::max(0.0, run.rate95->low)) + ", " +
         metricNumber(spec, run.rate95->high) + "]";
}

/// A run's values are a line of text above its bar: at the right they would be cut if they are
/// long.
constexpr double kRateRow = 46;
constexpr double kRateText = 14;  ///< from the top of the row
constexpr double kRateBar = 30;

/// `top`: that of the row.
std::string rateRow(const ComparedRun& run, const std::string& series, const Axis& axis,
                    double top) {
  const double y = top + kRateBar;
  std::string text = svgText(kPlotLeft - 10, y + 4, "name end", runName(run));
  const auto x = [&](double rate) { return axis.at(rate, kPlotLeft, kPlotRight); };
  if (run.rate95) {
    const double low = x(std::max(axis.low, run.rate95->low));
    text +=
        svgBar(low, y - 7, x(std::min(axis.high, run.rate95->high)) - low, 14, series + " soft");
  }
  for (const double rate : rates(run)) text += svgDot(x(rate), y, series);
  if (run.summary.samplesPerSecond) {
    const double mean = x(*run.summary.samplesPerSecond);
    text += svgLine(mean, y - 10, mean, y + 10, series + " mean");
  }
  return text + svgText(kPlotLeft + 4, top + kRateText, "value", rateWords(run));
}

}  // namespace

std::string seriesClass(const Comparison& comparison, std::size_t run) {
  if (comparison.runs[run].summary.baseline) return "s5 base";
  // Series 5 is reserved for the baseline; without a baseline it is used like the others.
  const bool baseline = comparison.runs.front().summary.baseline;
  const std::size_t place = baseline ? run - 1 : run;
  constexpr int kWithBaseline[] = {1, 2, 3, 4, 6};
  const std::size_t count = baseline ? std::size(kWithBaseline) : 6;
  const int colour = baseline ? kWithBaseline[place % count] : static_cast<int>(place % count) + 1;
  return fmt::format("s{}{}", colour, place >= count ? " dashed" : "");
}

std::string ratePlot(const Comparison& comparison) {
  double low = 1e300;
  double high = 0;
  std::string words;
  for (const ComparedRun& run : comparison.runs) {
    std::vector<double> all = rates(run);
    if (run.summary.samplesPerSecond) all.push_back(*run.summary.samplesPerSecond);
    if (run.rate95) all.insert(all.end(), {std::max(0.0, run.rate95->low), run.rate95->high});
    for (const double rate : all) {
      low = std::min(low, rate);
      high = std::max(high, rate);
    }
    words += fmt::format("{}: {}. ", runName(run), rateWords(run));
  }
  if (!(high > 0)) return {};
  const Axis axis = axisFor(low, high, true);
  const double bottom = 8 + kRateRow * static_cast<double>(comparison.runs.size());
  std::string content = verticalGrid(axis, bottom, "samples/s");
  for (std::size_t i = 0; i < comparison.runs.size(); ++i)
    content += rateRow(comparison.runs[i], seriesClass(comparison, i), axis,
                       4 + kRateRow * static_cast<double>(i));
  double height = bottom + 24;
  if (axis.low > 0) {
    content += svgText(kPlotLeft, height + 8, "tick", "The axis does not start at 0.");
    height += 14;
  }
  return svgElement("rate", height, "Samples per second", words, content);
}

namespace {

/// Where the measured span starts: at the first window.
double beginOf(const ComparedRepeat& repeat) {
  return repeat.windows.empty() ? 0 : repeat.windows.front().startSeconds;
}

double rateOf(const WindowRecord& window) {
  return window.seconds > 0 ? static_cast<double>(window.samples) / window.seconds : 0;
}

constexpr double kWindowLeft = 60;
constexpr double kPlotTop = 10;
constexpr double kPlotBottom = 210;

std::string windowLine(const ComparedRepeat& repeat, const std::string& series, const Axis& x,
                       const Axis& y) {
  std::string points;
  double toX = 0;
  double toY = 0;
  for (const WindowRecord& window : repeat.windows) {
    const double middle = window.startSeconds - beginOf(repeat) + window.seconds / 2;
    toX = x.at(middle, kWindowLeft, kPlotRight);
    toY = y.at(rateOf(window), kPlotBottom, kPlotTop);
    points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", toX, toY);
  }
  // A line of one point would be invisible.
  if (repeat.windows.size() == 1) return svgDot(toX, toY, series);
  return fmt::format("<polyline points=\"{}\" class=\"{} line\"/>\n", points, series);
}

std::string windowGrid(const Axis& x, const Axis& y) {
  std::string text;
  for (const double tick : y.ticks()) {
    const double at = y.at(tick, kPlotBottom, kPlotTop);
    text += svgLine(kWindowLeft, at, kPlotRight, at, "grid") +
            svgText(kWindowLeft - 8, at + 4, "tick end", roundedText(tick));
  }
  for (const double tick : x.ticks())
    text += svgText(x.at(tick, kWindowLeft, kPlotRight), kPlotBottom + 16, "tick mid",
                    tick == 0 ? "0" : roundedText(tick) + " s");
  return text + svgText(kPlotRight + 24, kPlotBottom + 16, "tick", "samples/s by time");
}

/// Labels at the ends of the lines, moved apart where they would overlap.
std::string endLabels(const Comparison& comparison, const std::vector<double>& ends) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < ends.size(); ++i)
    if (ends[i] > 0) order.push_back(i);
  std::ranges::sort(order, {}, [&](std::size_t i) { return ends[i]; });
  std::string text;
  double last = -100;
  for (const std::size_t i : order) {
    last = std::max(ends[i], last + 15);
    text +=
        svgLine(kPlotRight + 6, last, kPlotRight + 22, last, seriesClass(comparison, i) + " line") +
        svgText(kPlotRight + 28, last + 4, "value", runName(comparison.runs[i]));
  }
  return text;
}

}  // namespace

std::string windowPlot(const Comparison& comparison) {
  double longest = 0;
  double highest = 0;
  for (const ComparedRun& run : comparison.runs)
    for (const ComparedRepeat& repeat : run.repeats)
      for (const WindowRecord& window : repeat.windows) {
        longest = std::max(longest, window.startSeconds - beginOf(repeat) + window.seconds);
        highest = std::max(highest, rateOf(window));
      }
  if (!(highest > 0) || !(longest > 0)) return {};
  const Axis x = axisFor(0, longest, false);
  const Axis y = axisFor(0, highest, false);
  std::string content = windowGrid(x, y);
  std::vector<double> ends(comparison.runs.size(), 0);
  for (std::size_t i = 0; i < comparison.runs.size(); ++i)
    for (const ComparedRepeat& repeat : comparison.runs[i].repeats) {
      if (repeat.windows.empty()) continue;
      content += windowLine(repeat, seriesClass(comparison, i), x, y);
      ends[i] = y.at(rateOf(repeat.windows.back()), kPlotBottom, kPlotTop);
    }
  content += endLabels(comparison, ends);
  return svgElement("windows", kPlotBottom + 26, "Samples per second by time in the repeat",
                    "One line per repeat, one point per window of about a second. A flat line "
                    "is a steady run; the means of the repeats are in the table of runs.",
                    content);
}

}  // namespace millrace
