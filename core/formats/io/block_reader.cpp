// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/block_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "core/formats/io/file_error.h"

namespace millrace {

namespace {

std::size_t wholeBlocks(std::size_t bytes) {
  return (bytes + BlockReader::kBlock - 1) / BlockReader::kBlock * BlockReader::kBlock;
}

/// Returns false if it was already off.
bool turnDirectOff(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_DIRECT) != 0 && ::fcntl(fd, F_SETFL, flags & ~O_DIRECT) == 0;
}

}  // namespace

Result<std::span<std::byte>> BlockReader::read(int fd, std::uint64_t offset, std::size_t bytes,
                                               ReadCounters& counters) {
  const std::uint64_t first = offset / kBlock * kBlock;
  const auto skip = static_cast<std::size_t>(offset - first);
  const std::size_t wanted = wholeBlocks(skip + bytes);
  std::size_t room = wanted + kBlock;
  void* start = m_memory.reserve(room);
  auto* const memory = static_cast<std::byte*>(std::align(kBlock, wanted, start, room));
  std::size_t got = 0;
  while (got < skip + bytes) {
    const ssize_t n = ::pread(fd, memory + got, wanted - got, static_cast<off_t>(first + got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EINVAL && turnDirectOff(fd)) continue;
    if (n < 0) return Error{"cannot be read: " + reasonOf(errno)};
    ReadCounters::add(counters.reads, 1);
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
    // A partial block is the end of the file; another read would not start at a block.
    if (got % kBlock != 0) break;
  }
  ReadCounters::add(counters.bytes, got);
  return std::span<std::byte>(memory + std::min(skip, got),
                              std::min(bytes, got - std::min(skip, got)));
}

}  // namespace millrace
