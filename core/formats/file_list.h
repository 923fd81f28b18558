// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// The paths of many files below one folder, in byte order, one behind the other in one block of
/// memory: 9 bytes a file besides its path. Constant after listing; any thread.
class FileList {
 public:
  explicit FileList(std::filesystem::path root = {}) : m_root(std::move(root)) {}

  std::size_t size() const { return m_offsets.size(); }
  const std::filesystem::path& root() const { return m_root; }
  /// Relative to the root, as bytes of the file system, zero-terminated; lives as long as the list.
  const char* path(std::size_t i) const { return m_text.data() + m_offsets[i]; }
  std::string_view view(std::size_t i) const { return path(i); }
  std::string absolute(std::size_t i) const { return (m_root / path(i)).native(); }
  /// What was left out and why, in sentences.
  const std::vector<std::string>& notes() const { return m_notes; }
  std::size_t memoryBytes() const;

  // For whoever makes the list.
  void append(std::string_view folder, std::string_view name);
  void note(std::string text) { m_notes.push_back(std::move(text)); }
  void shrink();

 private:
  std::filesystem::path m_root;
  std::vector<char> m_text;
  std::vector<std::uint64_t> m_offsets;
  std::vector<std::string> m_notes;
};

/// Every regular file below `root`, recursively, in byte order of the relative path. Links to files
/// are followed; links to folders too, except to one that the link lies in, at any depth, and links
/// that lead nowhere are left out with a note. With `below` only that subfolder is listed, its name
/// in front of each path. The error says what is missing and what to do; that a folder holds no
/// file is one. Takes no `stat` a file where the file system tells types.
Result<FileList> listFiles(const std::filesystem::path& root, const std::string& below = {});

/// Names of the folders directly in `folder` (links to folders included), in byte order; none where
/// it cannot be read.
std::vector<std::string> listFolders(const std::filesystem::path& folder);

}  // namespace millrace
