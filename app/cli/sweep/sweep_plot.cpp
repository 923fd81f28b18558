// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "app/cli/common/text_layout.h"
#include "app/cli/run/report.h"
#include "app/cli/sweep/sweep_page.h"
#include "core/base/text/text.h"

namespace millrace::cli {

namespace {

constexpr std::size_t kLongestLabel = 16;

/// The values of an axis that were to be measured, including the current one; numbers are sorted.
std::vector<Value> valuesOf(const SweepPlan& plan, std::size_t axis) {
  std::vector<Value> values = plan.axes[axis].values;
  const Value& current = plan.axes[axis].current;
  if (std::ranges::find(values, current) == values.end()) values.push_back(current);
  const bool numbers = std::ranges::all_of(values, [](const Value& value) {
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
  });
  if (numbers) std::ranges::sort(values);
  return values;
}

std::optional<std::size_t> pointAt(const SweepPlan& plan, const std::vector<Value>& values) {
  const auto at = std::ranges::find(plan.points, values, &SweepPoint::values);
  if (at == plan.points.end()) return std::nullopt;
  return static_cast<std::size_t>(at - plan.points.begin());
}

/// The slowest and fastest ranked points of the plan.
struct Span {
  double low = 0;
  double high = 0;
};

Span spanOf(const SweepOutcome& outcome) {
  const std::vector<std::size_t>& ranking = outcome.finding.ranking;
  const auto rate = [&](std::size_t point) {
    return outcome.finding.figures[point].samplesPerSecond.mean.value_or(0);
  };
  return {rate(ranking.back()), rate(ranking.front())};
}

std::string mark(const SweepOutcome& outcome, std::size_t point) {
  std::string text;
  if (outcome.finding.best == point) text += '*';
  if (outcome.plan.points[point].current) text += '<';
  return text;
}

std::string numberAt(const SweepOutcome& outcome, std::optional<std::size_t> point) {
  if (!point) return {};
  if (outcome.result.points[*point].failed()) return "failed" + mark(outcome, *point);
  const auto& rate = outcome.finding.figures[*point].samplesPerSecond.mean;
  return rate ? rounded(*rate) + mark(outcome, *point) : "-";
}

std::string bars(const SweepOutcome& outcome) {
  constexpr std::size_t kBar = 36;
  const SweepAxis& axis = outcome.plan.axes[0];
  const double most = spanOf(outcome).high;
  std::string text = fmt::format("  samples/s by {}   * best   < current\n", axis.name());
  for (const Value& value : valuesOf(outcome.plan, 0)) {
    const std::optional<std::size_t> point = pointAt(outcome.plan, {value});
    if (!point) continue;
    const std::string label = singleLine(textOf(value));
    const double rate = outcome.result.points[*point].failed()
                            ? 0
                            : outcome.finding.figures[*point].samplesPerSecond.mean.value_or(0);
    const auto filled = static_cast<std::size_t>(std::lround(kBar * rate / most));
    const std::string shown =
        fitted(label, std::min(kLongestLabel, std::max<std::size_t>(6, columnsOf(label))));
    std::string line = "    " + std::string(kLongestLabel - columnsOf(shown), ' ') + shown + "  " +
                       std::string(filled, '#') + std::string(kBar - filled, ' ') + "  " +
                       numberAt(outcome, point);
    text += trimmedLine(std::move(line));
  }
  return text;
}

/// Five shades from the slowest to the fastest.
char shadeOf(const SweepOutcome& outcome, std::optional<std::size_t> point) {
  constexpr std::string_view kShades = ".:+*#";
  if (!point || std::ranges::find(outcome.finding.ranking, *point) == outcome.finding.ranking.end())
    return ' ';
  const Span span = spanOf(outcome);
  if (span.high <= span.low) return kShades.back();
  const double at = (outcome.finding.figures[*point].samplesPerSecond.mean.value_or(0) - span.low) /
                    (span.high - span.low);
  return kShades[std::min(kShades.size() - 1, static_cast<std::size_t>(at * 5))];
}

/// Some columns of the map, as many as fit.
std::string mapPart(const SweepOutcome& outcome, const std::vector<Value>& rows,
                    std::span<const Value> columns, std::size_t width) {
  std::string head = "    " + std::string(kLongestLabel, ' ');
  for (const Value& column : columns) {
    const std::string label = fitted(singleLine(textOf(column)), width - 4);
    const std::size_t used = label.find_last_not_of(' ') + 1;
    head += std::string(width - used - 2, ' ') + label.substr(0, used) + "  ";
  }
  std::string text = trimmedLine(std::move(head));
  for (const Value& row : rows) {
    const std::string label = singleLine(textOf(row));
    const std::string shown = fitted(label, std::min(kLongestLabel, columnsOf(label)));
    std::string line = "    " + std::string(kLongestLabel - columnsOf(shown), ' ') + shown;
    for (const Value& column : columns) {
      const std::optional<std::size_t> point = pointAt(outcome.plan, {row, column});
      const std::string number = numberAt(outcome, point);
      const std::string marks = point ? mark(outcome, *point) : std::string();
      // Marks follow the number, so that the digits are aligned.
      const std::size_t tail = 2 - marks.size();
      line += std::string(width - number.size() - 2 - tail, ' ');
      line += fmt::format(" {}{}{}", shadeOf(outcome, point), number, std::string(tail, ' '));
    }
    text += trimmedLine(std::move(line));
  }
  return text;
}

std::string heatMap(const SweepOutcome& outcome) {
  const SweepPlan& plan = outcome.plan;
  const std::vector<Value> rows = valuesOf(plan, 0);
  const std::vector<Value> columns = valuesOf(plan, 1);
  std::size_t width = 8;
  for (std::size_t p = 0; p < plan.points.size(); ++p)
    width = std::max(width, numberAt(outcome, p).size() + 4);
  const std::size_t fit = std::max<std::size_t>(1, (pageColumns() - 4 - kLongestLabel) / width);
  std::string text =
      "  " + wrapped(fmt::format("samples/s by {} (down) and {} (across); . slowest to # fastest, "
                                 "after the number: * best, < current",
                                 plan.axes[0].name(), plan.axes[1].name()),
                     4, 2);
  for (std::size_t from = 0; from < columns.size(); from += fit)
    text += mapPart(outcome, rows,
                    std::span(columns).subspan(from, std::min(fit, columns.size() - from)), width);
  return text;
}

}  // namespace

std::string sweepPlot(const SweepOutcome& outcome) {
  if (outcome.finding.ranking.empty()) return {};
  if (outcome.plan.axes.size() == 1) return bars(outcome);
  return outcome.plan.axes.size() == 2 ? heatMap(outcome) : std::string();
}

}  // namespace millrace::cli
