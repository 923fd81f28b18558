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
/// Files that this user owns or may write are asked about with mincore(2), which touches nothing.
/// Of others it says since Linux 5.2 that all is resident, so that every shared data set would look
/// warm: there a byte is read with preadv2(2) and RWF_NOWAIT, which fails with EAGAIN instead of
/// waiting for storage. The kernel may fetch a page that was asked about so (readahead is switched
/// off, so that it is that page alone), and on a quick disk it then counts as resident at times.
PageCacheReport probePageCache(std::size_t count,
                               const std::function<std::filesystem::path(std::size_t)>& fileAt);

}  // namespace millrace
