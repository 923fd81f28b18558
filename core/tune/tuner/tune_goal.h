// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/measure/run_result.h"

namespace millrace {

/// What a tuning optimises (docs/reference/command-line.md).
enum class TuneGoal : std::uint8_t {
  Throughput,  ///< samples/s
  Cost,        ///< CPU seconds for 1 000 samples
  Latency,     ///< 95th percentile of waiting for a batch
  EpochTime    ///< time of the first epoch, including start and filling caches
};
/// `throughput`, `cost`, `latency`, `epoch-time`.
std::string_view nameOf(TuneGoal goal);
/// The error lists the valid names.
Result<TuneGoal> parseGoal(std::string_view text);

/// Score of a trial: the logarithm of the goal's figure, higher is better. `seconds`: duration of
/// the whole process. nullopt if the figure was not measured. Waits below 10 us count as 10 us.
std::optional<double> scoreOf(TuneGoal goal, const SpanFigures& figures, double seconds);

/// Number of cores that a measured span kept busy; nullopt if not measured.
std::optional<double> coresOf(const SpanFigures& figures);

/// Benefit and cost of a setting.
struct TuneBalance {
  double rate = 0;  ///< samples/s
  double bytes = 0;
  double cores = 0;
};
/// The Pareto front: settings for which no other is at least as fast with at most as much memory
/// and as few cores. Differences below 2 % of memory or cores are ignored. A slower setting always
/// keeps fewer cores busy, so one that is slower and takes more memory is on the front only if it
/// takes less core time for a sample. Returns indices, fastest first; settings without a rate are
/// never included. `best`: the chosen setting. Rates above its own count as equal to it, because
/// they were not shown to be higher.
std::vector<std::size_t> paretoFront(std::vector<TuneBalance> settings,
                                     std::optional<std::size_t> best = std::nullopt);

/// Of a goal's figure of which less is better, as a rate; 0 if it was not measured.
inline double inverseOf(double figure) { return figure > 0 ? 1 / figure : 0; }

/// The setting because of which the chosen one is not on that front: measured as fast or faster
/// with no more memory and cores, but not shown to be better. nullopt if there is none.
std::optional<std::size_t> beaterOf(const std::vector<TuneBalance>& settings, std::size_t best);

}  // namespace millrace
