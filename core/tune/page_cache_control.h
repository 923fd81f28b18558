// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>

namespace millrace {

/// Returns the path of file number i.
using FileAt = std::function<std::filesystem::path(std::size_t)>;

/// Asks the kernel to drop the pages of every file (posix_fadvise(2), POSIX_FADV_DONTNEED). Needs
/// read permission only. Pages not yet on disk are written first; pages mapped by another process
/// stay. Repeated consecutive paths are handled once. Ends early when `stop` is set. Check the
/// result, because a file system may ignore the request.
void dropFromPageCache(std::size_t count, const FileAt& fileAt, const std::atomic<bool>& stop);

/// Reads files in order until all are read, `seconds` have passed or `stop` is set. Returns the
/// number of files read.
std::size_t readIntoPageCache(std::size_t count, const FileAt& fileAt, double seconds,
                              const std::atomic<bool>& stop);

}  // namespace millrace
