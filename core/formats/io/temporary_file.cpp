// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/temporary_file.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <filesystem>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/file_error.h"

namespace millrace {

Result<UniqueFd> temporaryFile() {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) folder = "/tmp";
  UniqueFd fd(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  // Not every file system supports unnamed files.
  if (!fd.valid()) fd = UniqueFd(::memfd_create("millrace-unpacked", MFD_CLOEXEC));
  if (!fd.valid())
    return Error{fmt::format("cannot create a temporary file in {}: {}", validUtf8(folder.native()),
                             reasonOf(errno))};
  return fd;
}

Status appendUnpacked(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      return Error{
          fmt::format("cannot be decompressed into the folder for temporary files (set TMPDIR to "
                      "use another): {}",
                      reasonOf(errno))};
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return {};
}

}  // namespace millrace
