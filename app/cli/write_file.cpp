// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/write_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace millrace::cli {

namespace {

Error cannot(const std::filesystem::path& file, int code) {
  return {fmt::format("cannot write {}: {}", file.string(), std::strerror(code))};
}

Status writeAll(const std::filesystem::path& file, std::string_view bytes) {
  const int handle = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (handle < 0) return cannot(file, errno);
  int failed = 0;
  while (!bytes.empty() && failed == 0) {
    const ssize_t written = write(handle, bytes.data(), bytes.size());
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR) failed = errno;
  }
  // A pipe or terminal cannot be synchronised.
  if (failed == 0 && fsync(handle) != 0 && errno != EINVAL && errno != EROFS) failed = errno;
  if (close(handle) != 0 && failed == 0) failed = errno;
  return failed == 0 ? Status() : cannot(file, failed);
}

bool isSpecial(const std::filesystem::path& file) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

}  // namespace

Status mayWrite(const std::filesystem::path& file, bool force) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    return Error{fmt::format("{} is a folder; name a file", file.string())};
  if (force || !std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) return {};
  return Error{fmt::format("{} is there already; --force replaces it", file.string())};
}

Status replaceFile(const std::filesystem::path& file,
                   const std::function<Status(const std::filesystem::path&)>& write) {
  const std::filesystem::path part = fmt::format("{}.part-{}", file.string(), getpid());
  std::error_code error;
  if (Status written = write(part); !written) {
    std::filesystem::remove(part, error);
    return written;
  }
  std::filesystem::rename(part, file, error);
  if (!error) return {};
  const int code = error.value();
  std::filesystem::remove(part, error);
  return cannot(file, code);
}

Status writeWhole(const std::filesystem::path& file, std::string_view bytes) {
  if (isSpecial(file)) return writeAll(file, bytes);
  return replaceFile(file,
                     [&](const std::filesystem::path& part) { return writeAll(part, bytes); });
}

}  // namespace millrace::cli
