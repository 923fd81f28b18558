// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/monitor/proc_text.h"

namespace millrace {

/// State of the machine at one moment, as far as other programs and the hardware change it.
struct MachineState {
  double coreSpeed = 0;                    ///< dependent multiplications and additions per second
  std::optional<std::uint64_t> throttles;  ///< thermalThrottles()
  /// Read and written by all programs, counted on whole disks.
  std::optional<std::uint64_t> diskBytes;
  ProcessReads own;
  /// interCoreLatencySeconds(), and the smallest of them seen by then.
  std::optional<double> exchangeSeconds = {};
  std::optional<double> usualExchangeSeconds = {};
};

/// Takes 2 to 3 ms of computation on the calling thread, so call it outside of measured spans.
/// Disks count as in diskTotals (core/monitor/traffic). `root` is for tests. Any thread.
MachineState machineState(const std::filesystem::path& root = "/");

/// Difference of two states.
struct MachineChange {
  /// Relative to the faster moment: 0.1 if a core was a tenth slower at the other one, because of
  /// other guests, heat, power limits or turbo.
  double coreSpeedChange = 0;
  /// interCoreLatencyChange() of the slower moment.
  std::optional<double> interCoreLatencyChange;
  std::optional<std::uint64_t> throttles;
  /// Share of the disk traffic caused by other programs. Absent unless the process itself read at
  /// least 1 MB from storage, because otherwise a busy disk does not matter.
  std::optional<double> otherDiskShare;
};
MachineChange changeBetween(const MachineState& earlier, const MachineState& later);

}  // namespace millrace
