// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/disturbance.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

std::vector<std::string> disturbancesIn(const FigureByKey& figure) {
  std::vector<std::string> all;
  if (const auto share = figure("other_busy_share"); share && *share > kDisturbedShare)
    all.push_back(fmt::format("other programs took {:.0f} % of the cores", 100 * *share));
  if (const auto change = figure("core_speed_change"); change && *change > kDisturbedSpeed)
    all.push_back(fmt::format("the speed of a core changed by {:.0f} %", 100 * *change));
  if (const auto change = figure("core_exchange_change"); change && *change > kDisturbedExchange)
    all.push_back(fmt::format("inter-core latency was {:.0f} times the usual",
                              1 / (1 - std::min(*change, 0.999))));
  if (const auto count = figure("throttles"); count && *count > 0)
    all.emplace_back("the cores were slowed down because of heat");
  if (const auto share = figure("other_disk_share"); share && *share > kDisturbedDisk)
    all.push_back(fmt::format("other programs caused {:.0f} % of the disk traffic", 100 * *share));
  if (const auto batches = figure("dumped_batches"); batches && *batches > 0)
    all.push_back(fmt::format("{:.0f} batch{} written to files", *batches,
                              *batches == 1 ? " was" : "es were"));
  if (const auto change = figure("page_cache_change"); change && *change > kDisturbedCache)
    all.push_back(
        fmt::format("{:.0f} % of the data entered or left the page cache", 100 * *change));
  if (const auto share = figure("accelerator.other_share"); share && *share > kDisturbedShare)
    all.push_back(
        fmt::format("other programs used the GPU for {:.0f} % of the time", 100 * *share));
  return all;
}

std::string firstDisturbance(std::size_t count, std::size_t number,
                             const std::vector<std::string>& disturbances) {
  const std::string text = join(disturbances, "; ");
  return count > 1 ? fmt::format("repeat {}: {}", number, text) : text;
}

std::vector<bool> countedRepeats(const std::vector<bool>& disturbed, RepeatsMeasured how) {
  const bool all =
      how == RepeatsMeasured::InBlocks || std::ranges::all_of(disturbed, std::identity{});
  std::vector<bool> counted;
  for (const bool one : disturbed) counted.push_back(all || !one);
  return counted;
}

}  // namespace millrace
