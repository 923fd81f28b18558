// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/store/run_record.h"

namespace millrace {

/// Which process writes a run: enough for another program to see later that it has died. A number
/// alone would not do, the kernel gives it again.
struct WriterId {
  std::string bootId;        ///< /proc/sys/kernel/random/boot_id
  std::string pidNamespace;  ///< link of /proc/self/ns/pid: process ids mean nothing outside it
  std::int64_t pid = 0;
  std::int64_t startTicks = 0;  ///< field 22 of /proc/PID/stat

  bool operator==(const WriterId&) const = default;
};

/// The calling process.
WriterId thisWriter();

/// Field 22 of the text of /proc/PID/stat: ticks from boot to the start of the process. The name in
/// field 2 may hold spaces and brackets.
std::optional<std::int64_t> startTicksOf(std::string_view procStat);

/// A running run whose heartbeat is older than this has died, when its writer cannot be looked up.
inline constexpr std::chrono::milliseconds kHeartbeatLimit{60'000};

/// Whether the writer of a run that says "running" still lives, as far as `reader` can tell: on the
/// same boot and process namespace by looking the process up, else (another boot, machine or
/// container) by the age of its heartbeat.
bool isAlive(const WriterId& writer, WallTime heartbeat, const WriterId& reader, WallTime now);

}  // namespace millrace
