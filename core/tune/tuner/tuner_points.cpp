// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tuner_points.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/verdict.h"

namespace millrace {

namespace {

constexpr double kPlainGain = 0.1;
constexpr double kPlainErrors = 4;
/// Absolutely, and in multiples of the noise.
constexpr double kFarBelow = 0.08;
constexpr double kFarErrors = 3;

}  // namespace

std::size_t TunerPoints::numberOf(const TunePoint& levels) {
  const auto found = std::ranges::find(m_points, levels, &TunerPoint::levels);
  if (found != m_points.end()) return static_cast<std::size_t>(found - m_points.begin());
  m_points.push_back({.levels = levels});
  return m_points.size() - 1;
}

std::optional<std::size_t> TunerPoints::tried(const TunePoint& levels) const {
  const auto point = std::ranges::find(m_points, levels, &TunerPoint::levels);
  if (point == m_points.end() || (!point->failed && !point->isMeasured())) return std::nullopt;
  return static_cast<std::size_t>(point - m_points.begin());
}

void TunerPoints::add(std::size_t number, std::size_t block, double score) {
  TunerPoint& point = m_points[number];
  ++point.repeats;
  point.remeasuring = false;
  m_scores.add(number, block, score);
  m_surface.add(point.levels, block, score);
}

double TunerPoints::gain(std::size_t point, std::size_t base) const {
  if (m_points[point].failed || !m_points[point].isMeasured()) return -INFINITY;
  return m_surface.over(m_points[point].levels, m_points[base].levels).mean;
}

double TunerPoints::error(std::size_t a, std::size_t b) const {
  const auto repeats = [this](std::size_t point) {
    return static_cast<double>(std::max<std::size_t>(1, m_points[point].repeats));
  };
  return m_scores.scatter() * std::sqrt(1 / repeats(a) + 1 / repeats(b));
}

bool TunerPoints::isPlain(double gain, double error) {
  return gain > kPlainGain && gain > kPlainErrors * error;
}

bool TunerPoints::isShown(std::size_t point, std::size_t start) const {
  ScorePairs pairs = m_scores.pairsOf(start, point);
  if (pairs.a.size() >= kLeastBlocks) {
    for (auto* side : {&pairs.a, &pairs.b})
      for (double& score : *side) score = std::exp(score);
    const Verdict verdict = judgeTogether(pairs.a, pairs.b, {pairs.a.size(), 0});
    // It was chosen among the others by the same blocks (Bonferroni, as in a sweep).
    const auto others = static_cast<double>(std::max<std::size_t>(1, m_points.size() - 1));
    return verdict.kind == VerdictKind::Faster && verdict.p.value_or(1) * others < kBlockLevel;
  }
  // An estimate through other settings, or a single block, shows nothing.
  if (pairs.a.size() < 2) return false;
  return isPlain(m_scores.over(point, start).value_or(0), error(point, start));
}

bool TunerPoints::isFarBelow(std::size_t point, double score) const {
  if (m_points[point].remeasuring) return false;
  const auto usual = m_scores.expected(point);
  return usual && score < *usual - std::max(kFarBelow, kFarErrors * m_scores.scatter());
}

std::size_t TunerPoints::bestInstead(std::size_t best) const {
  for (std::size_t p = 0; p < m_points.size(); ++p) {
    if (m_points[p].failed || !m_points[p].isMeasured()) continue;
    if (m_points[best].failed || m_scores.over(p, best).value_or(0) > 0) best = p;
  }
  return best;
}

}  // namespace millrace
