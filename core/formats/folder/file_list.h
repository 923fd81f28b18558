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
#include "core/formats/folder/junk_names.h"

namespace millrace {

/// The paths of many files below a folder, in byte order, stored consecutively in one block of
/// memory: 9 bytes per file besides its path. Constant after listing; any thread.
class FileList {
 public:
  explicit FileList(std::filesystem::path root = {}) : m_root(std::move(root)) {}

  std::size_t size() const { return m_offsets.size(); }
  const std::filesystem::path& root() const { return m_root; }
  /// Relative to the root, in the file system's bytes, zero-terminated; valid as long as the list.
  const char* path(std::size_t i) const { return m_text.data() + m_offsets[i]; }
  std::string_view view(std::size_t i) const { return path(i); }
  std::string absolute(std::size_t i) const { return (m_root / path(i)).native(); }
  /// What was left out and why, in sentences.
  const std::vector<std::string>& notes() const { return m_notes; }
  std::size_t memoryBytes() const;

  // For code that builds the list.
  void append(std::string_view folder, std::string_view name);
  void note(std::string text) { m_notes.push_back(std::move(text)); }
  void shrink();

 private:
  std::filesystem::path m_root;
  std::vector<char> m_text;
  std::vector<std::uint64_t> m_offsets;
  std::vector<std::string> m_notes;
};

/// What a listing leaves out by name. The names of the root and of the folders above it are not
/// examined.
struct ListingRule {
  Junk junk = Junk::Skip;
  bool pictures = false;      ///< the files are pictures: isJunkAmongPictures, not isJunkFile
  std::string_view remedy{};  ///< how to include what was left out; ends the note

  bool skipsFile(std::string_view name) const {
    return junk == Junk::Skip && (pictures ? isJunkAmongPictures(name) : isJunkFile(name));
  }
  bool skipsFolder(std::string_view name) const { return junk == Junk::Skip && isJunkFolder(name); }
};

/// Lists every regular file below `root`, recursively, in byte order of the relative paths. Links
/// to files and folders are followed; links to a folder that contains the link, broken links, and
/// what `rule` skips are left out with a note. With `below`, lists only that subfolder, whose name
/// then starts each path. The error says what is missing and what to do; a folder without files is
/// an error. Needs no `stat` per file if the file system reports types.
Result<FileList> listFiles(const std::filesystem::path& root, const std::string& below = {},
                           const ListingRule& rule = {});

/// Names of the folders directly in `folder`, links to folders included, in byte order, without
/// those that are junk by name unless `junk` keeps them; empty if it cannot be read.
std::vector<std::string> listFolders(const std::filesystem::path& folder, Junk junk = Junk::Skip);

}  // namespace millrace
