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
  std::optional<double> residentShare;  ///< share of the probed pages
  std::size_t files = 0;                ///< files that could be probed
};

/// The state for these counts; Unknown if nothing was probed.
PageCacheState pageCacheState(std::size_t resident, std::size_t asked);

/// Probes at most 256 files, spread evenly over `count`, at four pages each (first, one and two
/// thirds, last). `fileAt` returns the path of file number i. Files that are empty or cannot be
/// opened are ignored. Takes some milliseconds if the folders are cached; otherwise use a separate
/// thread.
///
/// Files that this user owns or may write are probed with mincore(2), which has no side effects.
/// For other files mincore has reported every page as resident since Linux 5.2, so every shared
/// data set would look warm. For these a byte is read with preadv2(2) and RWF_NOWAIT, which fails
/// with EAGAIN instead of waiting for storage. The kernel may then fetch the probed page (only that
/// page, because readahead is switched off), and on a fast disk it sometimes counts as resident.
PageCacheReport probePageCache(std::size_t count,
                               const std::function<std::filesystem::path(std::size_t)>& fileAt);

}  // namespace millrace
