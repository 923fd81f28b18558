// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace millrace {

/// Assumed standard deviation of a score before enough scores are known (docs/reference/verdict.md:
/// the drift between sessions).
inline constexpr double kUsualScatter = 0.02;

/// Scores of two points, one pair for each block.
struct ScorePairs {
  std::vector<double> a;
  std::vector<double> b;
};

/// Scores of points measured in blocks, where not every point is in every block. A score is
/// modelled as an effect of the point plus an effect of the block plus noise: the additive model of
/// an incomplete block design (Yates 1936), fitted by least squares. So points that never share a
/// block are compared through points that share a block with each. Pure; value type.
class TunerScores {
 public:
  void add(std::size_t point, std::size_t block, double score);

  /// Effect of `point` minus that of `base`; nullopt if no chain of blocks connects them.
  std::optional<double> over(std::size_t point, std::size_t base) const;
  std::size_t repeats(std::size_t point) const;
  /// Expected next score of the point from its other scores, without drift; nullopt if it has none.
  std::optional<double> expected(std::size_t point) const;
  /// Mean of the point's scores, not corrected for blocks; the point must have one.
  double meanOf(std::size_t point) const;
  /// Standard deviation of a single score: of the residuals, combined with the prior of 2 % at a
  /// weight of three scores, because few residuals are unreliable.
  double scatter() const;
  ScorePairs pairsOf(std::size_t a, std::size_t b) const;

 private:
  struct Score {
    std::size_t point = 0;
    std::size_t block = 0;
    double score = 0;
  };
  /// Finds the components.
  void connect();
  void fit();

  std::vector<Score> m_all;
  std::vector<double> m_points;          ///< effects
  std::vector<double> m_blocks;          ///< effects
  std::vector<std::size_t> m_component;  ///< by point; points that blocks connect share a number
};

}  // namespace millrace
