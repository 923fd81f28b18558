// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/store/run_record.h"

namespace millrace {

/// Identifies the process that writes a run, so that another program can find out later whether it
/// has ended. The process id alone is not enough, because the kernel reuses it.
struct WriterId {
  std::string bootId;        ///< /proc/sys/kernel/random/boot_id
  std::string pidNamespace;  ///< link of /proc/self/ns/pid; process ids are valid only within it
  std::int64_t pid = 0;
  std::int64_t startTicks = 0;  ///< field 22 of /proc/PID/stat

  bool operator==(const WriterId&) const = default;
};

/// The calling process.
WriterId thisWriter();

/// Field 22 of /proc/PID/stat: clock ticks from boot to the start of the process. The name in field
/// 2 may contain spaces and brackets. nullopt for a process that has ended.
std::optional<std::int64_t> startTicksOf(std::string_view procStat);

/// If the writer cannot be looked up, a run counts as interrupted when its heartbeat is older than
/// this.
inline constexpr std::chrono::milliseconds kHeartbeatLimit{60'000};

/// Whether the writer of a "running" run still exists, as far as `reader` can tell: by looking up
/// the process if boot and process namespace are the same, else (another boot, machine or
/// container) by the age of its heartbeat.
bool isAlive(const WriterId& writer, WallTime heartbeat, const WriterId& reader, WallTime now);

}  // namespace millrace
