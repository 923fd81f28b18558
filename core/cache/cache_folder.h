// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/formats/io/unique_fd.h"

namespace millrace {

// The cache folder has a subfolder for each cache, named by 16 hexadecimal digits. A process that
// uses a cache holds a shared lock (flock) on the file `lock` in it; removing one needs the
// exclusive lock. The modification time of `lock` is when the cache was last opened.

/// A cache that cannot be removed while this object exists. Move-only.
struct HeldCache {
  std::filesystem::path folder;
  UniqueFd lock;
  /// Why nothing can be added, and what to do about it; empty: samples can be added.
  std::string readOnly;
};

/// Opens the cache `name` below `root` and creates it if necessary; `about` is written to about.txt
/// in it for users. The error says why `root` cannot be used and what to do. A read-only cache is
/// not an error.
Result<HeldCache> holdCache(const std::filesystem::path& root, const std::string& name,
                            const std::string& about);

/// The number of bytes by which the caches below `root` may grow: `need`, or if possible a
/// sixteenth of `limit` up to 64 MiB, so that processes writing at the same time exceed the limit
/// only slightly. Removes unused caches if necessary, least recently opened first. Returns 0 and
/// removes nothing if the caches would still exceed `limit`, or leave less than 1 GiB or a fiftieth
/// of the disk free.
std::uint64_t roomFor(std::uint64_t need, const std::filesystem::path& root, std::uint64_t limit);

}  // namespace millrace
