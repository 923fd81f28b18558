// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core/tune/tuner_scores.h"
#include "core/tune/tuner_surface.h"
#include "core/tune/tuner_types.h"

namespace millrace {

/// Looks for the best setting with few measurements. A pure state machine: it asks for a trial, is
/// told what became of it, and asks again; the same answers give the same questions. One thread.
///
/// A pattern search (Hooke and Jeeves, J. ACM 1961) on the axes' levels: a block measures the best
/// so far and one move of each axis, first to where the model expects most, then by steps that
/// halve, within the nearest levels that are known to be worse and only while a rate that has no
/// dents could gain there, and where all scores so far (TunerSurface) leave a gain possible; moves
/// that gain are joined, as their gains usually multiply. Moves are raced in further interleaved
/// blocks: who is behind by more than the scatter is dropped (Maron and Moore, "Hoeffding races",
/// NIPS 1994), and half of the rest after each block (successive halving: Jamieson and Talwalkar,
/// AISTATS 2016). At the end the start and the best are measured together.
class Tuner {
 public:
  Tuner(std::vector<TunerAxis> axes, TunerSettings settings);

  /// The next trial; nothing: it is over.
  std::optional<TunerTrial> propose();
  /// What became of the trial that was proposed last.
  void tell(const TunerTold& told);
  /// Whether the trial that was proposed last is to be measured again, told this of it: other
  /// processes disturbed it, or a point that was measured before came out far slower or failed for
  /// the first time, which says more of the machine than of the point.
  bool isReplaced(const TunerTold& told) const;
  /// A model's word on an axis, before its first move.
  void expect(std::size_t axis, std::vector<std::optional<double>> expected);
  void setCeiling(double score) { m_settings.ceiling = score; }
  /// Other measuring took so long of the budget.
  void spend(double seconds) { m_spent += seconds; }
  /// No further trial; the best so far stands.
  void stop() { over(TunerEnd::Stopped); }

  /// Why the search ended. Confirming may have gone on after that.
  TunerEnd end() const { return m_end; }
  const std::vector<TunerAxis>& axes() const { return m_axes; }
  std::size_t pointCount() const { return m_points.size(); }
  const TunePoint& point(std::size_t number) const { return m_points[number].levels; }
  /// Log of the score against that of the start, drift between blocks taken out; absent where the
  /// point or the start was not measured.
  std::optional<double> gainOf(std::size_t number) const;
  /// The best measured point that has not failed; absent where none is. Not the start unless
  /// nothing beats it.
  std::optional<std::size_t> best() const;
  /// Scores of both in the blocks that hold both.
  ScorePairs pairsOf(std::size_t a, std::size_t b) const { return m_scores.pairsOf(a, b); }
  double spentSeconds() const { return m_spent; }
  /// Trials that would still fit into the budget.
  double secondsLeft() const { return m_settings.budgetSeconds - m_spent; }
  std::size_t trials() const { return m_trials; }
  std::size_t replaced() const { return m_replaced; }

 private:
  enum class Phase : std::uint8_t { Start, Shrink, Screen, Judge, Race, Confirm, Over };
  struct Point {
    TunePoint levels;
    std::size_t repeats = 0;
    bool failed = false;
    bool overLimit = false;
    bool doubted = false;  ///< failed once after it had been measured
    bool again = false;    ///< the next trial replaces one
  };
  /// Where the search of an axis is.
  struct Walk {
    bool jumped = false;  ///< to where the model expects most
    bool done = false;
    std::size_t step = 2;
    bool up = true;
    bool forward = true;     ///< the direction that gained last
    bool turned = false;     ///< the other direction was tried with this step
    std::vector<bool> seen;  ///< levels of an axis without order
    bool again = false;      ///< those are tried for the second time
  };
  /// A challenger of the best so far.
  struct Move {
    std::size_t point = 0;
    std::vector<std::size_t> axes;  ///< that it moves
  };

  std::size_t numberOf(const TunePoint& levels);
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
  double gain(std::size_t point) const;  ///< over the best so far, as is believed
  bool isHopeless(std::size_t axis, const TunePoint& levels) const;
  double scatter(std::size_t point) const;
  bool isFarBelow(double score) const;
  bool isOut(std::size_t point) const { return m_points[point].failed; }

  std::size_t bestOfTheRest() const;
  std::optional<std::size_t> nextLevel(std::size_t axis);
  std::optional<std::size_t> jumpOf(std::size_t axis);
  std::optional<std::size_t> triedAt(std::size_t axis, std::size_t level) const;
  std::optional<std::size_t> triedBeside(std::size_t axis, bool up) const;
  bool isBracketed(std::size_t axis, std::size_t tried) const;
  std::optional<std::size_t> stepOf(std::size_t axis);
  std::optional<Move> moveOf(std::size_t axis);
  void reject(std::size_t axis);
  void accept(const Move& move);
  void lookAgain(std::size_t axis);
  std::optional<Move> joined(const std::vector<Move>& moves);
  std::vector<Move> winnersOf(std::vector<Move> moves) const;
  void dropLosers();

  std::vector<TunerAxis> m_axes;
  TunerSettings m_settings;
  std::vector<Walk> m_walks;
  std::vector<Point> m_points;
  TunerScores m_scores;
  TunerSurface m_surface;
  std::deque<std::size_t> m_queue;  ///< points of the block that are to be measured
  std::vector<Move> m_moves;        ///< of the block that is measured
  std::size_t m_start = 0;
  std::size_t m_best = 0;
  std::size_t m_block = 0;
  std::size_t m_rounds = 0;
  std::size_t m_raced = 0;  ///< blocks of this race
  Phase m_phase = Phase::Start;
  TunerEnd m_end = TunerEnd::Searching;
  double m_spent = 0;
  double m_trialSeconds = 0;
  std::size_t m_trials = 0;
  std::size_t m_replaced = 0;
};

}  // namespace millrace
