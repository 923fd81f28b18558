// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// How an axis of Tuner is walked: where it goes next, and what follows from a step that lost.
#include <algorithm>

#include "core/tune/tuner.h"

namespace millrace {

std::optional<std::size_t> Tuner::jumpOf(std::size_t axis) {
  Walk& walk = m_walks[axis];
  if (walk.jumped) return std::nullopt;
  walk.jumped = true;
  const auto& expected = m_axes[axis].expected;
  double most = kWorthGain;
  for (const auto& each : expected) most = std::max(most, each.value_or(0));
  if (most <= kWorthGain) return std::nullopt;
  // Of levels that are as good the least: it costs less.
  for (std::size_t level = 0; level < expected.size(); ++level)
    if (expected[level].value_or(0) >= most - kWorthGain) {
      walk.step = 1;
      walk.up = level > m_axes[axis].start;
      return level;
    }
  return std::nullopt;
}

std::optional<std::size_t> Tuner::stepOf(std::size_t axis) {
  Walk& walk = m_walks[axis];
  const std::size_t at = m_points[m_best].levels[axis];
  const std::size_t last = m_axes[axis].levels - 1;
  const std::size_t to = walk.up ? std::min(last, at + walk.step) : at - std::min(at, walk.step);
  if (to == at) return std::nullopt;
  return to;
}

/// The level that the axis wants to try next; nothing: it is done for now.
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

std::optional<Tuner::Move> Tuner::moveOf(std::size_t axis) {
  Walk& walk = m_walks[axis];
  while (!walk.done) {
    const auto level = nextLevel(axis);
    if (!level) break;
    walk.seen[*level] = true;
    TunePoint levels = m_points[m_best].levels;
    levels[axis] = *level;
    const std::size_t number = numberOf(levels);
    const bool known = isOut(number) || m_points[number].repeats > 0;
    if (!known || gain(number) > kWorthGain) return Move{number, {axis}};
    reject(axis);
  }
  walk.done = true;
  return std::nullopt;
}

}  // namespace millrace
