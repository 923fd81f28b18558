// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/growing_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/file_error.h"

namespace millrace {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20U;

}  // namespace

int writeAt(int fd, std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    offset += static_cast<std::uint64_t>(n);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return 0;
}

Error cannotWrite(const std::filesystem::path& path, int errorNumber) {
  std::string why = reasonOf(errorNumber);
  if (errorNumber == ENOSPC || errorNumber == EDQUOT)
    why = "the disk is full; free some space or choose a target elsewhere";
  if (errorNumber == EROFS) why = "the file system is read-only; choose a target elsewhere";
  if (errorNumber == EFBIG)
    why =
        "the file system does not allow larger files; divide the data with the setting "
        "`shard_size`";
  return Error{fmt::format("cannot write `{}`: {}", validUtf8(path.native()), why)};
}

Result<GrowingFile> GrowingFile::open(const std::filesystem::path& path, std::uint64_t keep) {
  GrowingFile file;
  file.m_path = path;
  file.m_fd = UniqueFd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!file.m_fd.valid()) return cannotWrite(path, errno);
  struct stat status{};
  if (::fstat(file.m_fd.get(), &status) != 0) return cannotWrite(path, errno);
  if (static_cast<std::uint64_t>(status.st_size) < keep)
    return Error{fmt::format("`{}` has {} bytes, but {} had been written", validUtf8(path.native()),
                             grouped(static_cast<std::uint64_t>(status.st_size)), grouped(keep))};
  if (::ftruncate(file.m_fd.get(), static_cast<off_t>(keep)) != 0) return cannotWrite(path, errno);
  file.m_written = keep;
  return file;
}

Status GrowingFile::append(std::span<const std::byte> bytes) {
  if (m_waiting.size() + bytes.size() > kBlock) MILLRACE_TRY(flush());
  if (bytes.size() < kBlock) {
    m_waiting.insert(m_waiting.end(), bytes.begin(), bytes.end());
    return {};
  }
  if (const int error = writeAt(m_fd.get(), m_written, bytes); error != 0)
    return cannotWrite(m_path, error);
  m_written += bytes.size();
  return {};
}

Status GrowingFile::append(std::string_view text) {
  return append(std::as_bytes(std::span(text.data(), text.size())));
}

Status GrowingFile::appendZeros(std::uint64_t count) {
  static constexpr std::array<std::byte, 1024> kZeros{};
  for (; count > 0; count -= std::min<std::uint64_t>(count, kZeros.size()))
    MILLRACE_TRY(append(std::span(kZeros).first(std::min<std::size_t>(count, kZeros.size()))));
  return {};
}

Status GrowingFile::overwrite(std::uint64_t offset, std::string_view text) {
  MILLRACE_TRY(flush());
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  if (const int error = writeAt(m_fd.get(), offset, bytes); error != 0)
    return cannotWrite(m_path, error);
  return {};
}

Status GrowingFile::flush() {
  const int error = writeAt(m_fd.get(), m_written, m_waiting);
  if (error != 0) return cannotWrite(m_path, error);
  m_written += m_waiting.size();
  m_waiting.clear();
  return {};
}

Status GrowingFile::sync() {
  MILLRACE_TRY(flush());
  if (::fsync(m_fd.get()) != 0) return cannotWrite(m_path, errno);
  return {};
}

Status GrowingFile::close() {
  MILLRACE_TRY(sync());
  if (::close(m_fd.release()) != 0) return cannotWrite(m_path, errno);
  return {};
}

}  // namespace millrace
