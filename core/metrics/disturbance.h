// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// Thresholds above which the figures of a repeat count as disturbed (docs/reference/figures.md).
/// This one is for other_busy_share and accelerator.other_share: other processes' share of the
/// cores and of the GPU.
inline constexpr double kDisturbedShare = 0.03;
/// For core_speed_change.
inline constexpr double kDisturbedSpeed = 0.05;
/// For core_exchange_change: three times the usual latency; twice is normal between neighbouring
/// cores.
inline constexpr double kDisturbedExchange = 0.65;
/// For other_disk_share.
inline constexpr double kDisturbedDisk = 0.2;
/// For page_cache_change.
inline constexpr double kDisturbedCache = 0.1;

/// A repeat's figure by its key in core/metrics/metric_spec; nullopt if it is not known.
using FigureByKey = std::function<std::optional<double>(std::string_view key)>;

/// What disturbed a repeat, each as "other programs took 12 % of the cores"; empty if nothing is
/// known to have disturbed it. Pure.
std::vector<std::string> disturbancesIn(const FigureByKey& figure);

/// What disturbed the first of `count` disturbed repeats, joined. Of several, with its number from
/// 1: "repeat 2: other programs took 12 % of the cores", because the others may have had other
/// reasons.
std::string firstDisturbance(std::size_t count, std::size_t number,
                             const std::vector<std::string>& disturbances);

/// How the repeats of a run were measured: one after another, or as parts of interleaved blocks
/// with the repeats of other runs (`millrace compare`, a sweep, a tuning).
enum class RepeatsMeasured { Alone, InBlocks };

/// Which repeats count in a run's rate, its means and its verdicts: the only such rule. Alone:
/// those that nothing disturbed; all, if everything was disturbed. In blocks: all, because
/// disturbed blocks were measured again as far as allowed, and a rate of a block is compared with
/// the other rates of that block. Pure.
std::vector<bool> countedRepeats(const std::vector<bool>& disturbed,
                                 RepeatsMeasured how = RepeatsMeasured::Alone);

}  // namespace millrace
