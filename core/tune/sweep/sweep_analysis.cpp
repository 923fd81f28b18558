// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/sweep/sweep_analysis.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace millrace {

namespace {

/// Number of settings in the ranking that are compared with the best.
constexpr std::size_t kCompared = 30;

double rateOf(const SpanFigures& figures) { return figures.samplesPerSecond.mean.value_or(0); }

bool isRanked(const PointState& point, const SpanFigures& figures) {
  return !point.failed() && !point.repeats.empty() && rateOf(figures) > 0;
}

/// Rates of the first `blocks` blocks.
std::vector<double> ratesOf(const PointState& point, std::size_t blocks) {
  std::vector<double> rates;
  for (std::size_t b = 0; b < blocks; ++b) rates.push_back(rateOf(point.repeats[b]));
  return rates;
}

/// A point against the best, over the blocks that both have.
Verdict againstBest(const PointState& point, const PointState& best) {
  const std::size_t blocks = std::min(point.repeats.size(), best.repeats.size());
  Verdict verdict = judgeTogether(ratesOf(point, blocks), ratesOf(best, blocks), {blocks, 0});
  verdict.unpairedA = point.repeats.size() - verdict.repeatsA;
  verdict.unpairedB = best.repeats.size() - verdict.repeatsB;
  return verdict;
}

/// Whether the best may be faster by chance, because it was chosen among `others` by the same
/// blocks.
bool mayBeChance(const Verdict& verdict, std::size_t others) {
  return verdict.kind == VerdictKind::Faster && verdict.p &&
         *verdict.p * static_cast<double>(others) >= kBlockLevel;
}

bool isBeaten(const Verdict& verdict, std::size_t others) {
  if (verdict.kind == VerdictKind::TooFew) return verdict.ratio95 && verdict.ratio95->low > 1;
  return verdict.kind == VerdictKind::Faster && !mayBeChance(verdict, others);
}

void judge(const SweepPlan& plan, const std::vector<PointState>& points, SweepFinding& finding) {
  if (!finding.best) return;
  const PointState& best = points[*finding.best];
  const std::size_t others = finding.ranking.size() - 1;
  for (std::size_t i = 1; i < finding.ranking.size(); ++i) {
    const std::size_t point = finding.ranking[i];
    if (i > kCompared && point != plan.current()) continue;
    const Verdict verdict = againstBest(points[point], best);
    if (i == 1) finding.overNext = verdict;
    if (i <= kCompared && !isBeaten(verdict, others)) finding.rivals.push_back(point);
    if (point != plan.current()) continue;
    finding.verdict = verdict;
    finding.mayBeChance = mayBeChance(verdict, others);
  }
}

/// Logarithms of the grid's rates: rows are points, columns are blocks, none is missing.
struct LogRates {
  std::vector<std::size_t> points;
  std::vector<std::vector<double>> rows;
  std::vector<double> means;  ///< mean of each row
  double mean = 0;
};

LogRates logRates(const SweepPlan& plan, const std::vector<PointState>& points,
                  std::size_t blocks) {
  LogRates table;
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (!plan.points[p].designed) continue;
    std::vector<double>& row = table.rows.emplace_back();
    double sum = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      row.push_back(std::log(rateOf(points[p].repeats[b])));
      sum += row.back();
    }
    table.points.push_back(p);
    table.means.push_back(sum / static_cast<double>(blocks));
    table.mean += table.means.back();
  }
  table.mean /= static_cast<double>(table.rows.size());
  return table;
}

/// Variance of a point's mean due to noise, from a points by blocks table without interaction.
std::optional<double> noiseOfMeans(const LogRates& table, std::size_t blocks) {
  const std::size_t rows = table.rows.size();
  if (blocks < 2 || rows < 2) return std::nullopt;
  double squares = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    double block = 0;
    for (const auto& row : table.rows) block += row[b];
    block /= static_cast<double>(rows);
    for (std::size_t p = 0; p < rows; ++p) {
      const double rest = table.rows[p][b] - table.means[p] - block + table.mean;
      squares += rest * rest;
    }
  }
  return squares / static_cast<double>((rows - 1) * (blocks - 1) * blocks);
}

/// Sum of squares of an axis's main effect over the points.
double mainEffect(const SweepPlan& plan, const LogRates& table, std::size_t axis) {
  const SweepAxis& varied = plan.axes[axis];
  double squares = 0;
  for (const Value& value : varied.values) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < table.points.size(); ++i)
      if (plan.points[table.points[i]].values[axis] == value) {
        sum += table.means[i];
        ++count;
      }
    const double effect = sum / static_cast<double>(count) - table.mean;
    squares += static_cast<double>(count) * effect * effect;
  }
  return squares;
}

std::string whyNoImportance(const SweepPlan& plan, const std::vector<PointState>& points,
                            const SweepFinding& finding) {
  if (plan.axes.size() < 2)
    return "only one parameter was varied, so all differences are due to it";
  if (!plan.fullGrid()) return "it needs the full grid, but only a part of it was chosen";
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (!plan.points[p].designed || isRanked(points[p], finding.figures[p])) continue;
    return points[p].failed() ? "it needs the full grid, but some settings failed"
                              : "it needs the full grid, but some settings were not measured";
  }
  return {};
}

Importance importanceOf(const SweepPlan& plan, const std::vector<PointState>& points,
                        const SweepFinding& finding) {
  Importance importance;
  importance.missing = whyNoImportance(plan, points, finding);
  if (!importance.missing.empty()) return importance;
  std::size_t blocks = SIZE_MAX;
  for (std::size_t p = 0; p < points.size(); ++p)
    if (plan.points[p].designed) blocks = std::min(blocks, points[p].repeats.size());
  const LogRates table = logRates(plan, points, blocks);
  double total = 0;
  for (const double mean : table.means) total += (mean - table.mean) * (mean - table.mean);
  if (!(total > 0) || !std::isfinite(total)) {
    importance.missing = "all settings were equally fast";
    return importance;
  }
  const std::optional<double> noise = noiseOfMeans(table, blocks);
  double explained = 0;
  for (std::size_t a = 0; a < plan.axes.size(); ++a) {
    const auto degrees = static_cast<double>(plan.axes[a].values.size() - 1);
    const double effect = mainEffect(plan, table, a) - degrees * noise.value_or(0);
    importance.shares.push_back(std::clamp(effect / total, 0.0, 1.0));
    explained += importance.shares.back();
  }
  const double left = std::max(0.0, 1 - explained);
  if (noise) {
    const auto degrees = static_cast<double>(table.rows.size() - 1);
    importance.noise = std::min(left, degrees * *noise / total);
  }
  importance.together = left - importance.noise.value_or(0);
  return importance;
}

}  // namespace

SweepFinding analyseSweep(const SweepPlan& plan, const std::vector<PointState>& points) {
  SweepFinding finding;
  for (const PointState& point : points) finding.figures.push_back(combineRepeats(point.repeats));
  for (std::size_t p = 0; p < points.size(); ++p)
    if (isRanked(points[p], finding.figures[p])) finding.ranking.push_back(p);
  std::ranges::sort(finding.ranking, [&](std::size_t a, std::size_t b) {
    const double left = rateOf(finding.figures[a]);
    const double right = rateOf(finding.figures[b]);
    return left != right ? left > right : a < b;
  });
  if (!finding.ranking.empty()) finding.best = finding.ranking.front();
  judge(plan, points, finding);
  finding.importance = importanceOf(plan, points, finding);
  return finding;
}

}  // namespace millrace
