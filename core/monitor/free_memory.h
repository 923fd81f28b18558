// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace millrace {

/// Bytes that this process can allocate without swapping or being killed: the kernel's estimate
/// (MemAvailable, proc(5)), limited by what its control groups have left; their cached files count
/// as free. nullopt if the kernel does not report it. `root` is for tests. Any thread.
std::optional<std::uint64_t> freeMemoryBytes(const std::filesystem::path& root = "/");

}  // namespace millrace
