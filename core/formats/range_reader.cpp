// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/range_reader.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/formats/file_error.h"

namespace millrace {

namespace {

Status checkLength(std::size_t bytes) {
  if (bytes <= RangeReader::kLargest) return {};
  return Error{fmt::format("{} are more than the {} that a sample may have",
                           humanBytes(static_cast<double>(bytes)),
                           humanBytes(static_cast<double>(RangeReader::kLargest)))};
}

}  // namespace

/// Reads until at least `least` bytes are there; gives how many there are.
Result<std::size_t> RangeReader::fill(int fd, std::uint64_t offset, std::byte* to,
                                      std::size_t least, std::size_t most, ReadCounters& counters) {
  const bool timed = ++m_sinceTimed >= ReadCounters::kTimedOneIn;
  const auto begin =
      timed ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point{};
  std::size_t got = 0;
  while (got < least) {
    const ssize_t n = ::pread(fd, to + got, most - got, static_cast<off_t>(offset + got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error{"cannot be read: " + reasonOf(errno)};
    ReadCounters::add(counters.reads, 1);
    if (n == 0)
      return Error{fmt::format("the file ends at byte {}; it was longer when it was looked through",
                               grouped(offset + got))};
    got += static_cast<std::size_t>(n);
  }
  ReadCounters::add(counters.bytes, got);
  if (timed) {
    m_sinceTimed = 0;
    const auto spent = std::chrono::steady_clock::now() - begin;
    ReadCounters::add(counters.latencyNs,
                      static_cast<std::uint64_t>(
                          std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count()));
    ReadCounters::add(counters.timedReads, 1);
  }
  return got;
}

Result<std::span<std::byte>> RangeReader::read(int fd, std::uint64_t offset, std::size_t bytes,
                                               ReadCounters& counters) {
  MILLRACE_TRY(checkLength(bytes));
  std::size_t kept = 0;
  const bool follows = holds(fd, offset);
  if (follows) {
    const auto skip = static_cast<std::size_t>(offset - m_offset);
    kept = m_held - skip;
    if (bytes <= kept) return std::span<std::byte>(m_memory.data() + skip, bytes);
    std::memmove(m_memory.data(), m_memory.data() + skip, kept);
  }
  // Long ranges gain nothing by a block, and what is kept of one has to be moved.
  const std::size_t wanted = follows && bytes <= kBlock / 8 ? kBlock : bytes;
  m_held = 0;
  std::byte* memory = m_memory.grow(wanted, kept);
  const auto got = fill(fd, offset + kept, memory + kept, bytes - kept, wanted - kept, counters);
  if (!got) return got.error();
  m_fd = fd;
  m_offset = offset;
  m_held = kept + *got;
  return std::span<std::byte>(memory, bytes);
}

Status RangeReader::readTo(int fd, std::uint64_t offset, std::span<std::byte> to,
                           ReadCounters& counters) {
  MILLRACE_TRY(checkLength(to.size()));
  const auto got = fill(fd, offset, to.data(), to.size(), to.size(), counters);
  if (!got) return got.error();
  return {};
}

}  // namespace millrace
