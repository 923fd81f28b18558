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

/// How data is read: through the system's page cache, or bypassing it (O_DIRECT, open(2)).
enum class ReadBy : std::uint8_t { Cache, Direct };

/// Reads ranges of files opened with O_DIRECT, where offset, length and address must be multiples
/// of a block, into a buffer that only grows. If the file system refuses this for a file, switches
/// the descriptor to reading through the cache. One thread.
class BlockReader {
 public:
  /// Suits every storage device: a page, which no logical block exceeds.
  static constexpr std::size_t kBlock = 4096;

  /// The `bytes` bytes at `offset`, fewer at the end of the file; valid until the next read,
  /// followed by Buffer::kPadding readable bytes. The error gives the reason without the file's
  /// name.
  Result<std::span<std::byte>> read(int fd, std::uint64_t offset, std::size_t bytes,
                                    ReadCounters& counters);

  /// Size of its buffer.
  std::size_t keptBytes() const { return m_memory.capacity(); }

 private:
  Buffer m_memory;
};

}  // namespace millrace
