// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep/sweep_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/cli/common/failed_settings.h"
#include "app/cli/common/terminal.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/run/report.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/metrics/metric_text.h"

namespace millrace::cli {

namespace {

constexpr std::size_t kShownPoints = 20;
constexpr std::size_t kRateColumns = 25;
constexpr std::size_t kChangeColumns = 8;
constexpr std::size_t kNoteColumns = 13;

double rateOf(const SweepOutcome& outcome, std::size_t point) {
  return outcome.finding.figures[point].samplesPerSecond.mean.value_or(0);
}

bool isRanked(const SweepOutcome& outcome, std::size_t point) {
  return std::ranges::find(outcome.finding.ranking, point) != outcome.finding.ranking.end();
}

std::string rateText(const SpanFigures& figures) {
  const RateFigures& rate = figures.samplesPerSecond;
  if (!rate.mean) return "-";
  std::string text = rounded(*rate.mean);
  if (rate.ci95Low)
    text +=
        fmt::format(" [{}, {}]", rounded(std::max(0.0, *rate.ci95Low)), rounded(*rate.ci95High));
  return text;
}

std::string noteOf(const SweepOutcome& outcome, std::size_t point) {
  std::vector<std::string> notes;
  if (outcome.finding.best == point) notes.emplace_back("best");
  if (outcome.plan.points[point].current) notes.emplace_back("current");
  const std::size_t repeats = outcome.result.points[point].repeats.size();
  if (repeats < outcome.blocks) notes.push_back(fmt::format("{} of {}", repeats, outcome.blocks));
  return join(notes, ", ");
}

/// The change against the current setting: "+12 %".
std::string changeOf(const SweepOutcome& outcome, std::size_t point) {
  const std::size_t current = outcome.plan.current();
  if (point == current || !isRanked(outcome, current)) return {};
  const MetricSpec& rate = *findMetric("samples_per_second");
  return metricChange(rate, rateOf(outcome, current), rateOf(outcome, point));
}

/// Columns for each varied parameter; the widest shrink if the page is too narrow.
std::vector<std::size_t> widthsOf(const SweepPlan& plan) {
  std::vector<std::size_t> widths;
  std::size_t all = 0;
  for (std::size_t a = 0; a < plan.axes.size(); ++a) {
    std::size_t width = std::max(columnsOf(plan.axes[a].node), columnsOf(plan.axes[a].param));
    for (const SweepPoint& point : plan.points)
      width = std::max(width, columnsOf(singleLine(textOf(point.values[a]))));
    widths.push_back(width);
    all += width + 2;
  }
  const std::size_t room =
      tableColumns() - 2 - kRateColumns - 1 - kChangeColumns - 2 - kNoteColumns;
  while (all > room) {
    std::size_t& widest = *std::ranges::max_element(widths);
    if (widest <= 4) break;
    --widest;
    --all;
  }
  return widths;
}

std::string tableOf(const SweepOutcome& outcome) {
  const SweepPlan& plan = outcome.plan;
  const std::vector<std::size_t> widths = widthsOf(plan);
  const auto row = [&](const auto& settingOf, const std::string& rate, const std::string& change,
                       const std::string& note) {
    std::string line = "  ";
    for (std::size_t a = 0; a < widths.size(); ++a) line += fitted(settingOf(a), widths[a]) + "  ";
    return trimmedLine(
        line + fitted(rate, kRateColumns) + " " +
        std::string(kChangeColumns - std::min(kChangeColumns, columnsOf(change)), ' ') + change +
        "  " + note);
  };
  std::string text =
      row([&](std::size_t a) { return plan.axes[a].node; }, "", "against", "") +
      row([&](std::size_t a) { return plan.axes[a].param; }, "samples/s", "current", "");
  const std::vector<std::size_t>& ranking = outcome.finding.ranking;
  const auto shown = [&](std::size_t point) {
    return row([&](std::size_t a) { return singleLine(textOf(plan.points[point].values[a])); },
               rateText(outcome.finding.figures[point]), changeOf(outcome, point),
               noteOf(outcome, point));
  };
  for (std::size_t i = 0; i < std::min(kShownPoints, ranking.size()); ++i)
    text += shown(ranking[i]);
  if (ranking.size() <= kShownPoints) return text;
  text += fmt::format("  and {} slower ones (--csv and --json list all)\n",
                      ranking.size() - kShownPoints);
  const std::size_t current = plan.current();
  if (isRanked(outcome, current) && std::ranges::find(ranking, current) - ranking.begin() >=
                                        static_cast<std::ptrdiff_t>(kShownPoints))
    text += shown(current);
  return text;
}

std::string failuresOf(const SweepOutcome& outcome) {
  std::vector<std::string> failures;
  for (std::size_t p = 0; p < outcome.result.points.size(); ++p) {
    const PointState& point = outcome.result.points[p];
    if (point.failed()) failures.push_back(outcome.plan.settings(p) + ": " + point.failure);
  }
  return failedSettingLines(failures);
}

std::string importanceOf(const SweepOutcome& outcome) {
  const Importance& importance = outcome.finding.importance;
  if (outcome.plan.axes.size() < 2) return {};
  if (!importance.missing.empty())
    return "\n" + std::string("  ") + wrapped("importance is unknown: " + importance.missing, 2, 2);
  constexpr std::size_t kBar = 20;
  std::string text =
      "\n  importance: share of the differences that is due to one parameter alone\n";
  const auto line = [&](const std::string& name, double share) {
    const auto filled = static_cast<std::size_t>(std::lround(share * kBar));
    text += fmt::format("    {} {}{} {:>3.0f} %\n", fitted(name, 34), std::string(filled, '#'),
                        std::string(kBar - filled, '.'), 100 * share);
  };
  for (std::size_t a = 0; a < importance.shares.size(); ++a)
    line(outcome.plan.axes[a].name(), importance.shares[a]);
  line("only together", importance.together);
  if (importance.noise) line("scatter", *importance.noise);
  if (!importance.noise) text += "    with one repeat, these include the scatter\n";
  return text;
}

/// Whether the best is significantly faster than those after it.
std::string rivalsOf(const SweepOutcome& outcome) {
  const SweepFinding& finding = outcome.finding;
  if (!finding.overNext) return {};
  if (finding.rivals.empty()) {
    // The comparison with the current setting is already printed.
    const bool said = outcome.plan.points[finding.ranking[1]].current;
    return said ? "" : describe(*finding.overNext, "the next", "the best");
  }
  const std::size_t more = finding.rivals.size() - 1;
  const bool tooFew = finding.overNext->kind == VerdictKind::TooFew;
  return fmt::format("{} {}{}",
                     tooFew ? "too few repeats to tell the best from"
                            : "no measurable difference between the best and",
                     outcome.plan.settings(finding.rivals.front()),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

std::string verdictOf(const SweepOutcome& outcome) {
  const SweepFinding& finding = outcome.finding;
  if (!finding.best) return "nothing was measured";
  if (outcome.plan.points[*finding.best].current) return "the current setting is the best of these";
  if (!finding.verdict) return "the current setting was not measured: no verdict";
  std::string text = describe(*finding.verdict, "the current setting", "the best");
  if (finding.mayBeChance)
    text += fmt::format(
        "; but it was chosen as the best of {} by the same blocks, and may only look best by "
        "chance: measure the two again",
        finding.ranking.size());
  return text;
}

}  // namespace

std::string sweepText(const SweepOutcome& outcome, const SweepCommands& commands) {
  const std::size_t settings = outcome.plan.points.size();
  std::string text =
      wrapped(fmt::format("{}: {} of {} settings measured, {} repeat{} each, in interleaved blocks",
                          visibleName(outcome.pipeline), outcome.finding.ranking.size(), settings,
                          outcome.blocks, outcome.blocks == 1 ? "" : "s"),
              2);
  if (!outcome.finding.ranking.empty()) text += "\n" + tableOf(outcome);
  text += failuresOf(outcome);
  if (const std::string plot = sweepPlot(outcome); !plot.empty()) text += "\n" + plot;
  text += importanceOf(outcome);
  text += "\n" + wrapped(emphasised(visibleName(verdictOf(outcome))), 2);
  if (const std::string rivals = rivalsOf(outcome); !rivals.empty())
    text += wrapped(visibleName(rivals), 2);
  if (outcome.result.replaced > 0)
    text += fmt::format("{} disturbed trial{} measured again\n", outcome.result.replaced,
                        outcome.result.replaced == 1 ? "" : "s");
  if (!outcome.experiment.empty())
    text += "\n" + std::string("  ") +
            wrapped(fmt::format("kept as experiment \"{}\"", singleLine(outcome.experiment)), 2, 2);
  if (!commands.compare.empty())
    text += "\n  compare it with the current setting:\n    " + visibleName(commands.compare) + "\n";
  if (!commands.next.empty()) text += "\n  run the best:\n    " + visibleName(commands.next) + "\n";
  return text;
}

}  // namespace millrace::cli
