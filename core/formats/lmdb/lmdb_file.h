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
#include "core/formats/io/range_reader.h"

namespace millrace {

// Reads LMDB data files of 64-bit machines, format version 1, with bounds-checked code, because the
// library maps the file and crashes if it is truncated or damaged (layout: MDB_page, MDB_meta,
// MDB_db and MDB_node in mdb.c of liblmdb 0.9). Lock files are neither needed nor read.

/// The newer valid one of the file's two meta pages. Value.
struct LmdbSnapshot {
  std::uint64_t pageSize = 0;
  std::uint64_t transaction = 0;
  std::uint64_t root = 0;  ///< root page of the main database; kNoPage if it is empty
  std::uint64_t entries = 0;
  std::uint64_t nextHead = 0;  ///< where the next commit writes its transaction number

  static constexpr std::uint64_t kNoPage = UINT64_MAX;
};

/// Reads both meta pages. The error does not contain the file's name.
Result<LmdbSnapshot> openLmdb(int fd, std::uint64_t size);

/// Keys and the places of their values, in the order of the keys. Constant after listing; any
/// thread.
class LmdbListing {
 public:
  struct Place {
    std::uint64_t offset = 0;  ///< offset of the value
    std::uint32_t size = 0;
    bool ownPages = false;  ///< the value has its own pages, after a header of 16 bytes
  };
  std::size_t size() const { return m_places.size(); }
  std::string_view key(std::size_t i) const {
    return std::string_view(m_text).substr(m_starts[i], m_starts[i + 1] - m_starts[i]);
  }
  const Place& place(std::size_t i) const { return m_places[i]; }
  /// Damaged pages and unsupported values, in sentences; limited in number.
  const std::vector<std::string>& notes() const { return m_notes; }
  /// Names of the databases within the main one.
  const std::vector<std::string>& databases() const { return m_databases; }

  // For code that builds the listing.
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

/// Walks the tree of the main database, or of a named one. Every page is visited at most once;
/// damaged parts are left out and reported by page. The error (no such database, an unreadable
/// file) does not contain the file's name.
Result<LmdbListing> listLmdb(int fd, std::uint64_t size, const LmdbSnapshot& snapshot,
                             const std::string& database = {});

/// Reads a value. Valid until the reader's next read. It is an error if a writer has changed the
/// database since the snapshot, because its pages may have been reused.
Result<std::span<std::byte>> readLmdbValue(RangeReader& reader, int fd,
                                           const LmdbSnapshot& snapshot,
                                           const LmdbListing::Place& place, ReadCounters& counters,
                                           Sample::Room room = {});

/// The same, directly into `to`, which must have place.size bytes.
Status readLmdbValueTo(RangeReader& reader, int fd, const LmdbSnapshot& snapshot,
                       const LmdbListing::Place& place, std::byte* to, ReadCounters& counters);

}  // namespace millrace
