// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/store/run_record.h"

namespace millrace {

/// The theme's series of the baseline in every view, and the number of series. After the last
/// series they repeat, dashed.
inline constexpr int kBaselineSeries = 4;
inline constexpr int kSeriesCount = 6;

/// A run's series: the baseline has its own, and the others one by their number, so that a run
/// keeps its colour whatever else is selected. After the tenth they repeat.
inline int seriesOfRun(RunNumber run, bool isBaseline) {
  constexpr std::array kOthers = {0, 1, 2, 3, 5};
  constexpr auto kColours = static_cast<std::int64_t>(kOthers.size());
  if (isBaseline) return kBaselineSeries;
  const std::int64_t place = std::max<std::int64_t>(0, static_cast<std::int64_t>(run) - 1);
  const int dashed = (place / kColours) % 2 == 0 ? 0 : kSeriesCount;
  return kOthers[static_cast<std::size_t>(place % kColours)] + dashed;
}

/// The run's series if it is among the chosen runs; -1 if it is not.
inline int seriesIn(const std::vector<RunNumber>& chosen, std::optional<RunNumber> baseline,
                    RunNumber run) {
  const bool isChosen = std::ranges::find(chosen, run) != chosen.end();
  return isChosen ? seriesOfRun(run, baseline == run) : -1;
}

/// The baseline's line is dashed, and so are those from the seventh on.
inline bool isDashed(int series) { return series == kBaselineSeries || series >= kSeriesCount; }

}  // namespace millrace
