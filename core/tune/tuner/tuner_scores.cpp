// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tuner_scores.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace millrace {

namespace {

constexpr double kUsualWeight = 3;
constexpr int kMostRounds = 500;
constexpr double kFitted = 1e-10;

struct Mean {
  double sum = 0;
  double count = 0;
  double value() const { return count > 0 ? sum / count : 0; }
};

}  // namespace

void TunerScores::add(std::size_t point, std::size_t block, double score) {
  m_all.push_back({point, block, score});
  m_points.resize(std::max(m_points.size(), point + 1), 0);
  m_blocks.resize(std::max(m_blocks.size(), block + 1), 0);
  fit();
}

/// Solves the normal equations iteratively (Gauss-Seidel), alternating blocks and points.
void TunerScores::fit() {
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<Mean> blocks(m_blocks.size());
    for (const Score& each : m_all) {
      blocks[each.block].sum += each.score - m_points[each.point];
      ++blocks[each.block].count;
    }
    for (std::size_t b = 0; b < blocks.size(); ++b) m_blocks[b] = blocks[b].value();
    std::vector<Mean> points(m_points.size());
    for (const Score& each : m_all) {
      points[each.point].sum += each.score - m_blocks[each.block];
      ++points[each.point].count;
    }
    double moved = 0;
    for (std::size_t p = 0; p < points.size(); ++p) {
      moved = std::max(moved, std::abs(points[p].value() - m_points[p]));
      m_points[p] = points[p].value();
    }
    if (moved < kFitted) break;
  }
  m_component.resize(m_points.size());
  std::iota(m_component.begin(), m_component.end(), std::size_t{0});
  std::vector<std::size_t> first(m_blocks.size(), SIZE_MAX);
  for (const Score& each : m_all) {
    std::size_t& other = first[each.block];
    if (other == SIZE_MAX) other = each.point;
    const std::size_t from = m_component[each.point];
    const std::size_t to = m_component[other];
    std::ranges::replace(m_component, from, to);
  }
}

std::size_t TunerScores::repeats(std::size_t point) const {
  return static_cast<std::size_t>(std::ranges::count(m_all, point, &Score::point));
}

std::optional<double> TunerScores::expected(std::size_t point) const {
  if (repeats(point) == 0) return std::nullopt;
  Mean drift;
  for (const Score& each : m_all)
    if (m_component[each.point] == m_component[point]) {
      drift.sum += m_blocks[each.block];
      ++drift.count;
    }
  return m_points[point] + drift.value();
}

double TunerScores::meanOf(std::size_t point) const {
  Mean mean;
  for (const Score& each : m_all)
    if (each.point == point) {
      mean.sum += each.score;
      ++mean.count;
    }
  return mean.value();
}

std::optional<double> TunerScores::over(std::size_t point, std::size_t base) const {
  if (repeats(point) == 0 || repeats(base) == 0) return std::nullopt;
  if (m_component[point] != m_component[base]) return std::nullopt;
  return m_points[point] - m_points[base];
}

double TunerScores::scatter() const {
  double squares = 0;
  for (const Score& each : m_all) {
    const double rest = each.score - m_points[each.point] - m_blocks[each.block];
    squares += rest * rest;
  }
  std::size_t measured = 0;
  for (std::size_t p = 0; p < m_points.size(); ++p) measured += repeats(p) > 0 ? 1 : 0;
  std::vector<bool> used(m_blocks.size(), false);
  for (const Score& each : m_all) used[each.block] = true;
  const auto known =
      static_cast<double>(measured + static_cast<std::size_t>(std::ranges::count(used, true)));
  const double degrees = std::max(0.0, static_cast<double>(m_all.size()) - known + 1);
  return std::sqrt((kUsualWeight * kUsualScatter * kUsualScatter + squares) /
                   (kUsualWeight + degrees));
}

ScorePairs TunerScores::pairsOf(std::size_t a, std::size_t b) const {
  ScorePairs pairs;
  for (const Score& left : m_all)
    for (const Score& right : m_all)
      if (left.point == a && right.point == b && left.block == right.block) {
        pairs.a.push_back(left.score);
        pairs.b.push_back(right.score);
      }
  return pairs;
}

}  // namespace millrace
