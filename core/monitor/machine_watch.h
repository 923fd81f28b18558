// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/monitor/proc_text.h"

namespace millrace {

/// What other things than the process change about the machine, at one moment.
struct MachineState {
  double coreSpeed = 0;                    ///< dependent multiplications and additions a second
  std::optional<std::uint64_t> throttles;  ///< thermalThrottles()
  std::optional<std::uint64_t> diskBytes;  ///< read and written by all programs, on whole disks
  ProcessReads own;
  /// coreExchangeSeconds(), and the least of it that the process had seen by then.
  std::optional<double> exchangeSeconds = {};
  std::optional<double> usualExchangeSeconds = {};
};

/// Takes 2 to 3 ms, in which the calling thread computes: to be called while no figure is measured.
/// Disks are those with hardware of their own below /sys/block (the kernel's
/// Documentation/admin-guide/iostats.rst), so that partitions, mappings and loops count once.
/// `root` is for tests. Any thread.
MachineState machineState(const std::filesystem::path& root = "/");

/// What became of it from one moment to a later one.
struct MachineChange {
  /// Of the faster of both moments: 0.1 where a core was a tenth slower at one of them, as other
  /// guests, heat, power and turbo make it.
  double coreSpeedChange = 0;
  /// coreExchangeChange() of the slower moment.
  std::optional<double> coreExchangeChange;
  std::optional<std::uint64_t> throttles;
  /// Of the bytes that went to and from disks, those of other programs. Absent unless the process
  /// itself read from storage, 1 MB or more: else a busy disk holds nothing up.
  std::optional<double> otherDiskShare;
};
MachineChange changeBetween(const MachineState& earlier, const MachineState& later);

}  // namespace millrace
