// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace millrace {

/// Finds files by names that look the same as theirs (looseName): in another case, with accents
/// stored in another form, or with other zeros before numbers. Reads each folder once. For use by
/// one thread.
class LooseNames {
 public:
  /// `root`: where paths start.
  explicit LooseNames(std::filesystem::path root) : m_root(std::move(root)) {}

  /// The path of the file that `path` means: itself if it exists, else the only one that looks the
  /// same; `path` if there is none.
  std::string pathOf(std::string_view path);

 private:
  /// Names by folded name; empty: several names look the same.
  using Names = std::map<std::string, std::string, std::less<>>;
  const Names& namesIn(const std::string& folder);

  std::filesystem::path m_root;
  std::map<std::string, Names, std::less<>> m_folders;
};

}  // namespace millrace
