// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/result.h"
#include "core/data/buffer.h"
#include "core/data/sample.h"
#include "core/formats/block_reader.h"
#include "core/formats/unique_fd.h"
#include "core/spec/source.h"

namespace millrace {

/// Reads ranges of open files into memory that only grows, and counts what it cost. Short ranges
/// that follow each other are served from one larger read; not those past the page cache. No
/// mapping: a file that shrinks is an error and no signal. One thread.
class RangeReader {
 public:
  /// A range above this is refused as a sample.
  static constexpr std::size_t kLargest = std::size_t{1} << 30U;
  /// Bytes of one read where ranges follow each other.
  static constexpr std::size_t kBlock = std::size_t{1} << 18U;
  /// Ranges above this are long: each is a read of its own.
  static constexpr std::size_t kLong = kBlock / 8;

  explicit RangeReader(ReadBy by = ReadBy::Cache) : m_by(by) {}
  ReadBy by() const { return m_by; }

  /// The `bytes` bytes from `offset` on; valid until the next read. Followed by
  /// Buffer::kPadding readable bytes. The error gives the reason without the file's name.
  /// Where `room` has memory, a long range lies there, and the `behind` bytes behind it come with
  /// the same read: `held` has them until the next one.
  Result<std::span<std::byte>> read(int fd, std::uint64_t offset, std::size_t bytes,
                                    ReadCounters& counters, Sample::Room room = {},
                                    std::size_t behind = 0);
  /// A part of a range that belongs somewhere else.
  struct Inlay {
    std::size_t begin = 0;  ///< within the range, which holds all of it
    std::span<std::byte> to;
  };
  /// As the first, and the bytes of `inlay` lie there; what the span has in their place means
  /// nothing.
  Result<std::span<std::byte>> readAround(int fd, std::uint64_t offset, std::size_t bytes,
                                          const Inlay& inlay, ReadCounters& counters);
  /// A range that an earlier read brought along; empty: it did not.
  std::span<std::byte> held(int fd, std::uint64_t offset, std::size_t bytes);
  /// The same straight to where they are wanted.
  Status readTo(int fd, std::uint64_t offset, std::span<std::byte> to, ReadCounters& counters);

  /// Memory that it keeps.
  std::size_t keptBytes() const { return m_memory.capacity() + m_blocks.keptBytes(); }

 private:
  class Timing;

  bool holds(int fd, std::uint64_t offset) const {
    return fd == m_fd && offset >= m_offset && offset <= m_offset + m_held;
  }
  Result<std::size_t> fill(int fd, std::uint64_t offset,
                           std::span<const std::span<std::byte>> parts, std::size_t least,
                           ReadCounters& counters);
  Status readWithRest(int fd, std::uint64_t offset, std::span<std::byte> to, std::size_t behind,
                      ReadCounters& counters);

  Result<std::span<std::byte>> readDirect(int fd, std::uint64_t offset, std::size_t bytes,
                                          ReadCounters& counters);
  int direct(int fd);

  ReadBy m_by;
  BlockReader m_blocks;
  UniqueFd m_direct;  ///< the file of m_directOf, opened past the page cache
  int m_directOf = -1;
  Buffer m_memory;
  int m_fd = -1;
  std::uint64_t m_offset = 0;  ///< of the first byte held
  std::size_t m_held = 0;
  std::uint32_t m_sinceTimed = ReadCounters::kTimedOneIn - 1;  ///< the first one is timed
};

}  // namespace millrace
