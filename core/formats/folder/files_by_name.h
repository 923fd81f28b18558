// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// The files below a folder by their names, whatever folder they are in. Memory: about 100 bytes a
/// file. Constant after listing; any thread.
class FilesByName {
 public:
  /// Lists the folder with all that is below it, without what is junk by name. The error is
  /// listFiles()'s.
  static Result<FilesByName> below(const std::filesystem::path& root);

  /// The path, below the root, of the file that is called like the last part of `path`; `path`
  /// itself if there is none. The error: several files have the name.
  Result<std::string> pathOf(std::string_view path) const;

  /// The last part of a path.
  static std::string nameOf(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1));
  }

 private:
  static constexpr std::uint32_t kSeveral = std::numeric_limits<std::uint32_t>::max();

  std::vector<std::string> m_folders;  ///< below the root, with a slash at the end
  /// The folder of each name; kSeveral: several files have it.
  std::unordered_map<std::string, std::uint32_t> m_files;
};

}  // namespace millrace
