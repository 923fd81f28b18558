// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core/tune/tuner/tuner_points.h"
#include "core/tune/tuner/tuner_types.h"

namespace millrace {

/// Finds the best setting with few measurements. A pure state machine: it proposes a trial, gets
/// the observation, and proposes the next; the same observations give the same proposals. One
/// thread.
///
/// A pattern search (Hooke and Jeeves, J. ACM 1961) over the levels of the axes. A block measures
/// the best point so far and one move along each axis. The first move goes to where the model
/// expects the largest gain; later moves take steps that are halved. Moves stay within the nearest
/// levels that are known to be worse, and are made only where a concave score could still gain and
/// where the scores so far (TunerSurface) leave a gain possible. Moves that gain are combined,
/// because gains usually multiply. Moves are then raced in further interleaved blocks: those behind
/// by more than the noise are dropped (Maron and Moore, "Hoeffding races", NIPS 1994), and half of
/// the rest after each block (successive halving: Jamieson and Talwalkar, AISTATS 2016). At the end
/// the start and the best are measured together.
class Tuner {
 public:
  Tuner(std::vector<TunerAxis> axes, TunerSettings settings);

  /// The next trial; nullopt when the search is over.
  std::optional<TunerTrial> propose();
  /// Reports the result of the trial that was proposed last.
  void tell(const TunerObservation& observation);
  /// Whether the trial proposed last will be measured again if this is its result: it was disturbed
  /// by other processes, or a point that was measured before came out much slower or failed for the
  /// first time, which points to the machine rather than the setting.
  bool isReplaced(const TunerObservation& observation) const;
  /// Sets the gains that a model expects along an axis. Call it before the first move.
  void expect(std::size_t axis, std::vector<std::optional<double>> expected);
  /// Adds time used by other measurements to the budget used.
  void spend(double seconds) { m_spent += seconds; }
  /// Ends the search; the best point so far is kept.
  void stop() { over(TunerEnd::Stopped); }

  /// Why the search ended. Confirmation may have continued after that.
  TunerEnd end() const { return m_end; }
  const std::vector<TunerAxis>& axes() const { return m_axes; }
  std::size_t pointCount() const { return m_points.size(); }
  const TunePoint& point(std::size_t number) const { return m_points[number].levels; }
  /// Score of a point minus that of the start (a logarithm), corrected for drift between blocks;
  /// nullopt if one of them was not measured.
  std::optional<double> gainOf(std::size_t number) const;
  /// The best measured point that has not failed; nullopt if there is none. The start only if no
  /// other point is better.
  std::optional<std::size_t> best() const;
  /// Whether the point is shown to be better than the start: by the verdict over the blocks that
  /// contain both, corrected for the number of points, or, with fewer than a verdict needs, by a
  /// gain so large that the search accepts it without a race.
  bool isShown(std::size_t point) const { return m_points.isShown(point, m_start); }
  /// Scores of both points in the blocks that contain both.
  ScorePairs pairsOf(std::size_t a, std::size_t b) const { return m_points.scores().pairsOf(a, b); }
  double spentSeconds() const { return m_spent; }
  /// Seconds of the budget that are left.
  double secondsLeft() const { return m_settings.budgetSeconds - m_spent; }
  std::size_t trials() const { return m_trials; }
  std::size_t replaced() const { return m_replaced; }

 private:
  enum class Phase : std::uint8_t { Start, Shrink, Screen, Judge, Race, Confirm, Over };
  /// State of the search along an axis.
  struct Walk {
    bool jumped = false;  ///< the first move, to where the model expects the most, was made
    bool done = false;
    std::size_t step = 2;
    bool up = true;
    bool forward = true;     ///< direction of the last gain
    bool turned = false;     ///< the other direction was tried with this step
    std::vector<bool> seen;  ///< for an unordered axis: levels that were tried
    bool retried = false;    ///< for an unordered axis: levels are tried a second time
  };
  /// A candidate that competes with the best point.
  struct Move {
    std::size_t point = 0;
    std::vector<std::size_t> axes;  ///< axes that it changes
  };

  void beginBlock(std::vector<std::size_t> points);
  void advance();
  void afterStart();
  void shrink();
  void screen();
  void judge();
  void race();
  void confirm();
  void over(TunerEnd end);
  void endSearch(TunerEnd end);

  double secondsPerTrial() const;
  std::size_t confirmBlocks() const;
  bool fits(std::size_t trials) const;
  /// Estimated gain over the best so far, and its standard error.
  double gain(std::size_t point) const { return m_points.gain(point, m_best); }
  double scatter(std::size_t point) const { return m_points.error(point, m_best); }
  bool isHopeless(std::size_t axis, const TunePoint& levels) const;
  bool isOut(std::size_t point) const { return m_points[point].failed; }

  std::optional<std::size_t> nextLevel(std::size_t axis);
  std::optional<std::size_t> jumpOf(std::size_t axis);
  std::optional<std::size_t> triedAt(std::size_t axis, std::size_t level) const;
  std::optional<std::size_t> triedBeside(std::size_t axis, bool up) const;
  bool isBracketed(std::size_t axis, std::size_t tried) const;
  std::optional<std::size_t> stepOf(std::size_t axis);
  std::optional<Move> moveOf(std::size_t axis);
  void reject(std::size_t axis);
  void accept(const Move& move);
  void reopen(std::size_t axis);
  std::optional<Move> joined(const std::vector<Move>& moves);
  std::vector<Move> winnersOf(std::vector<Move> moves) const;
  void dropLosers();

  std::vector<TunerAxis> m_axes;
  TunerSettings m_settings;
  std::vector<Walk> m_walks;
  TunerPoints m_points;
  std::deque<std::size_t> m_queue;  ///< points of the block still to be measured
  std::vector<Move> m_moves;        ///< moves of the current block
  std::size_t m_start = 0;
  std::size_t m_best = 0;
  std::size_t m_block = 0;
  std::size_t m_rounds = 0;
  std::size_t m_raced = 0;  ///< blocks of this race so far
  Phase m_phase = Phase::Start;
  TunerEnd m_end = TunerEnd::Searching;
  double m_spent = 0;
  double m_trialSeconds = 0;
  std::size_t m_trials = 0;
  std::size_t m_replaced = 0;
};

}  // namespace millrace
