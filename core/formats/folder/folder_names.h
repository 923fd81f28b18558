// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/formats/io/spilled_bytes.h"

namespace millrace {

/// Names whose text lies in one block of memory, for sorting. One thread.
class NamesInMemory {
 public:
  void add(std::string_view name);
  /// By bytes.
  void sort();
  std::size_t size() const { return m_entries.size(); }
  std::size_t bytes() const { return m_text.size() + m_entries.size() * sizeof(Entry); }
  std::string_view operator[](std::size_t i) const { return text(m_entries[i]); }

 private:
  struct Entry {
    std::uint64_t key;
    std::size_t offset;
  };

  const char* text(const Entry& entry) const { return m_text.data() + entry.offset; }
  std::size_t sharedPrefix() const;
  std::uint64_t keyAt(std::size_t offset) const;

  std::vector<char> m_text;
  std::vector<Entry> m_entries;
};

/// The names in one folder, in an order such that a depth-first walk yields whole paths in byte
/// order: a folder's name ends with the slash that follows it in paths. Of a folder with very many
/// names, sorted parts are in a temporary file, and are merged while they are read. One thread.
class FolderNames {
 public:
  static constexpr std::size_t kAtOnce = std::size_t{2} << 20U;

  /// `atOnce`: bytes of names that are sorted in memory.
  explicit FolderNames(std::size_t atOnce = kAtOnce) : m_atOnce(atOnce) {}

  void add(std::string_view name, bool isFolder);
  /// To be called after the last name.
  void sort();
  /// The next name in order, zero-terminated; valid until the next call.
  std::optional<std::string_view> next();

 private:
  /// A part that is read from the file.
  struct Part {
    std::uint64_t at = 0;
    std::uint64_t end = 0;
    std::vector<char> read;
    std::size_t next = 0;

    bool isEmpty() const { return next == read.size(); }
    std::string_view front() const { return read.data() + next; }
  };

  void writePart();
  void fill(Part& part) const;
  bool isLater(std::size_t a, std::size_t b) const {
    return m_parts[a].front() > m_parts[b].front();
  }

  const std::size_t m_atOnce;
  NamesInMemory m_names;
  std::size_t m_position = 0;  ///< the next of m_names, if there are no parts
  SpilledBytes m_sorted{0};
  std::vector<Part> m_parts;
  std::vector<std::size_t> m_order;     ///< heap of the parts that are not empty
  std::optional<std::size_t> m_passed;  ///< the part whose front was returned last
};

}  // namespace millrace
