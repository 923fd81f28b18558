// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace millrace {

/// Bytes that this process can take without swapping or being killed: what the kernel estimates as
/// available (MemAvailable, proc(5)), and what the limits of its control groups leave, whose cached
/// files count as free. Absent where the kernel does not tell. `root` is for tests. Any thread.
std::optional<std::uint64_t> freeMemoryBytes(const std::filesystem::path& root = "/");

}  // namespace millrace
