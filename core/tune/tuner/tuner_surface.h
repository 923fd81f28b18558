// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/tune/tuner/tuner_types.h"

namespace millrace {

/// Estimated difference of two points' scores.
struct TunerBelief {
  double mean = 0;
  double deviation = 0;  ///< standard deviation
};

/// Estimates the scores of all points, measured or not, by Gaussian process regression (Rasmussen
/// and Williams, "Gaussian Processes for Machine Learning", 2006, chapters 2 and 5). Neighbours
/// contribute to a point's estimate, so a single wrong trial does not decide, and clearly worse
/// points need not be tried. Along an ordered axis the correlation is Matérn's with 3/2; axes
/// mostly add up (scores are logarithms), with a smaller interaction. Trials and blocks have noise.
/// Length, height and noise are chosen from a few values by maximum likelihood. Pure; value type.
class TunerSurface {
 public:
  /// Whether each axis is ordered.
  explicit TunerSurface(std::vector<bool> ordered) : m_ordered(std::move(ordered)) {}

  void add(const TunePoint& point, std::size_t block, double score);
  /// Must be called after `add` and before `over`. Takes some milliseconds for a hundred scores.
  void fit();
  TunerBelief over(const TunePoint& point, const TunePoint& base) const;
  std::size_t size() const { return m_seen.size(); }

 private:
  struct Seen {
    TunePoint point;
    std::size_t block = 0;
    double score = 0;
  };
  struct Shape {
    double height = 0.3;    ///< standard deviation of an axis's contribution
    double length = 2;      ///< correlation length in levels
    double scatter = 0.02;  ///< standard deviation of a trial
  };

  double covariance(const TunePoint& a, const TunePoint& b) const;
  /// Solves for m_shape; returns the log likelihood of the scores including the prior of the shape.
  double solve();

  std::vector<bool> m_ordered;
  std::vector<Seen> m_seen;
  bool m_fitted = true;
  Shape m_shape;
  std::vector<double> m_factor;   ///< Cholesky factor of the scores' covariance, by columns
  std::vector<double> m_weights;  ///< weights of the scores
};

}  // namespace millrace
