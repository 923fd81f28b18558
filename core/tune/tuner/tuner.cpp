// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tuner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "core/tune/block_measurement.h"

namespace millrace {

namespace {

/// A gain of this many standard errors decides a race.
constexpr double kRaceErrors = 2.5;
/// A move that is slower by this many standard errors is dropped.
constexpr double kLostErrors = 1.0;
constexpr std::size_t kMostChallengers = 3;
constexpr std::size_t kMostRaced = 3;  ///< largest number of blocks of a race
/// A move that gains more than this makes the other axes worth trying again.
constexpr double kNewGround = 0.03;
/// The same for unordered axes, whose levels are tried once more.
constexpr double kFarGround = 0.1;
/// Largest first step of an axis, in levels.
constexpr std::size_t kFirstStep = 3;
/// The search ends if the score is this close to the ceiling.
constexpr double kAtCeiling = 0.02;
/// Share of the budget that is reserved for the confirmation.
constexpr double kConfirmShare = 0.35;
/// A gain above this, and above this many standard errors, is confirmed with two blocks.
constexpr double kLargeGain = 0.2;
constexpr double kLargeErrors = 8;

std::vector<bool> orderOf(const std::vector<TunerAxis>& axes) {
  std::vector<bool> ordered;
  for (const TunerAxis& axis : axes) ordered.push_back(axis.ordered);
  return ordered;
}

bool hasFailed(const TunerObservation& observation) {
  return observation.kind != TunerObservation::Kind::Measured || !std::isfinite(observation.score);
}

}  // namespace

Tuner::Tuner(std::vector<TunerAxis> axes, TunerSettings settings)
    : m_axes(std::move(axes)), m_settings(settings), m_points(orderOf(m_axes)) {
  TunePoint start;
  for (const TunerAxis& axis : m_axes) {
    MILLRACE_CHECK(axis.start < axis.levels, "the start must be a level of its axis");
    start.push_back(axis.start);
    Walk& walk = m_walks.emplace_back();
    walk.seen.resize(axis.levels, false);
    walk.seen[axis.start] = true;
    walk.done = axis.levels < 2;
    walk.step = std::clamp<std::size_t>(axis.levels / 2, 1, kFirstStep);
  }
  m_start = m_best = m_points.numberOf(start);
}

double Tuner::secondsPerTrial() const {
  return m_trials > 0 ? m_trialSeconds / static_cast<double>(m_trials) : m_settings.secondsPerTrial;
}

bool Tuner::fits(std::size_t trials) const {
  return static_cast<double>(trials) * secondsPerTrial() <= m_settings.budgetSeconds - m_spent;
}

std::optional<TunerTrial> Tuner::propose() {
  // Each pass begins a block or ends the search, unless all points of the block are already known.
  while (m_phase != Phase::Over && m_queue.empty()) advance();
  if (m_phase == Phase::Over) return std::nullopt;
  if (m_trials > 0 && !fits(1)) {
    over(TunerEnd::Budget);
    return std::nullopt;
  }
  const std::size_t number = m_queue.front();
  return TunerTrial{number, m_points[number].levels, m_points[number].repeats, m_block};
}

void Tuner::tell(const TunerObservation& observation) {
  MILLRACE_CHECK(!m_queue.empty(), "an observation must follow a proposal");
  const bool again = isReplaced(observation);
  const std::size_t number = m_queue.front();
  m_queue.pop_front();
  m_spent += observation.seconds;
  m_trialSeconds += observation.seconds;
  ++m_trials;
  TunerPoint& point = m_points[number];
  if (again) {
    ++m_replaced;
    point.suspect = point.suspect || hasFailed(observation);
    point.remeasuring = true;
    m_queue.push_back(number);
  } else if (hasFailed(observation)) {
    point.failed = true;
    point.overLimit = observation.kind == TunerObservation::Kind::OverLimit;
  } else {
    m_points.add(number, m_block, observation.score);
  }
}

bool Tuner::isReplaced(const TunerObservation& observation) const {
  MILLRACE_CHECK(!m_queue.empty(), "an observation must follow a proposal");
  if (m_replaced >= m_settings.mostReplaced) return false;
  const std::size_t number = m_queue.front();
  if (!hasFailed(observation))
    return observation.disturbed || m_points.isFarBelow(number, observation.score);
  const TunerPoint& point = m_points[number];
  return observation.kind == TunerObservation::Kind::Failed && point.repeats > 0 && !point.suspect;
}

void Tuner::expect(std::size_t axis, std::vector<std::optional<double>> expected) {
  m_axes[axis].expected = std::move(expected);
}

std::optional<double> Tuner::gainOf(std::size_t number) const {
  return m_points.scores().over(number, m_start);
}

std::optional<std::size_t> Tuner::best() const {
  const std::size_t best = isOut(m_best) ? m_points.bestInstead(m_best) : m_best;
  if (!m_points[best].isMeasured() || isOut(best)) return std::nullopt;
  // The confirmation may have shown that there is no gain.
  if (const auto gained = gainOf(best); gained && *gained <= 0 && !isOut(m_start)) return m_start;
  return best;
}

void Tuner::beginBlock(std::vector<std::size_t> points) {
  ++m_block;
  for (const std::size_t i : blockOrder(m_settings.seed, m_block, points.size()))
    m_queue.push_back(points[i]);
}

void Tuner::over(TunerEnd end) {
  m_queue.clear();
  m_phase = Phase::Over;
  if (m_end == TunerEnd::Searching) m_end = end;
}

void Tuner::endSearch(TunerEnd end) {
  m_end = end;
  m_phase = Phase::Confirm;
}

void Tuner::advance() {
  m_points.fit();
  switch (m_phase) {
    case Phase::Start:
      if (m_trials == 0)
        m_queue.push_back(m_start);
      else
        afterStart();
      break;
    case Phase::Shrink: shrink(); break;
    case Phase::Screen: screen(); break;
    case Phase::Judge: judge(); break;
    case Phase::Race: race(); break;
    case Phase::Confirm: confirm(); break;
    case Phase::Over: break;
  }
}

void Tuner::afterStart() {
  if (!isOut(m_start)) {
    m_phase = Phase::Screen;
    return;
  }
  if (!m_points[m_start].overLimit) return over(TunerEnd::StartFails);
  // The lowest level of every ordered axis: what does not fit there does not fit anywhere.
  TunePoint least = m_points[m_start].levels;
  for (std::size_t a = 0; a < m_axes.size(); ++a)
    if (m_axes[a].ordered) least[a] = 0;
  m_best = m_points.numberOf(least);
  if (m_best == m_start) return over(TunerEnd::NothingFits);
  m_phase = Phase::Shrink;
  beginBlock({m_best});
}

void Tuner::shrink() {
  if (isOut(m_best)) return over(TunerEnd::NothingFits);
  m_phase = Phase::Screen;
}

void Tuner::screen() {
  if (isOut(m_best)) m_best = m_points.bestInstead(m_best);
  if (m_settings.ceiling && m_points.scores().meanOf(m_best) >= *m_settings.ceiling - kAtCeiling)
    return endSearch(TunerEnd::Ceiling);
  const bool first = m_rounds++ == 0;
  m_moves.clear();
  bool waiting = false;
  for (std::size_t a = 0; a < m_axes.size(); ++a) {
    const auto& expected = m_axes[a].expected;
    const bool unpromising =
        !expected.empty() && std::ranges::all_of(expected, [](const auto& each) {
          return each.value_or(0) <= kMinGain;
        });
    if (first && unpromising) {
      waiting = waiting || !m_walks[a].done;
      continue;
    }
    if (auto move = moveOf(a)) m_moves.push_back(std::move(*move));
  }
  if (m_moves.empty()) {
    if (!waiting) endSearch(TunerEnd::NothingBetter);
    return;
  }
  const double keep = m_best == m_start ? 0 : kConfirmShare * m_settings.budgetSeconds;
  const double room =
      m_settings.budgetSeconds - m_spent -
      std::min(keep, 2.0 * static_cast<double>(confirmBlocks()) * secondsPerTrial());
  const auto trials = static_cast<std::size_t>(std::max(0.0, room / secondsPerTrial()));
  if (trials < 2) return endSearch(TunerEnd::Budget);
  if (m_moves.size() + 1 > trials) m_moves.resize(trials - 1);
  std::vector<std::size_t> block = {m_best};
  for (const Move& move : m_moves) block.push_back(move.point);
  m_phase = Phase::Judge;
  beginBlock(std::move(block));
}

/// The moves that gain, largest gain first.
std::vector<Tuner::Move> Tuner::winnersOf(std::vector<Move> moves) const {
  std::erase_if(moves, [this](const Move& move) { return gain(move.point) <= kMinGain; });
  std::ranges::sort(moves, [this](const Move& a, const Move& b) {
    const double left = gain(a.point);
    const double right = gain(b.point);
    return left != right ? left > right : a.point < b.point;
  });
  return moves;
}

std::optional<Tuner::Move> Tuner::joined(const std::vector<Move>& moves) {
  if (moves.size() < 2) return std::nullopt;
  Move all;
  TunePoint levels = m_points[m_best].levels;
  for (const Move& move : moves)
    for (const std::size_t axis : move.axes) {
      levels[axis] = m_points[move.point].levels[axis];
      all.axes.push_back(axis);
    }
  all.point = m_points.numberOf(levels);
  if (isOut(all.point) || m_points[all.point].isMeasured()) return std::nullopt;
  return all;
}

void Tuner::accept(const Move& move) {
  const double gained = gain(move.point);
  m_best = move.point;
  for (std::size_t a = 0; a < m_axes.size(); ++a) {
    Walk& walk = m_walks[a];
    const bool moved = std::ranges::find(move.axes, a) != move.axes.end();
    if (moved) {
      // After a gain, a longer step in the same direction may gain more.
      walk.turned = false;
      walk.step = std::min(2 * walk.step, m_axes[a].levels / 2);
      walk.forward = walk.up;
    } else if (m_axes[a].levels > 1 && gained > (m_axes[a].ordered ? kNewGround : kFarGround)) {
      reopen(a);
    }
  }
}

/// Searches an axis again: after a large gain on another axis its effect may differ.
void Tuner::reopen(std::size_t axis) {
  Walk& walk = m_walks[axis];
  if (m_axes[axis].ordered) {
    walk.step = std::max<std::size_t>(1, walk.step);
    walk.turned = false;
    walk.up = walk.forward;
  } else {
    if (walk.retried) return;
    walk.retried = true;
    walk.seen.assign(m_axes[axis].levels, false);
    walk.seen[m_points[m_best].levels[axis]] = true;
  }
  walk.done = false;
}

void Tuner::judge() {
  const std::vector<Move> winners = winnersOf(m_moves);
  for (const Move& move : m_moves)
    if (gain(move.point) <= kMinGain)
      for (const std::size_t axis : move.axes) reject(axis);
  m_moves = winners;
  m_phase = Phase::Screen;
  if (winners.empty()) return;
  const auto all = joined(winners);
  const Move& first = winners.front();
  if (TunerPoints::isPlain(gain(first.point), scatter(first.point))) {
    accept(first);
    m_moves.clear();
  }
  if (m_moves.size() > kMostChallengers - 1) m_moves.resize(kMostChallengers - 1);
  if (all) m_moves.push_back(*all);
  m_raced = 0;
  if (!m_moves.empty()) m_phase = Phase::Race;
}

void Tuner::dropLosers() {
  double most = 0;
  for (const Move& move : m_moves) most = std::max(most, gain(move.point));
  std::erase_if(m_moves, [&](const Move& move) {
    return gain(move.point) + kLostErrors * scatter(move.point) < most;
  });
  std::ranges::sort(m_moves, [this](const Move& a, const Move& b) {
    const double left = gain(a.point);
    const double right = gain(b.point);
    return left != right ? left > right : a.point < b.point;
  });
  if (m_moves.size() > 1) m_moves.resize((m_moves.size() + 1) / 2);
}

/// Called before the first block of a race and after each block.
void Tuner::race() {
  if (m_raced > 0) {
    const std::vector<Move> raced = m_moves;
    dropLosers();
    const Move first = m_moves.empty() ? raced.front() : m_moves.front();
    const double gained = m_moves.empty() ? 0 : gain(first.point);
    const bool plain = gained > kRaceErrors * scatter(first.point);
    if (m_moves.size() <= 1 && (plain || m_raced >= kMostRaced - 1 || gained <= kMinGain)) {
      m_phase = Phase::Screen;
      if (gained > kMinGain) return accept(first);
      for (const Move& move : raced)
        for (const std::size_t axis : move.axes) reject(axis);
      return;
    }
  }
  if (!fits(m_moves.size() + 1)) {
    if (!m_moves.empty() && m_raced > 0 && gain(m_moves.front().point) > kMinGain)
      accept(m_moves.front());
    return endSearch(TunerEnd::Budget);
  }
  ++m_raced;
  std::vector<std::size_t> block = {m_best};
  for (const Move& move : m_moves) block.push_back(move.point);
  beginBlock(std::move(block));
}

/// Number of blocks that should contain both the start and the best.
std::size_t Tuner::confirmBlocks() const {
  const double gained = -gain(m_start);
  const bool large = gained > kLargeGain && gained > kLargeErrors * scatter(m_start);
  return large ? std::min<std::size_t>(2, m_settings.confirmBlocks) : m_settings.confirmBlocks;
}

void Tuner::confirm() {
  const bool alike = m_best == m_start || isOut(m_start) || isOut(m_best);
  if (alike || m_points.scores().pairsOf(m_start, m_best).a.size() >= confirmBlocks() || !fits(2))
    return over(m_end);
  beginBlock({m_start, m_best});
}

}  // namespace millrace
