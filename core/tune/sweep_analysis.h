// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/analyse/verdict.h"
#include "core/run/run_result.h"
#include "core/tune/sweep_measurement.h"
#include "core/tune/sweep_plan.h"

namespace millrace {

/// How much of the differences between the points each parameter accounts for by itself: shares of
/// the variance of log(samples/s) over the full grid. The main effects of an analysis of variance:
/// first-order indices of Sobol (1993), what Hutter, Hoos and Leyton-Brown, "An efficient approach
/// for assessing hyperparameter importance", ICML 2014, call the importance of single parameters.
/// The scatter between repeats, once the blocks' own level is taken out, is taken off each effect
/// as in Hays' omega squared (1963). Shares add up to 1.
struct Importance {
  std::vector<double> shares;   ///< one an axis
  double together = 0;          ///< parameters that matter only together
  std::optional<double> noise;  ///< absent with one repeat: then it is within the others
  std::string missing;          ///< why there are no shares; a sentence
};

/// What a sweep found. Pure function of what was measured; good at any moment of the sweep.
struct SweepFinding {
  std::vector<SpanFigures> figures;  ///< one a point, over its repeats
  std::vector<std::size_t> ranking;  ///< measured points that have not failed, the fastest first
  std::optional<std::size_t> best;
  /// Current against best over the blocks that both have (A is current). Absent where one of them
  /// was not measured, or they are the same point.
  std::optional<Verdict> verdict;
  /// The verdict says faster, but among as many points as there are chance alone makes one look so:
  /// its p is above kBlockLevel once multiplied by their number (Bonferroni), because the best was
  /// chosen by the same blocks.
  bool mayBeChance = false;
  /// The next of the ranking against the best over the blocks that both have (A is the next).
  /// Absent where there is no other.
  std::optional<Verdict> overNext;
  /// Of the next 30 those that the best is not told apart from, the fastest first: by the verdict
  /// as `mayBeChance` counts it, and under kLeastBlocks, where no verdict is given, by the 95 %
  /// interval of the ratio.
  std::vector<std::size_t> rivals;
  Importance importance;
};

SweepFinding analyseSweep(const SweepPlan& plan, const std::vector<PointState>& points);

}  // namespace millrace
