// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/files_by_name.h"

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/folder/file_list.h"

namespace millrace {

Result<FilesByName> FilesByName::below(const std::filesystem::path& root) {
  MILLRACE_ASSIGN_OR_RETURN(const FileList files, listFiles(root));
  FilesByName found;
  found.m_files.reserve(files.size());
  std::string path;
  for (std::size_t i = 0; i < files.size(); ++i) {
    files.path(i, path);
    const std::size_t name = path.rfind('/') + 1;
    if (found.m_folders.empty() || found.m_folders.back() != std::string_view(path).substr(0, name))
      found.m_folders.push_back(path.substr(0, name));
    const auto [known, added] = found.m_files.emplace(
        path.substr(name), static_cast<std::uint32_t>(found.m_folders.size() - 1));
    if (!added) known->second = kSeveral;
  }
  return found;
}

Result<std::string> FilesByName::pathOf(std::string_view path) const {
  const std::string name = nameOf(path);
  const auto found = m_files.find(name);
  if (found == m_files.end()) return std::string(path);
  if (found->second == kSeveral)
    return Error{fmt::format("several files are called `{}`", validUtf8(name))};
  return m_folders[found->second] + name;
}

}  // namespace millrace
