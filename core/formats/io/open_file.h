// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/result.h"
#include "core/formats/io/unique_fd.h"

namespace millrace {

/// A regular file or a remote object, open for reading.
struct OpenFile {
  UniqueFd fd;
  std::uint64_t size = 0;
};

/// Opens a regular file or a remote object, raising the soft limit of open files if necessary.
/// Pipes, devices and folders are refused. The error does not contain the path.
Result<OpenFile> openForReading(const std::filesystem::path& path);

/// Reads up to `count` bytes at `offset`, for inspecting headers; returns how many there were.
Result<std::size_t> readAt(int fd, std::uint64_t offset, void* to, std::size_t count);

}  // namespace millrace
