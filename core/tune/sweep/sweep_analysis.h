// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/verdict.h"
#include "core/measure/run_result.h"
#include "core/tune/sweep/sweep_measurement.h"
#include "core/tune/sweep/sweep_plan.h"

namespace millrace {

/// How much of the differences between the points each parameter alone explains: shares of the
/// variance of log(samples/s) over the full grid. These are the main effects of an analysis of
/// variance: first-order indices of Sobol (1993), called the importance of single parameters by
/// Hutter, Hoos and Leyton-Brown, "An efficient approach for assessing hyperparameter importance",
/// ICML 2014. The variance between repeats, after removing the level of each block, is subtracted
/// from each effect as in Hays' omega squared (1963). Shares add up to 1.
struct Importance {
  std::vector<double> shares;   ///< one for each axis
  double together = 0;          ///< share of parameters that matter only in combination
  std::optional<double> noise;  ///< share of noise; absent with one repeat, then part of the others
  std::string missing;          ///< reason why there are no shares, as a sentence
};

/// Result of a sweep. Pure function of what was measured so far.
struct SweepFinding {
  std::vector<SpanFigures> figures;  ///< for each point, over its repeats
  std::vector<std::size_t> ranking;  ///< measured points that have not failed, fastest first
  std::optional<std::size_t> best;
  /// Current setting (A) against the best (B), over the blocks that both have. Absent if one was
  /// not measured or they are the same point.
  std::optional<Verdict> verdict;
  /// The verdict says faster, but with so many points chance alone could make one look so: p
  /// multiplied by the number of points is not below kBlockLevel (Bonferroni), because the best was
  /// chosen with the same blocks.
  bool mayBeChance = false;
  /// The second in the ranking (A) against the best (B), over the blocks that both have. Absent if
  /// there is no second.
  std::optional<Verdict> overNext;
  /// Among the next 30, those that are not shown to be slower than the best, fastest first: by the
  /// verdict corrected as for `mayBeChance`, or with fewer than kLeastBlocks, when there is no
  /// verdict, by the 95 % interval of the ratio.
  std::vector<std::size_t> rivals;
  Importance importance;
};

SweepFinding analyseSweep(const SweepPlan& plan, const std::vector<PointState>& points);

}  // namespace millrace
