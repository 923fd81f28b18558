// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/sweep/sweep_outcome.h"

namespace millrace {

std::string_view SweepOutcome::stateOf(std::size_t point) const {
  const PointState& state = result.points[point];
  if (state.failed()) return "failed";
  if (state.repeats.empty()) return "waiting";
  return state.repeats.size() < blocks ? "part" : "measured";
}

}  // namespace millrace
