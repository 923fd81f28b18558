// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/result.h"
#include "core/data/buffer.h"
#include "core/spec/source.h"

namespace millrace {

/// How bytes come from storage: through the system's page cache, or past it (O_DIRECT, open(2)).
enum class ReadBy : std::uint8_t { Cache, Direct };

/// Reads ranges of files that are open past the page cache, where offset, length and address must
/// be whole blocks, into memory that only grows. Where the file system refuses that for a file, it
/// turns it off for the descriptor and reads through the cache. One thread.
class BlockReader {
 public:
  /// What every storage takes: a page, which no logical block exceeds.
  static constexpr std::size_t kBlock = 4096;

  /// The `bytes` bytes from `offset` on, fewer where the file ends before; valid until the next
  /// read, followed by Buffer::kPadding readable bytes. The error gives the reason without the
  /// file's name.
  Result<std::span<std::byte>> read(int fd, std::uint64_t offset, std::size_t bytes,
                                    ReadCounters& counters);

  /// Memory that it keeps.
  std::size_t keptBytes() const { return m_memory.capacity(); }

 private:
  Buffer m_memory;
};

}  // namespace millrace
