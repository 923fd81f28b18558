// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tuner_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/base/check.h"
#include "core/tune/tuner/tuner_scores.h"

namespace millrace {

namespace {

constexpr double kLevel = 1;        ///< prior deviation of the overall level, practically unknown
constexpr double kInterplay = 0.3;  ///< variance of the interaction relative to that of an axis
constexpr double kAlikeUnordered = 0.3;  ///< correlation of unordered levels
constexpr double kBlockScatter = 0.02;
constexpr std::array kHeights = {0.1, 0.3, 0.6};
constexpr std::array kLengths = {1.0, 2.0, 4.0, 8.0};
constexpr std::array kScatters = {0.01, 0.02, 0.04};
/// Weight of the prior of a trial's noise: log-normal around kUsualScatter, where one standard
/// deviation is a factor of 1.65.
constexpr double kTakenWeight = 2;

/// Solves factor * x = right, where `factor` is lower triangular.
std::vector<double> solvedForward(const std::vector<std::vector<double>>& factor,
                                  std::vector<double> right) {
  for (std::size_t i = 0; i < right.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= factor[i][k] * right[k];
    right[i] /= factor[i][i];
  }
  return right;
}

std::vector<double> solvedBackward(const std::vector<std::vector<double>>& factor,
                                   std::vector<double> right) {
  for (std::size_t i = right.size(); i-- > 0;) {
    for (std::size_t k = i + 1; k < right.size(); ++k) right[i] -= factor[k][i] * right[k];
    right[i] /= factor[i][i];
  }
  return right;
}

/// Computes row `i` of the Cholesky factor in place; earlier rows are done, the row holds the
/// matrix.
void factorise(std::vector<std::vector<double>>& factor, std::size_t i) {
  std::vector<double>& row = factor[i];
  for (std::size_t j = 0; j <= i; ++j) {
    for (std::size_t k = 0; k < j; ++k) row[j] -= row[k] * factor[j][k];
    row[j] = i == j ? std::sqrt(std::max(row[j], 1e-12)) : row[j] / factor[j][j];
  }
}

}  // namespace

void TunerSurface::add(const TunePoint& point, std::size_t block, double score) {
  m_seen.push_back({point, block, score});
  m_fitted = false;
}

double TunerSurface::covariance(const TunePoint& a, const TunePoint& b) const {
  double sum = 0;
  double product = 1;
  for (std::size_t axis = 0; axis < a.size(); ++axis) {
    const double apart = std::abs(static_cast<double>(a[axis]) - static_cast<double>(b[axis]));
    const double scaled = std::sqrt(3.0) * apart / m_shape.length;
    double alike = (1 + scaled) * std::exp(-scaled);
    if (!m_ordered[axis]) alike = apart == 0 ? 1 : kAlikeUnordered;
    sum += alike;
    product *= alike;
  }
  return m_shape.height * m_shape.height * (sum + kInterplay * product);
}

double TunerSurface::solve() {
  const std::size_t count = m_seen.size();
  double mean = 0;
  for (const Seen& seen : m_seen) mean += seen.score / static_cast<double>(count);
  m_factor.assign(count, {});
  std::vector<double> scores;
  for (std::size_t i = 0; i < count; ++i) {
    const Seen& seen = m_seen[i];
    scores.push_back(seen.score - mean);
    for (std::size_t j = 0; j <= i; ++j) {
      double shared = kLevel + covariance(seen.point, m_seen[j].point);
      if (seen.block == m_seen[j].block) shared += kBlockScatter * kBlockScatter;
      if (i == j) shared += m_shape.scatter * m_shape.scatter;
      m_factor[i].push_back(shared);
    }
    factorise(m_factor, i);
  }
  const std::vector<double> half = solvedForward(m_factor, std::move(scores));
  double likely = -0.5 * std::inner_product(half.begin(), half.end(), half.begin(), 0.0);
  for (std::size_t i = 0; i < count; ++i) likely -= std::log(m_factor[i][i]);
  m_weights = solvedBackward(m_factor, half);
  const double unusual = std::log(m_shape.scatter / kUsualScatter);
  return likely - kTakenWeight * unusual * unusual;
}

void TunerSurface::fit() {
  if (m_fitted || m_seen.empty()) return;
  m_fitted = true;
  Shape best;
  double most = -INFINITY;
  for (const double height : kHeights)
    for (const double length : kLengths)
      for (const double scatter : kScatters) {
        m_shape = {height, length, scatter};
        if (const double likely = solve(); likely > most) {
          most = likely;
          best = m_shape;
        }
      }
  m_shape = best;
  solve();
}

TunerBelief TunerSurface::over(const TunePoint& point, const TunePoint& base) const {
  MILLRACE_CHECK(m_fitted, "fit() must be called after add()");
  TunerBelief belief;
  std::vector<double> shared;
  for (std::size_t i = 0; i < m_seen.size(); ++i) {
    shared.push_back(covariance(point, m_seen[i].point) - covariance(base, m_seen[i].point));
    belief.mean += shared.back() * m_weights[i];
  }
  const std::vector<double> known = solvedForward(m_factor, std::move(shared));
  const double unknown = covariance(point, point) + covariance(base, base) -
                         2 * covariance(point, base) -
                         std::inner_product(known.begin(), known.end(), known.begin(), 0.0);
  belief.deviation = std::sqrt(std::max(0.0, unknown));
  return belief;
}

}  // namespace millrace
