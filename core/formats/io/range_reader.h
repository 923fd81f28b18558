// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/result.h"
#include "core/data/buffer.h"
#include "core/data/sample.h"
#include "core/formats/io/block_reader.h"
#include "core/formats/io/unique_fd.h"
#include "core/spec/source.h"

namespace millrace {

/// Reads ranges of open files into a buffer that only grows, and counts the cost. Short consecutive
/// ranges are served from one larger read, except when the page cache is bypassed. Uses no memory
/// mapping, so a shrinking file causes an error, not a signal. One thread.
class RangeReader {
 public:
  /// A longer range is refused as a sample.
  static constexpr std::size_t kLargest = std::size_t{1} << 30U;
  /// Size of one read for consecutive ranges.
  static constexpr std::size_t kBlock = std::size_t{1} << 18U;
  /// Longer ranges are read individually.
  static constexpr std::size_t kLong = kBlock / 8;

  explicit RangeReader(ReadBy by = ReadBy::Cache) : m_by(by) {}
  ReadBy by() const { return m_by; }

  /// The `bytes` bytes at `offset`; valid until the next read; followed by Buffer::kPadding
  /// readable bytes. With memory in `room`, a long range is stored there, and the `trailing` bytes
  /// after it come with the same read: `held` returns them until the next read. The error gives the
  /// reason without the file's name.
  Result<std::span<std::byte>> read(int fd, std::uint64_t offset, std::size_t bytes,
                                    ReadCounters& counters, Sample::Room room = {},
                                    std::size_t trailing = 0);
  /// Part of a range that is stored elsewhere.
  struct Inlay {
    std::size_t begin = 0;  ///< offset within the range, which must contain all of it
    std::span<std::byte> to;
  };
  /// Like `read`, but the bytes of `inlay` are stored in its memory; the returned span's bytes at
  /// that place are undefined.
  Result<std::span<std::byte>> readAround(int fd, std::uint64_t offset, std::size_t bytes,
                                          const Inlay& inlay, ReadCounters& counters);
  /// A range that an earlier read also brought in; empty if none did.
  std::span<std::byte> held(int fd, std::uint64_t offset, std::size_t bytes);
  /// Like `read`, directly into `to`.
  Status readTo(int fd, std::uint64_t offset, std::span<std::byte> to, ReadCounters& counters);

  /// Size of its buffers.
  std::size_t keptBytes() const { return m_memory.capacity() + m_blocks.keptBytes(); }

 private:
  class Timing;

  bool holds(int fd, std::uint64_t offset) const {
    return fd == m_fd && offset >= m_offset && offset <= m_offset + m_held;
  }
  Result<std::size_t> fill(int fd, std::uint64_t offset,
                           std::span<const std::span<std::byte>> parts, std::size_t least,
                           ReadCounters& counters);
  Status readWithRest(int fd, std::uint64_t offset, std::span<std::byte> to, std::size_t trailing,
                      ReadCounters& counters);

  Result<std::span<std::byte>> readDirect(int fd, std::uint64_t offset, std::size_t bytes,
                                          ReadCounters& counters);
  int direct(int fd);

  ReadBy m_by;
  BlockReader m_blocks;
  UniqueFd m_direct;  ///< the file of m_directOf, opened with O_DIRECT
  int m_directOf = -1;
  Buffer m_memory;
  int m_fd = -1;
  std::uint64_t m_offset = 0;  ///< offset of the first buffered byte
  std::size_t m_held = 0;
  std::uint32_t m_sinceTimed = ReadCounters::kTimedOneIn - 1;  ///< the first read is timed
};

}  // namespace millrace
