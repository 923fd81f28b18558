// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/store/run_record.h"

namespace millrace {

/// The theme's series of the baseline in every view, and the number of series. After the last
/// series they repeat, dashed.
inline constexpr int kBaselineSeries = 4;
inline constexpr int kSeriesCount = 6;

/// The run's series among the chosen runs: the baseline has its own, the others get the rest in
/// order; -1 if the run is not chosen.
inline int seriesIn(const std::vector<RunNumber>& chosen, std::optional<RunNumber> baseline,
                    RunNumber run) {
  int series = 0;
  for (const RunNumber one : chosen) {
    const bool isBaseline = baseline == one;
    if (one == run) return isBaseline ? kBaselineSeries : series;
    if (!isBaseline) ++series;
    if (series % kSeriesCount == kBaselineSeries) ++series;
  }
  return -1;
}

/// The baseline's line is dashed, and so are those from the seventh on.
inline bool isDashed(int series) { return series == kBaselineSeries || series >= kSeriesCount; }

}  // namespace millrace
