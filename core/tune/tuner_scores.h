// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace millrace {

/// Standard deviation of a score until scores say otherwise (CONTRACT §8: what sittings drift by).
inline constexpr double kUsualScatter = 0.02;

/// Scores of two points, one pair a block.
struct ScorePairs {
  std::vector<double> a;
  std::vector<double> b;
};

/// Scores of points that were measured in blocks, not every point in every block. Each score is
/// taken as what its point has plus what its block adds plus scatter: the additive model of an
/// incomplete block design (Yates 1936), fitted by least squares. So points that never stood in one
/// block are compared through those that stood in both. Pure; plain value.
class TunerScores {
 public:
  void add(std::size_t point, std::size_t block, double score);

  /// What a point has over what `base` has; absent where no chain of blocks joins them.
  std::optional<double> over(std::size_t point, std::size_t base) const;
  std::size_t repeats(std::size_t point) const;
  /// What its other scores say of the point's next one, drift left out; absent where it has none.
  std::optional<double> expected(std::size_t point) const;
  /// Of the point's own scores, blocks as they were; it has one.
  double meanOf(std::size_t point) const;
  /// Standard deviation of a single score: the residuals', held to 2 % by as much as three of them
  /// would weigh, because few of them know it badly.
  double scatter() const;
  ScorePairs pairsOf(std::size_t a, std::size_t b) const;

 private:
  struct Score {
    std::size_t point = 0;
    std::size_t block = 0;
    double score = 0;
  };
  void fit();

  std::vector<Score> m_all;
  std::vector<double> m_points;          ///< effects
  std::vector<double> m_blocks;          ///< effects
  std::vector<std::size_t> m_component;  ///< of points: those that blocks join share a number
};

}  // namespace millrace
