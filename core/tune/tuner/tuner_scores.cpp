// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tuner_scores.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace millrace {

namespace {

constexpr double kUsualWeight = 3;

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

void TunerScores::connect() {
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

/// Solves the normal equations of the points' effects, from which those of the blocks have been
/// eliminated. Only differences within a component are determined: of one point of each, the
/// effect is 0.
void TunerScores::fit() {
  connect();
  const auto at = [](std::size_t i) { return static_cast<Eigen::Index>(i); };
  Eigen::MatrixXd shared = Eigen::MatrixXd::Zero(at(m_blocks.size()), at(m_points.size()));
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(shared.rows());
  Eigen::VectorXd effects = Eigen::VectorXd::Zero(shared.cols());
  for (const Score& each : m_all) {
    ++shared(at(each.block), at(each.point));
    sums[at(each.block)] += each.score;
    effects[at(each.point)] += each.score;
  }
  const Eigen::VectorXd counts = shared.rowwise().sum().cwiseMax(1);
  const Eigen::MatrixXd means = counts.cwiseInverse().asDiagonal() * shared;
  Eigen::MatrixXd normal = -(shared.transpose() * means);
  normal.diagonal() += shared.colwise().sum();
  for (std::size_t p = 0; p < m_points.size(); ++p)
    if (m_component[p] == p) ++normal(at(p), at(p));
  effects -= means.transpose() * sums;
  normal.llt().solveInPlace(effects);
  const Eigen::VectorXd blocks = sums.cwiseQuotient(counts) - means * effects;
  m_points.assign(effects.begin(), effects.end());
  m_blocks.assign(blocks.begin(), blocks.end());
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
