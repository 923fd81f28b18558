// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/open_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <span>

#include "core/formats/io/file_error.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace {

/// Raises the soft limit: a data set of a thousand shards exceeds the usual one.
bool allowMoreFiles() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return false;
  limit.rlim_cur = limit.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/// Up to the end of the object, as `pread` reads.
Result<std::size_t> readRemoteAt(int fd, std::uint64_t offset, std::span<std::byte> to) {
  const std::uint64_t size = remoteSize(fd);
  if (offset >= size) return std::size_t{0};
  const std::array part{
      to.first(static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), size - offset)))};
  MILLRACE_TRY(readRemote(fd, offset, part));
  return part.front().size();
}

}  // namespace

Result<OpenFile> openForReading(const std::filesystem::path& path) {
  if (isRemotePath(path.native())) {
    MILLRACE_ASSIGN_OR_RETURN(const auto remote, openRemoteFile(path.native()));
    return OpenFile{UniqueFd(remote.descriptor), remote.size};
  }
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
  if (isRemote(fd)) return readRemoteAt(fd, offset, {static_cast<std::byte*>(to), count});
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
