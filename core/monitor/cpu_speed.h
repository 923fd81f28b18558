// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/spec/problem.h"

namespace millrace {

/// Adds a warning for each reason why the cores run slower than they could: a governor that keeps
/// the lowest frequency, or a maximum frequency set below that of the processor. Figures measured
/// now would not show what the machine can do. Uses cpufreq of core 0 (kernel documentation:
/// admin-guide/pm/cpufreq.rst); no warning without cpufreq, as in most virtual machines. `root` is
/// for tests. Any thread.
void warnOfSlowCores(Problems& problems, const std::filesystem::path& root = "/");

/// Number of times since boot that cores were slowed down because of heat, summed over all cores:
/// the kernel's core_throttle_count. nullopt if it is not counted. `root` is for tests. Any thread.
std::optional<std::uint64_t> thermalThrottles(const std::filesystem::path& root = "/");

}  // namespace millrace
