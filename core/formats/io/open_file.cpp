// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/open_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>

#include "core/formats/io/file_error.h"

namespace millrace {

namespace {

/// Raises the soft limit: a data set of a thousand shards exceeds the usual one.
bool allowMoreFiles() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return false;
  limit.rlim_cur = limit.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

}  // namespace

Result<OpenFile> openForReading(const std::filesystem::path& path) {
  // O_NONBLOCK avoids waiting for the writer of a pipe; regular files ignore it.
  constexpr int kHow = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
  OpenFile file;
  file.fd = UniqueFd(::open(path.c_str(), kHow));
  if (!file.fd.valid() && errno == EMFILE && allowMoreFiles())
    file.fd = UniqueFd(::open(path.c_str(), kHow));
  if (!file.fd.valid()) return Error{"cannot be opened: " + reasonOf(errno)};
  struct stat status{};
  if (::fstat(file.fd.get(), &status) != 0) return Error{"cannot be examined: " + reasonOf(errno)};
  if (S_ISDIR(status.st_mode)) return Error{"a folder, not a file"};
  if (!S_ISREG(status.st_mode)) return Error{"not a regular file"};
  file.size = static_cast<std::uint64_t>(status.st_size);
  return file;
}

Result<std::size_t> readAt(int fd, std::uint64_t offset, void* to, std::size_t count) {
  std::size_t got = 0;
  while (got < count) {
    const ssize_t n =
        ::pread(fd, static_cast<char*>(to) + got, count - got, static_cast<off_t>(offset + got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error{"cannot be read: " + reasonOf(errno)};
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  return got;
}

}  // namespace millrace
