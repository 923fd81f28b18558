// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "core/tune/block_measurement.h"

namespace millrace {

namespace {

/// A gain over this, and over so many standard errors, needs no second look.
constexpr double kPlainGain = 0.1;
constexpr double kPlainErrors = 4;
/// In a race a gain over so many standard errors decides.
constexpr double kRaceErrors = 2.5;
/// Behind by so many standard errors is behind.
constexpr double kLostErrors = 1.0;
constexpr std::size_t kMostChallengers = 3;
constexpr std::size_t kMostRaced = 3;  ///< blocks of a race
/// What an accepted move must gain for the other axes to be looked at again.
constexpr double kNewGround = 0.03;
/// And for levels without order to be tried once more.
constexpr double kFarGround = 0.1;
/// Levels of an axis's first step at most.
constexpr std::size_t kFirstStep = 3;
/// This near to the ceiling there is nothing to look for.
constexpr double kAtCeiling = 0.02;
/// So much below what the point's other trials say, and so many times the scatter: not the point's
/// doing, since what comes between only slows.
constexpr double kFarBelow = 0.08;
constexpr double kFarErrors = 3;
/// Of the budget that the confirmation may keep for itself.
constexpr double kConfirmShare = 0.35;
/// A gain over this, and over so many standard errors, is confirmed by two blocks.
constexpr double kLargeGain = 0.2;
constexpr double kLargeErrors = 8;

std::vector<bool> orderOf(const std::vector<TunerAxis>& axes) {
  std::vector<bool> ordered;
  for (const TunerAxis& axis : axes) ordered.push_back(axis.ordered);
  return ordered;
}

bool hasFailed(const TunerTold& told) {
  return told.kind != TunerTold::Kind::Measured || !std::isfinite(told.score);
}

}  // namespace

Tuner::Tuner(std::vector<TunerAxis> axes, TunerSettings settings)
    : m_axes(std::move(axes)), m_settings(settings), m_surface(orderOf(m_axes)) {
  TunePoint start;
  for (const TunerAxis& axis : m_axes) {
    MILLRACE_CHECK(axis.start < axis.levels, "the start is a level");
    start.push_back(axis.start);
    Walk& walk = m_walks.emplace_back();
    walk.seen.resize(axis.levels, false);
    walk.seen[axis.start] = true;
    walk.done = axis.levels < 2;
    walk.step = std::clamp<std::size_t>(axis.levels / 2, 1, kFirstStep);
  }
  m_start = m_best = numberOf(start);
}

std::size_t Tuner::numberOf(const TunePoint& levels) {
  const auto found = std::ranges::find(m_points, levels, &Point::levels);
  if (found != m_points.end()) return static_cast<std::size_t>(found - m_points.begin());
  m_points.push_back({.levels = levels});
  return m_points.size() - 1;
}

double Tuner::secondsPerTrial() const {
  return m_trials > 0 ? m_trialSeconds / static_cast<double>(m_trials) : m_settings.secondsPerTrial;
}

bool Tuner::fits(std::size_t trials) const {
  return static_cast<double>(trials) * secondsPerTrial() <= m_settings.budgetSeconds - m_spent;
}

std::optional<TunerTrial> Tuner::propose() {
  // Every pass begins a block or ends the search, but one whose points are all known.
  while (m_phase != Phase::Over && m_queue.empty()) advance();
  if (m_phase == Phase::Over) return std::nullopt;
  if (m_trials > 0 && !fits(1)) {
    over(TunerEnd::Budget);
    return std::nullopt;
  }
  const std::size_t number = m_queue.front();
  return TunerTrial{number, m_points[number].levels, m_points[number].repeats, m_block};
}

void Tuner::tell(const TunerTold& told) {
  MILLRACE_CHECK(!m_queue.empty(), "told of a trial that was proposed");
  const bool again = isReplaced(told);
  const std::size_t number = m_queue.front();
  m_queue.pop_front();
  m_spent += told.seconds;
  m_trialSeconds += told.seconds;
  ++m_trials;
  Point& point = m_points[number];
  if (again) {
    ++m_replaced;
    point.doubted = point.doubted || hasFailed(told);
    point.again = true;
    m_queue.push_back(number);
  } else if (hasFailed(told)) {
    point.failed = true;
    point.overLimit = told.kind == TunerTold::Kind::OverLimit;
  } else {
    ++point.repeats;
    point.again = false;
    m_scores.add(number, m_block, told.score);
    m_surface.add(point.levels, m_block, told.score);
  }
}

bool Tuner::isReplaced(const TunerTold& told) const {
  MILLRACE_CHECK(!m_queue.empty(), "told of a trial that was proposed");
  if (m_replaced >= m_settings.mostReplaced) return false;
  if (!hasFailed(told)) return told.disturbed || isFarBelow(told.score);
  const Point& point = m_points[m_queue.front()];
  return told.kind == TunerTold::Kind::Failed && point.repeats > 0 && !point.doubted;
}

bool Tuner::isFarBelow(double score) const {
  if (m_points[m_queue.front()].again) return false;
  const auto usual = m_scores.expected(m_queue.front());
  return usual && score < *usual - std::max(kFarBelow, kFarErrors * m_scores.scatter());
}

void Tuner::expect(std::size_t axis, std::vector<std::optional<double>> expected) {
  m_axes[axis].expected = std::move(expected);
}

std::optional<double> Tuner::gainOf(std::size_t number) const {
  return m_scores.over(number, m_start);
}

std::optional<std::size_t> Tuner::best() const {
  const std::size_t best = isOut(m_best) ? bestOfTheRest() : m_best;
  if (m_points[best].repeats == 0 || isOut(best)) return std::nullopt;
  // Confirming may have taken the gain away.
  if (const auto gained = gainOf(best); gained && *gained <= 0 && !isOut(m_start)) return m_start;
  return best;
}

/// Where the best has failed; itself where there is no other.
std::size_t Tuner::bestOfTheRest() const {
  std::size_t best = m_best;
  for (std::size_t p = 0; p < m_points.size(); ++p) {
    if (isOut(p) || m_points[p].repeats == 0) continue;
    if (isOut(best) || m_scores.over(p, best).value_or(0) > 0) best = p;
  }
  return best;
}

double Tuner::gain(std::size_t point) const {
  if (isOut(point) || m_points[point].repeats == 0) return -INFINITY;
  return m_surface.over(m_points[point].levels, m_points[m_best].levels).mean;
}

double Tuner::scatter(std::size_t point) const {
  const auto own = static_cast<double>(std::max<std::size_t>(1, m_points[point].repeats));
  const auto best = static_cast<double>(std::max<std::size_t>(1, m_points[m_best].repeats));
  return m_scores.scatter() * std::sqrt(1 / own + 1 / best);
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
  m_surface.fit();
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
  // The least of everything: what does not fit there fits nowhere.
  TunePoint least = m_points[m_start].levels;
  for (std::size_t a = 0; a < m_axes.size(); ++a)
    if (m_axes[a].ordered) least[a] = 0;
  m_best = numberOf(least);
  if (m_best == m_start) return over(TunerEnd::NothingFits);
  m_phase = Phase::Shrink;
  beginBlock({m_best});
}

void Tuner::shrink() {
  if (isOut(m_best)) return over(TunerEnd::NothingFits);
  m_phase = Phase::Screen;
}

void Tuner::screen() {
  if (isOut(m_best)) m_best = bestOfTheRest();
  if (m_settings.ceiling && m_scores.meanOf(m_best) >= *m_settings.ceiling - kAtCeiling)
    return endSearch(TunerEnd::Ceiling);
  const bool first = m_rounds++ == 0;
  m_moves.clear();
  bool waiting = false;
  for (std::size_t a = 0; a < m_axes.size(); ++a) {
    const auto& expected = m_axes[a].expected;
    const bool dull = !expected.empty() && std::ranges::all_of(expected, [](const auto& each) {
      return each.value_or(0) <= kWorthGain;
    });
    if (first && dull) {
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

/// The moves that gain, the one that gains most first.
std::vector<Tuner::Move> Tuner::winnersOf(std::vector<Move> moves) const {
  std::erase_if(moves, [this](const Move& move) { return gain(move.point) <= kWorthGain; });
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
  all.point = numberOf(levels);
  if (isOut(all.point) || m_points[all.point].repeats > 0) return std::nullopt;
  return all;
}

void Tuner::accept(const Move& move) {
  const double gained = gain(move.point);
  m_best = move.point;
  for (std::size_t a = 0; a < m_axes.size(); ++a) {
    Walk& walk = m_walks[a];
    const bool moved = std::ranges::find(move.axes, a) != move.axes.end();
    if (moved) {
      // Where a step gained, a longer one in that direction may gain more.
      walk.turned = false;
      walk.step = std::min(2 * walk.step, m_axes[a].levels / 2);
      walk.forward = walk.up;
    } else if (m_axes[a].levels > 1 && gained > (m_axes[a].ordered ? kNewGround : kFarGround)) {
      lookAgain(a);
    }
  }
}

/// What an axis brings may be another after a large gain of another one.
void Tuner::lookAgain(std::size_t axis) {
  Walk& walk = m_walks[axis];
  if (m_axes[axis].ordered) {
    walk.step = std::max<std::size_t>(1, walk.step);
    walk.turned = false;
    walk.up = walk.forward;
  } else {
    if (walk.again) return;
    walk.again = true;
    walk.seen.assign(m_axes[axis].levels, false);
    walk.seen[m_points[m_best].levels[axis]] = true;
  }
  walk.done = false;
}

void Tuner::judge() {
  const std::vector<Move> winners = winnersOf(m_moves);
  for (const Move& move : m_moves)
    if (gain(move.point) <= kWorthGain)
      for (const std::size_t axis : move.axes) reject(axis);
  m_moves = winners;
  m_phase = Phase::Screen;
  if (winners.empty()) return;
  const auto all = joined(winners);
  const Move& first = winners.front();
  const double gained = gain(first.point);
  if (gained > kPlainGain && gained > kPlainErrors * scatter(first.point)) {
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

/// Between two blocks of a race, and before its first.
void Tuner::race() {
  if (m_raced > 0) {
    const std::vector<Move> raced = m_moves;
    dropLosers();
    const Move first = m_moves.empty() ? raced.front() : m_moves.front();
    const double gained = m_moves.empty() ? 0 : gain(first.point);
    const bool plain = gained > kRaceErrors * scatter(first.point);
    if (m_moves.size() <= 1 && (plain || m_raced >= kMostRaced - 1 || gained <= kWorthGain)) {
      m_phase = Phase::Screen;
      if (gained > kWorthGain) return accept(first);
      for (const Move& move : raced)
        for (const std::size_t axis : move.axes) reject(axis);
      return;
    }
  }
  if (!fits(m_moves.size() + 1)) {
    if (!m_moves.empty() && m_raced > 0 && gain(m_moves.front().point) > kWorthGain)
      accept(m_moves.front());
    return endSearch(TunerEnd::Budget);
  }
  ++m_raced;
  std::vector<std::size_t> block = {m_best};
  for (const Move& move : m_moves) block.push_back(move.point);
  beginBlock(std::move(block));
}

/// Blocks that shall hold both the start and the best.
std::size_t Tuner::confirmBlocks() const {
  const double gained = -gain(m_start);
  const bool large = gained > kLargeGain && gained > kLargeErrors * scatter(m_start);
  return large ? std::min<std::size_t>(2, m_settings.confirmBlocks) : m_settings.confirmBlocks;
}

void Tuner::confirm() {
  const bool alike = m_best == m_start || isOut(m_start) || isOut(m_best);
  if (alike || m_scores.pairsOf(m_start, m_best).a.size() >= confirmBlocks() || !fits(2))
    return over(m_end);
  beginBlock({m_start, m_best});
}

}  // namespace millrace
