// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/file_stamp.h"

#include <sys/stat.h>

#include <fmt/format.h>

#include "core/storage/remote_object.h"

namespace millrace {

std::optional<std::string> fileStamp(const std::string& path) {
  if (isRemotePath(path)) {
    const auto object = RemoteObject::open(path);
    return object ? std::optional((*object)->stamp()) : std::nullopt;
  }
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return fmt::format("{}@{}{:09}/{}{:09}", status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
}

}  // namespace millrace
