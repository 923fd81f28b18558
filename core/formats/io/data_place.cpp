// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/data_place.h"

#include <fcntl.h>

#include <cerrno>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/format.h"
#include "core/formats/io/file_error.h"
#include "core/storage/remote_descriptor.h"
#include "core/storage/remote_listing.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace fs = std::filesystem;

bool isFolderAt(const fs::path& path) {
  if (isRemotePath(path.native())) return isRemoteFolder(path.native());
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool isFileAt(const fs::path& path) {
  if (isRemotePath(path.native())) return isRemoteFile(path.native());
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

Result<UniqueFd> openFolder(const fs::path& path) {
  if (isRemotePath(path.native())) return UniqueFd(openRemoteFolder(path.native()));
  UniqueFd folder(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return folderError(path, errno);
  return folder;
}

fs::path pathIn(const fs::path& folder, const std::string& name) {
  return isRemotePath(folder.native()) ? fs::path(joinRemotePath(folder.native(), name))
                                       : folder / name;
}

fs::path folderOf(const fs::path& file) {
  return isRemotePath(file.native()) ? fs::path(remoteFolderOf(file.native())) : file.parent_path();
}

fs::path typedPath(const std::string& text) {
  std::error_code ignored;
  return isRemotePath(text) ? fs::path(text) : fs::absolute(text, ignored).lexically_normal();
}

Status needsDisk(const fs::path& path, const std::string& what) {
  if (!isRemotePath(path.native())) return {};
  std::vector<std::string> others;
  for (const Format& format : allFormats())
    if (format.isFileName != nullptr && format.openWriter != nullptr && !format.diskOnly)
      others.emplace_back(format.title);
  return Error{fmt::format(
      "{} can be read only from a disk: copy `{}` to one (as `aws s3 cp` or `curl -O` do), or "
      "convert the data to one of {}",
      what, shownRemotePath(path.native()), join(others, ", "))};
}

}  // namespace millrace
