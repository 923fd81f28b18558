// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

namespace millrace {

/// How much of a data set the kernel's page cache holds: Cold up to 5 %, Warm from 95 %.
enum class PageCacheState : std::uint8_t { Cold, Warm, Mixed, Unknown };
std::string_view nameOf(PageCacheState state);

struct PageCacheReport {
  PageCacheState state = PageCacheState::Unknown;
  std::optional<double> residentShare;  ///< of the places asked about
  std::size_t files = 0;                ///< that could be asked about
};

/// The state by counts; Unknown for nothing asked.
PageCacheState pageCacheState(std::size_t resident, std::size_t asked);

/// Asks about at most 256 files, spread evenly over `count`, at four places each (first page, one
/// and two thirds, last page). `fileAt` gives the path of file number i. Files that are empty or
/// cannot be opened do not count. Takes some milliseconds when the folders are cached; a thread of
/// its own when they may not be.
///
/// It reads a byte with preadv2(2) and RWF_NOWAIT, which fails with EAGAIN instead of waiting for
/// storage. Not mincore(2): since Linux 5.2 it tells whoever does not own a file, or may not write
/// it, that all of it is resident, so that every shared data set would look warm; and it needs a
/// mapping, which faults when a file shrinks. The kernel may fetch a page that was asked about:
/// readahead is switched off on our descriptor, so that it is that page alone.
PageCacheReport probePageCache(std::size_t count,
                               const std::function<std::filesystem::path(std::size_t)>& fileAt);

}  // namespace millrace
