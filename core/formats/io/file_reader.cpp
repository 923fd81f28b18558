// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/file_reader.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/file_error.h"
#include "core/formats/io/unique_fd.h"
#include "core/storage/remote_object.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace {

Error openError(int errorNumber) {
  if (errorNumber == ENOENT) return Error{"no such file: it was listed but is not there"};
  if (errorNumber == EACCES) return Error{"no permission to read it"};
  return Error{"cannot be opened: " + reasonOf(errorNumber)};
}

/// O_NONBLOCK avoids waiting for the writer of a pipe; regular files ignore it.
UniqueFd openSample(int folder, const char* path, ReadBy by) {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
  if (by == ReadBy::Direct) {
    UniqueFd fd(::openat(folder, path, kFlags | O_DIRECT));
    // The file system does not support O_DIRECT.
    if (fd.valid() || errno != EINVAL) return fd;
  }
  return UniqueFd(::openat(folder, path, kFlags));
}

Result<std::size_t> allowedSize(std::uint64_t size) {
  if (size == 0) return Error{"the file is empty"};
  if (size > FileReader::kLargestFile)
    return Error{fmt::format("{} exceed the limit of {} for a sample's file",
                             humanBytes(static_cast<double>(size)),
                             humanBytes(static_cast<double>(FileReader::kLargestFile)))};
  return static_cast<std::size_t>(size);
}

Result<std::size_t> sizeOfFile(int fd) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) return Error{"cannot be examined: " + reasonOf(errno)};
  if (S_ISDIR(status.st_mode)) return Error{"a folder, not a file"};
  if (!S_ISREG(status.st_mode)) return Error{"not a regular file"};
  return allowedSize(static_cast<std::uint64_t>(status.st_size));
}

}  // namespace

Result<std::span<std::byte>> FileReader::read(int folder, const char* path, ReadCounters& counters,
                                              Sample::Room room) {
  if (++m_sinceTimed < ReadCounters::kTimedOneIn) return readNow(folder, path, counters, room);
  m_sinceTimed = 0;
  const auto begin = std::chrono::steady_clock::now();
  auto content = readNow(folder, path, counters, room);
  const auto spent = std::chrono::steady_clock::now() - begin;
  ReadCounters::add(counters.latencyNs,
                    static_cast<std::uint64_t>(
                        std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count()));
  ReadCounters::add(counters.timedReads, 1);
  return content;
}

Result<std::span<std::byte>> FileReader::readNow(int folder, const char* path,
                                                 ReadCounters& counters, Sample::Room room) {
  if (isRemote(folder) || isRemotePath(path)) return readRemote(folder, path, counters, room);
  const UniqueFd fd = openSample(folder, path, m_by);
  if (!fd.valid()) return openError(errno);
  ReadCounters::add(counters.opens, 1);
  const Result<std::size_t> size = sizeOfFile(fd.get());
  if (!size) return size.error();
  auto content = m_by == ReadBy::Direct ? m_blocks.read(fd.get(), 0, *size, counters)
                                        : readAll(fd.get(), *size, counters, room);
  if (content && content->empty()) return Error{"the file is empty"};
  return content;
}

/// The network's thread stores into the memory while this one waits.
Result<std::span<std::byte>> FileReader::readRemote(int folder, const char* path,
                                                    ReadCounters& counters, Sample::Room room) {
  const std::string full = isRemote(folder) ? remotePathIn(folder, path) : path;
  MILLRACE_ASSIGN_OR_RETURN(
      const auto content,
      readWholeObject(full, [&](std::uint64_t bytes) -> Result<std::span<std::byte>> {
        MILLRACE_ASSIGN_OR_RETURN(const auto size, allowedSize(bytes));
        std::byte* memory = room.take(size + Buffer::kPadding);
        return std::span(memory != nullptr ? memory : m_memory.reserve(size), size);
      }));
  ReadCounters::add(counters.opens, 1);
  ReadCounters::add(counters.reads, 1);
  ReadCounters::add(counters.bytes, content.size());
  return content;
}

Result<std::span<std::byte>> FileReader::readAll(int fd, std::size_t size, ReadCounters& counters,
                                                 Sample::Room room) {
  std::byte* memory = room.take(size + Buffer::kPadding);
  if (memory == nullptr) memory = m_memory.reserve(size);
  std::size_t got = 0;
  while (got < size) {
    const ssize_t n = ::read(fd, memory + got, size - got);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error{"cannot be read: " + reasonOf(errno)};
    ReadCounters::add(counters.reads, 1);
    if (n == 0) break;  // the file was truncated meanwhile
    got += static_cast<std::size_t>(n);
  }
  ReadCounters::add(counters.bytes, got);
  return std::span<std::byte>(memory, got);
}

Status FileReader::readInto(Sample& sample, std::size_t field, int folder, const char* path,
                            ReadCounters& counters) {
  MILLRACE_ASSIGN_OR_RETURN(const auto content, read(folder, path, counters, sample.room(field)));
  sample.borrow(field,
                {DType::Encoded, Layout::Plain, Shape{static_cast<std::int64_t>(content.size())},
                 content.data(), content.size()});
  return {};
}

}  // namespace millrace
