// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/spec/problem.h"

namespace millrace {

/// Adds a warning for each reason for which the cores run slower than they could, so that what is
/// measured now does not stand for the machine: a governor that keeps the lowest frequency, a
/// highest frequency that was set below the processor's own. By cpufreq of core 0 (the kernel's
/// Documentation/admin-guide/pm/cpufreq.rst); none where there is no cpufreq, as in most virtual
/// machines. `root` is for tests. Any thread.
void warnOfSlowCores(Problems& problems, const std::filesystem::path& root = "/");

/// How often cores were slowed down for their heat since boot, all of them together: the kernel's
/// core_throttle_count. Absent where it does not count. `root` is for tests. Any thread.
std::optional<std::uint64_t> thermalThrottles(const std::filesystem::path& root = "/");

}  // namespace millrace
