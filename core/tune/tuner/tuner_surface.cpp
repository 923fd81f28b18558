// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tuner_surface.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>

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

using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

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
  m_factor.resize(count * count);
  m_weights.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Seen& seen = m_seen[i];
    m_weights[i] = seen.score - mean;
    for (std::size_t j = 0; j <= i; ++j) {
      double shared = kLevel + covariance(seen.point, m_seen[j].point);
      if (seen.block == m_seen[j].block) shared += kBlockScatter * kBlockScatter;
      if (i == j) shared += m_shape.scatter * m_shape.scatter;
      m_factor[j * count + i] = shared;
    }
  }
  const auto side = static_cast<Eigen::Index>(count);
  Map<MatrixXd> factor(m_factor.data(), side, side);
  const Eigen::LLT<Eigen::Ref<MatrixXd>> inPlace(factor);
  MILLRACE_CHECK(inPlace.info() == Eigen::Success, "noise keeps a covariance positive definite");
  Map<VectorXd> weights(m_weights.data(), side);
  inPlace.matrixL().solveInPlace(weights);
  double likely = -0.5 * weights.squaredNorm() - factor.diagonal().array().log().sum();
  inPlace.matrixU().solveInPlace(weights);
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
  VectorXd shared(static_cast<Eigen::Index>(m_seen.size()));
  for (Eigen::Index i = 0; i < shared.size(); ++i) {
    const TunePoint& seen = m_seen[static_cast<std::size_t>(i)].point;
    shared[i] = covariance(point, seen) - covariance(base, seen);
  }
  belief.mean = shared.dot(Map<const VectorXd>(m_weights.data(), shared.size()));
  const Map<const MatrixXd> factor(m_factor.data(), shared.size(), shared.size());
  factor.triangularView<Eigen::Lower>().solveInPlace(shared);
  const double unknown = covariance(point, point) + covariance(base, base) -
                         2 * covariance(point, base) - shared.squaredNorm();
  belief.deviation = std::sqrt(std::max(0.0, unknown));
  return belief;
}

}  // namespace millrace
