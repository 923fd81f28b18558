// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/machine_watch.h"

#include <algorithm>
#include <chrono>

#include "core/base/clock.h"
#include "core/monitor/cpu_speed.h"
#include "core/monitor/inter_core_latency.h"
#include "core/monitor/small_file.h"
#include "core/monitor/traffic.h"

namespace millrace {

namespace {

constexpr int kSteps = 50'000;  ///< about 50 us
constexpr int kSpins = 20;  ///< the best one counts; in others the thread may have lost its core
constexpr double kLeastRead = 1e6;

/// Runs a generator in which each step depends on the previous one, so its rate shows the core's
/// clock.
double coreSpeed() {
  double best = 0;
  std::uint64_t state = 1;
  for (int i = 0; i < kSpins; ++i) {
    const SteadyTime began = std::chrono::steady_clock::now();
    for (int step = 0; step < kSteps; ++step) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      asm volatile("" : "+r"(state));  // prevents the compiler from precomputing
    }
    const double seconds = toSeconds(std::chrono::steady_clock::now() - began);
    if (seconds > 0) best = std::max(best, kSteps / seconds);
  }
  return best;
}

}  // namespace

MachineState machineState(const std::filesystem::path& root) {
  MachineState state;
  state.coreSpeed = coreSpeed();
  state.exchangeSeconds = interCoreLatencySeconds();
  state.usualExchangeSeconds = usualInterCoreLatency();
  state.throttles = thermalThrottles(root);
  const FlowTotals disks = diskTotals(root / "proc", root / "sys");
  if (disks[Flow::DiskRead] && disks[Flow::DiskWritten])
    state.diskBytes = *disks[Flow::DiskRead] + *disks[Flow::DiskWritten];
  state.own = parseProcessReads(readSmallFile(root / "proc/self/io"));
  return state;
}

MachineChange changeBetween(const MachineState& earlier, const MachineState& later) {
  MachineChange change;
  const auto [slow, fast] = std::minmax(earlier.coreSpeed, later.coreSpeed);
  if (fast > 0) change.coreSpeedChange = 1 - slow / fast;
  if (earlier.exchangeSeconds && later.exchangeSeconds && later.usualExchangeSeconds)
    change.interCoreLatencyChange = interCoreLatencyChange(
        std::max(*earlier.exchangeSeconds, *later.exchangeSeconds), *later.usualExchangeSeconds);
  change.throttles = growthOf(earlier.throttles, later.throttles);
  const auto all = growthOf(earlier.diskBytes, later.diskBytes);
  const auto read = growthOf(earlier.own.storageBytes, later.own.storageBytes);
  const auto written = growthOf(earlier.own.storageWrittenBytes, later.own.storageWrittenBytes);
  if (!all || !read || static_cast<double>(*read) < kLeastRead) return change;
  const double own = static_cast<double>(*read + written.value_or(0));
  // Data from a network counts as read from storage but not from a disk.
  const double others = std::max(0.0, static_cast<double>(*all) - own);
  change.otherDiskShare = others / (others + own);
  return change;
}

}  // namespace millrace
