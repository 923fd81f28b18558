// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// What a source does with files that are not data by their names.
enum class Junk : std::uint8_t { Skip, Keep };

/// A line of the table of names that are not data. Texts are in lower case; names are compared
/// regardless of the case of A to Z.
struct JunkRule {
  enum class Kind : std::uint8_t {
    Begins,    ///< the name of a file or a folder begins with the text
    Ends,      ///< it ends with the text
    Is,        ///< it is the text
    Document,  ///< a text file whose name begins with this word: `README.md`, `LICENSE`
    Text,      ///< a file with this extension is not a picture, but may be data of other sources
    Record,    ///< the key of a container's record that describes the others
  };
  Kind kind;
  std::string_view text;
};

/// The table. The exported Python code has the same one (resources/export/python/junk.py).
std::span<const JunkRule> junkRules();

/// Whether a file with this name is never data: hidden files, files of file managers and operating
/// systems, unfinished downloads, checksums, read-mes and licences.
bool isJunkFile(std::string_view name);
/// The same for a folder: hidden ones, and those of file managers and operating systems.
bool isJunkFolder(std::string_view name);
/// The same for a file next to pictures: files with the extension of text, tables or containers
/// are left out, too. Files with an unknown extension or none may be pictures.
bool isJunkAmongPictures(std::string_view name);
/// Whether a path inside a container or below a folder has a part that is junk.
bool isJunkPath(std::string_view path);
/// Whether the record with this key describes the other ones: `__len__`, `length`.
bool isJunkRecord(std::string_view key);

/// Counts what was left out, and names the first few. Value.
class JunkCount {
 public:
  void add(std::string_view name);
  std::size_t count() const { return m_count; }
  /// "3 left out, because their names are not those of data: .DS_Store (2), Thumbs.db"; empty if
  /// there is none. `remedy` follows after a semicolon, unless it is empty.
  std::string note(std::string_view remedy) const;

 private:
  struct Named {
    std::string name;
    std::size_t count;
  };
  std::size_t m_count = 0;
  std::size_t m_others = 0;
  std::vector<Named> m_names;
};

/// The remedy of sources that have the parameter `junk`.
inline constexpr std::string_view kKeepJunk = "`junk=keep` includes them";

}  // namespace millrace
