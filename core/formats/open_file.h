// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/result.h"
#include "core/formats/unique_fd.h"

namespace millrace {

/// A regular file that is open for reading.
struct OpenFile {
  UniqueFd fd;
  std::uint64_t size = 0;
};

/// Raises the soft limit of open files where that is what stands in the way. The error is a
/// sentence without the path. Pipes, devices and folders are refused.
Result<OpenFile> openForReading(const std::filesystem::path& path);

/// Bytes [offset, offset + count) as far as the file has them, for looking into heads; gives how
/// many there are.
Result<std::size_t> readAt(int fd, std::uint64_t offset, void* to, std::size_t count);

}  // namespace millrace
