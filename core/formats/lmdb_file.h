// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/range_reader.h"

namespace millrace {

// LMDB data files of 64-bit machines, format version 1, read by our own checked code: the library
// maps them, and dies of a truncated or damaged one (layout: MDB_page, MDB_meta, MDB_db and
// MDB_node in mdb.c of liblmdb 0.9). No lock file is needed or looked at.

/// What the newest sound of the file's two heads says. Value.
struct LmdbSnapshot {
  std::uint64_t pageSize = 0;
  std::uint64_t transaction = 0;
  std::uint64_t root = 0;  ///< page of the main database; kNoPage where it is empty
  std::uint64_t entries = 0;
  std::uint64_t nextHead = 0;  ///< where the next commit writes its transaction's number

  static constexpr std::uint64_t kNoPage = UINT64_MAX;
};

/// Reads both heads. The error is a sentence without the file's name.
Result<LmdbSnapshot> openLmdb(int fd, std::uint64_t size);

/// Whether the bytes begin an LMDB file.
bool isLmdbHead(std::span<const std::byte> bytes);

/// Keys and where their values lie, in the order of the keys. Constant once listed; any thread.
class LmdbListing {
 public:
  struct Place {
    std::uint64_t offset = 0;  ///< of the value
    std::uint32_t size = 0;
    bool ownPages = false;  ///< the value has pages of its own, behind a head of 16 bytes
  };
  std::size_t size() const { return m_places.size(); }
  std::string_view key(std::size_t i) const {
    return std::string_view(m_text).substr(m_starts[i], m_starts[i + 1] - m_starts[i]);
  }
  const Place& place(std::size_t i) const { return m_places[i]; }
  /// Pages that are damaged, and values of kinds that are not read, in sentences; a limited number.
  const std::vector<std::string>& notes() const { return m_notes; }
  /// Databases within the main one.
  const std::vector<std::string>& databases() const { return m_databases; }

  // For whoever makes it.
  void append(std::string_view key, const Place& place);
  void note(std::string sentence);
  void addDatabase(std::string_view name) { m_databases.emplace_back(name); }

 private:
  std::string m_text;
  std::vector<std::uint64_t> m_starts{0};
  std::vector<Place> m_places;
  std::vector<std::string> m_notes;
  std::vector<std::string> m_databases;
};

/// Walks the tree of the main database, or of one within it. Every page is visited once at most;
/// what is damaged is left out and named by its page. The error (no such database, a file that
/// cannot be read) is a sentence without the file's name.
Result<LmdbListing> listLmdb(int fd, std::uint64_t size, const LmdbSnapshot& snapshot,
                             const std::string& database = {});

/// A value. Valid until the reader's next read. A database that a writer has changed since the
/// snapshot gives an error: its pages may be others by now.
Result<std::span<std::byte>> readLmdbValue(RangeReader& reader, int fd,
                                           const LmdbSnapshot& snapshot,
                                           const LmdbListing::Place& place, ReadCounters& counters,
                                           Sample::Room room = {});

/// The same straight to where it is wanted: place.size bytes.
Status readLmdbValueTo(RangeReader& reader, int fd, const LmdbSnapshot& snapshot,
                       const LmdbListing::Place& place, std::byte* to, ReadCounters& counters);

}  // namespace millrace
