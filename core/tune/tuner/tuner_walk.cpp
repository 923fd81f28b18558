// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// How Tuner moves along an axis: the next level to try, and what follows a step without gain.
#include <algorithm>

#include "core/tune/tuner/tuner.h"

namespace millrace {

namespace {

/// With fewer scores the surface is not used for points that were not measured.
constexpr std::size_t kLeastScores = 6;
/// Standard deviations of the estimate at which a gain counts as impossible.
constexpr double kHopelessErrors = 1.5;

}  // namespace

std::optional<std::size_t> Tuner::jumpOf(std::size_t axis) {
  Walk& walk = m_walks[axis];
  if (walk.jumped) return std::nullopt;
  walk.jumped = true;
  const auto& expected = m_axes[axis].expected;
  double most = kMinGain;
  for (const auto& each : expected) most = std::max(most, each.value_or(0));
  if (most <= kMinGain) return std::nullopt;
  // Among equally good levels take the lowest, because it costs least.
  for (std::size_t level = 0; level < expected.size(); ++level)
    if (expected[level].value_or(0) >= most - kMinGain) {
      walk.step = 1;
      walk.up = level > m_axes[axis].start;
      return level;
    }
  return std::nullopt;
}

/// The point that differs from the best only by this level, if it was tried.
std::optional<std::size_t> Tuner::triedAt(std::size_t axis, std::size_t level) const {
  TunePoint levels = m_points[m_best].levels;
  levels[axis] = level;
  return m_points.tried(levels);
}

/// The nearest such level above or below the best point.
std::optional<std::size_t> Tuner::triedBeside(std::size_t axis, bool up) const {
  const std::size_t at = m_points[m_best].levels[axis];
  const std::size_t steps = up ? m_axes[axis].levels - 1 - at : at;
  for (std::size_t step = 1; step <= steps; ++step) {
    const std::size_t level = up ? at + step : at - step;
    if (triedAt(axis, level)) return level;
  }
  return std::nullopt;
}

/// Whether no level between the best and `tried`, which is worse, can be worth a trial. If the
/// score is concave, it rises there no more steeply than it falls on the other side of the best. At
/// the end of an axis there is no other side; there a distance of two levels is close enough.
bool Tuner::isBracketed(std::size_t axis, std::size_t tried) const {
  const std::size_t at = m_points[m_best].levels[axis];
  const bool up = tried > at;
  const std::size_t between = (up ? tried - at : at - tried) - 1;
  if (between == 0) return true;
  if (up ? at == 0 : at + 1 == m_axes[axis].levels) return between == 1;
  const auto other = triedBeside(axis, !up);
  if (!other) return false;
  const auto apart = static_cast<double>(up ? at - *other : *other - at);
  const double fall = -gain(*triedAt(axis, *other)) / apart;
  return fall * static_cast<double>(between) <= kMinGain;
}

std::optional<std::size_t> Tuner::stepOf(std::size_t axis) {
  const Walk& walk = m_walks[axis];
  const std::size_t at = m_points[m_best].levels[axis];
  const std::size_t last = m_axes[axis].levels - 1;
  const std::size_t to = walk.up ? std::min(last, at + walk.step) : at - std::min(at, walk.step);
  if (to == at) return std::nullopt;
  const auto tried = triedBeside(axis, walk.up);
  if (!tried) return to;
  if (gain(*triedAt(axis, *tried)) > kMinGain) return tried;
  // Levels beyond a worse level are not better either.
  if (isBracketed(axis, *tried)) return std::nullopt;
  return walk.up ? std::min(to, *tried - 1) : std::max(to, *tried + 1);
}

/// The next level to try on this axis; nullopt if the axis is done for now.
std::optional<std::size_t> Tuner::nextLevel(std::size_t axis) {
  Walk& walk = m_walks[axis];
  if (const auto jump = jumpOf(axis); jump && *jump != m_points[m_best].levels[axis]) return jump;
  if (!m_axes[axis].ordered) {
    const auto level = std::ranges::find(walk.seen, false);
    if (level == walk.seen.end()) return std::nullopt;
    return static_cast<std::size_t>(level - walk.seen.begin());
  }
  while (!walk.done) {
    if (const auto level = stepOf(axis)) return level;
    reject(axis);
  }
  return std::nullopt;
}

void Tuner::reject(std::size_t axis) {
  Walk& walk = m_walks[axis];
  if (!m_axes[axis].ordered) return;
  walk.up = !walk.up;
  walk.turned = !walk.turned;
  if (walk.turned) return;
  walk.step /= 2;
  walk.done = walk.step == 0;
}

/// Whether the measurements so far leave no possible gain at these levels. Not used for unordered
/// axes, whose neighbours say nothing.
bool Tuner::isHopeless(std::size_t axis, const TunePoint& levels) const {
  if (!m_axes[axis].ordered || m_points.surface().size() < kLeastScores) return false;
  const TunerBelief belief = m_points.surface().over(levels, m_points[m_best].levels);
  return belief.mean + kHopelessErrors * belief.deviation < kMinGain;
}

std::optional<Tuner::Move> Tuner::moveOf(std::size_t axis) {
  Walk& walk = m_walks[axis];
  while (!walk.done) {
    const auto level = nextLevel(axis);
    if (!level) break;
    walk.seen[*level] = true;
    TunePoint levels = m_points[m_best].levels;
    levels[axis] = *level;
    const auto tried = triedAt(axis, *level);
    if (tried ? gain(*tried) > kMinGain : !isHopeless(axis, levels))
      return Move{m_points.numberOf(levels), {axis}};
    reject(axis);
  }
  walk.done = true;
  return std::nullopt;
}

}  // namespace millrace
