// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// other_busy_share and accelerator.other_share, other processes' share of the cores and of the
/// GPU, from which on figures are disturbed (CONTRACT §8).
inline constexpr double kDisturbedShare = 0.03;
/// core_speed_change, other_disk_share and page_cache_change from which on they are, too.
inline constexpr double kDisturbedSpeed = 0.05;
/// core_exchange_change: three times the usual time. Twice happens between neighbours.
inline constexpr double kDisturbedExchange = 0.65;
inline constexpr double kDisturbedDisk = 0.2;
inline constexpr double kDisturbedCache = 0.1;

/// A repeat's figure by its key in core/metrics/metric_spec, nothing where it is not known.
using FigureByKey = std::function<std::optional<double>(std::string_view key)>;

/// What disturbed a repeat, each as "other programs took 12 % of the cores"; empty: nothing that is
/// known. Pure.
std::vector<std::string> disturbancesIn(const FigureByKey& figure);

}  // namespace millrace
