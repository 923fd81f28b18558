// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/tune/tuner/tuner_scores.h"
#include "core/tune/tuner/tuner_surface.h"
#include "core/tune/tuner/tuner_types.h"

namespace millrace {

/// A setting that was proposed, and how its trials went.
struct TunerPoint {
  TunePoint levels;
  std::size_t repeats = 0;
  bool failed = false;
  bool overLimit = false;
  bool suspect = false;      ///< failed once after it was measured successfully
  bool remeasuring = false;  ///< the next trial replaces an earlier one

  bool isMeasured() const { return repeats > 0; }
};

/// The points of a search and what their scores say about them. Points have numbers, from 0. One
/// thread.
class TunerPoints {
 public:
  /// Whether each axis is ordered.
  explicit TunerPoints(std::vector<bool> ordered) : m_surface(std::move(ordered)) {}

  std::size_t size() const { return m_points.size(); }
  TunerPoint& operator[](std::size_t number) { return m_points[number]; }
  const TunerPoint& operator[](std::size_t number) const { return m_points[number]; }
  /// The number of these levels, which are added if they are new.
  std::size_t numberOf(const TunePoint& levels);
  /// The point with these levels, if it was measured or has failed.
  std::optional<std::size_t> tried(const TunePoint& levels) const;
  void add(std::size_t number, std::size_t block, double score);
  /// Must be called after `add` and before `gain`.
  void fit() { m_surface.fit(); }

  const TunerScores& scores() const { return m_scores; }
  const TunerSurface& surface() const { return m_surface; }
  /// Estimated gain over a measured point; minus infinity if the point failed or has no score.
  double gain(std::size_t point, std::size_t base) const;
  /// Standard error of the difference of two points' scores.
  double error(std::size_t a, std::size_t b) const;
  /// Whether a gain with this standard error is large enough to accept it without a race.
  static bool isPlain(double gain, double error);
  /// Whether `point` is shown to be better than `start`: by the verdict over the blocks that
  /// contain both, corrected for the number of points, or, with fewer than a verdict needs, by a
  /// plain gain.
  bool isShown(std::size_t point, std::size_t start) const;
  /// Whether the score is so far below the point's other ones that interference is to blame, which
  /// can only slow a trial down.
  bool isFarBelow(std::size_t point, double score) const;
  /// The best measured point that has not failed; `best` if there is none.
  std::size_t bestInstead(std::size_t best) const;

 private:
  std::vector<TunerPoint> m_points;
  TunerScores m_scores;
  TunerSurface m_surface;
};

}  // namespace millrace
