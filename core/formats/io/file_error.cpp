// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/file_error.h"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

namespace millrace {

std::string reasonOf(int errorNumber) {
  switch (errorNumber) {
    case ENOENT: return "no such file or folder";
    case EACCES:
    case EPERM: return "no permission";
    case ENOTDIR: return "part of the path is not a folder";
    case EISDIR: return "a folder, not a file";
    case ELOOP: return "a link that leads to itself";
    case EMFILE:
    case ENFILE: return "too many open files (see `ulimit -n`)";
    default: return std::system_category().message(errorNumber);
  }
}

Error folderError(const std::filesystem::path& folder, int errorNumber) {
  const std::string& path = folder.native();
  if (errorNumber == ENOENT)
    return Error{fmt::format(
        "there is no folder `{}`; check the path (a relative one starts at the pipeline file)",
        path)};
  if (errorNumber == ENOTDIR)
    return Error{
        fmt::format("`{}` is not a folder; give the folder that contains the files", path)};
  if (errorNumber == EACCES || errorNumber == EPERM)
    return Error{fmt::format(
        "no permission to list the folder `{}`; let this user read and enter it (chmod u+rx)",
        path)};
  return Error{fmt::format("the folder `{}` cannot be listed: {}", path, reasonOf(errorNumber))};
}

}  // namespace millrace
