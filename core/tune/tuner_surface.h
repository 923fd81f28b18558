// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/tune/tuner_types.h"

namespace millrace {

/// What is believed of a point's score over another's.
struct TunerBelief {
  double mean = 0;
  double deviation = 0;  ///< standard deviation
};

/// What the scores measured so far say of all points, measured or not: regression by a Gaussian
/// process (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, chapters 2 and
/// 5). Neighbours speak for a point, so that one trial that came out wrong decides nothing, and
/// what is plainly worse need not be tried. Along an ordered axis levels are alike by Matérn's
/// function of 3/2; axes mostly add up (scores are logarithms), and to a smaller part depend on
/// each other. Trials and blocks scatter. How far levels are alike, how high the surface is and how
/// much a trial scatters are those of a few values that make the scores likeliest. Pure; plain
/// value.
class TunerSurface {
 public:
  /// Whether each axis is ordered.
  explicit TunerSurface(std::vector<bool> ordered) : m_ordered(std::move(ordered)) {}

  void add(const TunePoint& point, std::size_t block, double score);
  /// After what was added, before `over`. Some milliseconds with a hundred scores.
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
    double height = 0.3;    ///< standard deviation of what an axis adds
    double length = 2;      ///< levels
    double scatter = 0.02;  ///< standard deviation of a trial
  };

  double covariance(const TunePoint& a, const TunePoint& b) const;
  /// Solves for m_shape; log of how likely the scores are, and the shape.
  double solve();

  std::vector<bool> m_ordered;
  std::vector<Seen> m_seen;
  bool m_fitted = true;
  Shape m_shape;
  std::vector<std::vector<double>> m_factor;  ///< Cholesky's, of the scores' covariance
  std::vector<double> m_weights;              ///< of the scores
};

}  // namespace millrace
