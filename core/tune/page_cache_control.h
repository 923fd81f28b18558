// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>

namespace millrace {

/// Path of file number i.
using FileAt = std::function<std::filesystem::path(std::size_t)>;

/// Asks the kernel to forget the pages of every file (posix_fadvise(2), POSIX_FADV_DONTNEED), which
/// takes no rights but reading; what is not on the disk yet is written first. Pages that another
/// process has mapped stay. A file that comes again behind itself is asked about once. Stops early
/// when `stop` is set. Probe afterwards: a file system may not listen.
void dropFromPageCache(std::size_t count, const FileAt& fileAt, const std::atomic<bool>& stop);

/// Reads files in their order until all are read, `seconds` are over or `stop` is set; how many
/// were read.
std::size_t readIntoPageCache(std::size_t count, const FileAt& fileAt, double seconds,
                              const std::atomic<bool>& stop);

}  // namespace millrace
