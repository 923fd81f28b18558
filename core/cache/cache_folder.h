// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/formats/unique_fd.h"

namespace millrace {

// The folder of caches holds a folder for each, called by 16 hexadecimal digits. Who uses a cache
// holds a shared lock on the file `lock` in it (flock); who removes one holds it alone. The time of
// that file is when the cache was last opened.

/// A cache that nobody removes while this is there. Moves only.
struct HeldCache {
  std::filesystem::path folder;
  UniqueFd lock;
  /// Why nothing can be added to it, and what to do; empty: it can.
  std::string readOnly;
};

/// The cache `name` below `root`, made when it is not there; `about` is put beside it as about.txt,
/// for a person. The error says that `root` cannot be used and what to do; one that may only be
/// read is none.
Result<HeldCache> holdCache(const std::filesystem::path& root, const std::string& name,
                            const std::string& about);

/// Bytes by which the caches below `root` may grow: `need`, or a sixteenth of `limit` up to 64 MiB
/// where that is more and there is room, so that processes that write at once exceed the limit by
/// little. For that it removes caches that nobody holds, the one that was opened longest ago first.
/// 0, and nothing is removed: even so they would go beyond `limit`, or leave less of the disk than
/// 1 GiB or a fiftieth.
std::uint64_t roomFor(std::uint64_t need, const std::filesystem::path& root, std::uint64_t limit);

}  // namespace millrace
