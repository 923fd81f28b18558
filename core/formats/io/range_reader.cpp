// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/range_reader.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/formats/io/file_error.h"

namespace millrace {

namespace {

Status checkLength(std::size_t bytes) {
  if (bytes <= RangeReader::kLargest) return {};
  return Error{fmt::format("{} exceed the limit of {} for a sample",
                           humanBytes(static_cast<double>(bytes)),
                           humanBytes(static_cast<double>(RangeReader::kLargest)))};
}

Error endError(std::uint64_t end) {
  return Error{
      fmt::format("the file ends at byte {}; it was longer when it was indexed", grouped(end))};
}

/// Fills the parts with what the object has; an error if that is less than `least`.
Result<std::size_t> fillFromServer(int fd, std::uint64_t offset,
                                   std::span<const std::span<std::byte>> parts, std::size_t least) {
  const std::uint64_t size = remoteSize(fd);
  const std::uint64_t most = size - std::min(offset, size);
  if (most < least) return endError(size);
  std::array<std::span<std::byte>, 3> places{};
  std::size_t got = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto length =
        static_cast<std::size_t>(std::min<std::uint64_t>(parts[i].size(), most - got));
    places[i] = parts[i].first(length);
    got += length;
  }
  MILLRACE_TRY(readRemote(fd, offset, places));
  return got;
}

}  // namespace

/// Times one read out of ReadCounters::kTimedOneIn, from construction to destruction.
class RangeReader::Timing {
 public:
  Timing(std::uint32_t& since, ReadCounters& counters)
      : m_counters(counters), m_timed(++since >= ReadCounters::kTimedOneIn) {
    if (!m_timed) return;
    since = 0;
    m_begin = std::chrono::steady_clock::now();
  }
  void end() const {
    if (!m_timed) return;
    const auto spent = std::chrono::steady_clock::now() - m_begin;
    ReadCounters::add(m_counters.latencyNs,
                      static_cast<std::uint64_t>(
                          std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count()));
    ReadCounters::add(m_counters.timedReads, 1);
  }

 private:
  ReadCounters& m_counters;
  const bool m_timed;
  std::chrono::steady_clock::time_point m_begin;
};

/// Reads into up to three buffers in turn until at least `least` bytes are there; returns how many
/// were read.
Result<std::size_t> RangeReader::fill(int fd, std::uint64_t offset,
                                      std::span<const std::span<std::byte>> parts,
                                      std::size_t least, ReadCounters& counters) {
  const Timing timing(m_sinceTimed, counters);
  if (isRemote(fd)) {
    MILLRACE_ASSIGN_OR_RETURN(const auto got, fillFromServer(fd, offset, parts, least));
    ReadCounters::add(counters.reads, 1);
    ReadCounters::add(counters.bytes, got);
    timing.end();
    return got;
  }
  std::size_t got = 0;
  while (got < least) {
    std::array<iovec, 3> places{};
    std::size_t filled = got;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::size_t skip = std::min(filled, parts[i].size());
      places[i] = {parts[i].data() + skip, parts[i].size() - skip};
      filled -= skip;
    }
    const ssize_t n = ::preadv(fd, places.data(), static_cast<int>(parts.size()),
                               static_cast<off_t>(offset + got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error{"cannot be read: " + reasonOf(errno)};
    ReadCounters::add(counters.reads, 1);
    if (n == 0) return endError(offset + got);
    got += static_cast<std::size_t>(n);
  }
  ReadCounters::add(counters.bytes, got);
  timing.end();
  return got;
}

/// A descriptor of the same file with O_DIRECT; the descriptor itself if that is impossible.
int RangeReader::direct(int fd) {
  if (fd != m_directOf) {
    std::array<char, 32> link{};
    std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", fd);
    m_direct = UniqueFd(::open(link.data(), O_RDONLY | O_CLOEXEC | O_DIRECT));
    m_directOf = fd;
  }
  return m_direct.valid() ? m_direct.get() : fd;
}

Result<std::span<std::byte>> RangeReader::readDirect(int fd, std::uint64_t offset,
                                                     std::size_t bytes, ReadCounters& counters) {
  const Timing timing(m_sinceTimed, counters);
  auto content = m_blocks.read(direct(fd), offset, bytes, counters);
  if (!content) return content;
  if (content->size() < bytes) return endError(offset + content->size());
  timing.end();
  return content;
}

Result<std::span<std::byte>> RangeReader::read(int fd, std::uint64_t offset, std::size_t bytes,
                                               ReadCounters& counters, Sample::Room room,
                                               std::size_t trailing) {
  MILLRACE_TRY(checkLength(bytes));
  if (m_by == ReadBy::Direct && !isRemote(fd)) return readDirect(fd, offset, bytes, counters);
  if (bytes > kLong) {
    if (std::byte* const to = room.take(bytes + Buffer::kPadding)) {
      const std::span<std::byte> whole(to, bytes);
      MILLRACE_TRY(trailing > 0 ? readWithRest(fd, offset, whole, trailing, counters)
                                : readTo(fd, offset, whole, counters));
      return whole;
    }
  }
  std::size_t kept = 0;
  const bool follows = holds(fd, offset);
  if (follows) {
    const auto skip = static_cast<std::size_t>(offset - m_offset);
    kept = m_held - skip;
    if (bytes <= kept) return std::span<std::byte>(m_memory.data() + skip, bytes);
    std::memmove(m_memory.data(), m_memory.data() + skip, kept);
  }
  // Long ranges gain nothing from a block, and its kept part would have to be moved.
  const std::size_t wanted = follows && bytes <= kLong ? kBlock : bytes;
  m_held = 0;
  std::byte* memory = m_memory.grow(wanted, kept);
  const std::array parts{std::span(memory + kept, wanted - kept)};
  MILLRACE_ASSIGN_OR_RETURN(const auto got, fill(fd, offset + kept, parts, bytes - kept, counters));
  m_fd = fd;
  m_offset = offset;
  m_held = kept + got;
  return std::span<std::byte>(memory, bytes);
}

/// Fills `to`, and holds as many of the `trailing` bytes after it as the same read returns.
Status RangeReader::readWithRest(int fd, std::uint64_t offset, std::span<std::byte> to,
                                 std::size_t trailing, ReadCounters& counters) {
  m_held = 0;
  const std::array parts{to, std::span(m_memory.reserve(trailing), trailing)};
  MILLRACE_ASSIGN_OR_RETURN(const auto got, fill(fd, offset, parts, to.size(), counters));
  m_fd = fd;
  m_offset = offset + to.size();
  m_held = got - to.size();
  return {};
}

Result<std::span<std::byte>> RangeReader::readAround(int fd, std::uint64_t offset,
                                                     std::size_t bytes, const Inlay& inlay,
                                                     ReadCounters& counters) {
  MILLRACE_CHECK(inlay.begin + inlay.to.size() <= bytes, "the inlay is within its range");
  MILLRACE_TRY(checkLength(bytes));
  if (m_by == ReadBy::Direct && !isRemote(fd)) {
    const auto content = readDirect(fd, offset, bytes, counters);
    if (content)
      std::ranges::copy(content->subspan(inlay.begin, inlay.to.size()), inlay.to.begin());
    return content;
  }
  m_held = 0;
  const std::span<std::byte> whole(m_memory.reserve(bytes), bytes);
  const std::array parts{whole.first(inlay.begin), inlay.to,
                         whole.subspan(inlay.begin + inlay.to.size())};
  MILLRACE_TRY(fill(fd, offset, parts, bytes, counters));
  return whole;
}

std::span<std::byte> RangeReader::held(int fd, std::uint64_t offset, std::size_t bytes) {
  if (!holds(fd, offset) || offset + bytes > m_offset + m_held) return {};
  return {m_memory.data() + (offset - m_offset), bytes};
}

Status RangeReader::readTo(int fd, std::uint64_t offset, std::span<std::byte> to,
                           ReadCounters& counters) {
  MILLRACE_TRY(checkLength(to.size()));
  if (m_by == ReadBy::Direct && !isRemote(fd)) {
    MILLRACE_ASSIGN_OR_RETURN(const auto content, readDirect(fd, offset, to.size(), counters));
    if (!to.empty()) std::memcpy(to.data(), content.data(), to.size());
    return {};
  }
  MILLRACE_TRY(fill(fd, offset, std::array{to}, to.size(), counters));
  return {};
}

}  // namespace millrace
