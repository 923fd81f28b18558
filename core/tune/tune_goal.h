// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/run_result.h"

namespace millrace {

/// What tuning is for (CONTRACT §9).
enum class TuneGoal : std::uint8_t {
  Throughput,  ///< samples/s
  Cost,        ///< CPU seconds for 1 000 samples
  Latency,     ///< 95th percentile of waiting for a batch
  EpochTime    ///< of the first epoch, start and filling caches included
};
/// `throughput`, `cost`, `latency`, `epoch-time`.
std::string_view nameOf(TuneGoal goal);
/// The error lists the valid names.
Result<TuneGoal> parseGoal(std::string_view text);

/// Logarithm of how good a trial was: higher is better. `seconds`: of the whole process. Absent
/// where the figure was not measured. A wait under 10 us counts as that: less is no difference.
std::optional<double> scoreOf(TuneGoal goal, const SpanFigures& figures, double seconds);

/// Cores that a measured span kept busy.
std::optional<double> coresOf(const SpanFigures& figures);

/// What a setting gives and takes.
struct TuneBalance {
  double rate = 0;  ///< samples/s
  double bytes = 0;
  double cores = 0;
};
/// The settings that no other beats: none is as fast with as little memory and as few cores. Less
/// than 2 % of memory or cores is no difference. Who is slower keeps fewer cores busy by that
/// alone: one that is slower and takes more memory is on the front only where it takes less of the
/// cores' time for a sample. By rate, the fastest first. Those without a rate are on no front.
/// `best`: what was chosen; it is on the front, and no rate counts for more than its own, because
/// none was shown to be more.
std::vector<std::size_t> paretoFront(std::vector<TuneBalance> settings,
                                     std::optional<std::size_t> best = std::nullopt);

}  // namespace millrace
