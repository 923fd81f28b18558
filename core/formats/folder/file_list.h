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
#include "core/formats/io/data_place.h"
#include "core/formats/io/spilled_bytes.h"

namespace millrace {

/// The paths of many files below a folder, in byte order. Those of a long list are in a temporary
/// file, so that the memory hardly depends on the number of files. Constant after listing; any
/// thread.
class FileList {
 public:
  explicit FileList(std::filesystem::path root = {}) : m_root(std::move(root)) {}

  std::size_t size() const { return m_size; }
  const std::filesystem::path& root() const { return m_root; }
  /// Relative to the root, in the file system's bytes.
  std::string path(std::size_t i) const;
  /// The same in a string whose memory is used again: nothing is allocated for most files.
  void path(std::size_t i, std::string& into) const;
  std::string absolute(std::size_t i) const { return pathIn(m_root, path(i)).native(); }
  /// What was left out and why, in sentences.
  const std::vector<std::string>& notes() const { return m_notes; }
  std::size_t memoryBytes() const;

  // For code that builds the list.
  void append(std::string_view folder, std::string_view name);
  void note(std::string text) { m_notes.push_back(std::move(text)); }
  void shrink();

 private:
  static constexpr std::size_t kTogether = 16;
  static constexpr std::size_t kTextInMemory = std::size_t{4} << 20U;
  static std::uint64_t newNumber();
  const char* readTogether(std::uint64_t begin, std::uint64_t end) const;

  std::filesystem::path m_root;
  SpilledBytes m_text{kTextInMemory};   ///< zero-terminated paths
  std::vector<std::uint64_t> m_begins;  ///< of every kTogether-th path in it
  std::size_t m_size = 0;
  std::uint64_t m_number = newNumber();  ///< of no other list
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
/// an error. Of a remote folder, its objects. Needs no `stat` per file if the file system reports
/// types.
Result<FileList> listFiles(const std::filesystem::path& root, const std::string& below = {},
                           const ListingRule& rule = {});

/// Names of the folders directly in `folder`, links to folders included, in byte order, without
/// those that are junk by name unless `junk` keeps them; empty if it cannot be read.
std::vector<std::string> listFolders(const std::filesystem::path& folder, Junk junk = Junk::Skip);
/// The same for the folders where pictures may be that a file of this name lists, the most likely
/// first, because several may have files of the same names: those whose name the file's contains
/// (`instances_train.json` belongs to `train`), those that begin like it, those for training.
std::vector<std::string> foldersFor(std::string_view file, const std::filesystem::path& folder);

}  // namespace millrace
