// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace millrace::cli {

/// All of standard input, or its first `most` + 1 bytes, so that the caller sees that it is too
/// long. Nothing has begun yet, so SIGINT and SIGTERM end the program with exit code 3. Main
/// thread.
std::string standardInput(std::size_t most);

/// Whether a path is a pipe, a socket or a device, whose text is there only once.
bool isStream(const std::string& path);
/// As `standardInput`, for such a path. nullopt if it cannot be opened, as a socket.
std::optional<std::string> streamText(const std::string& path, std::size_t most);

}  // namespace millrace::cli
