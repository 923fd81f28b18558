// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/data/shape.h"
#include "core/formats/folder/junk_names.h"
#include "core/formats/io/container_file.h"
#include "core/formats/lmdb/lmdb_file.h"

namespace millrace {

/// `data.mdb`, `x.mdb`, but not lock files.
bool isLmdbFileName(std::string_view name);

/// One file and its contents. Constant after opening; any thread.
struct LmdbDatabase {
  ContainerFile file;
  LmdbSnapshot snapshot;
  LmdbListing listing;
  /// Indices into the listing, without records that describe others (`__len__`, `__keys__`).
  std::vector<std::uint32_t> records;

  int fd() const { return file.file.fd.get(); }
  /// The displayed name; for `gt.lmdb/data.mdb` that of its folder.
  std::string name() const;
  /// The key; the record's number if the key is not text.
  std::string keyText(std::uint32_t record) const;
};

struct LmdbOpening {
  std::string named;       ///< empty: the main database
  Junk junk = Junk::Skip;  ///< records that describe others: isJunkRecord
};

/// Lists the main database, or the one that is named. Lists again if a writer changes the file
/// meanwhile. The error names the file; an empty database is an error.
Result<LmdbDatabase> openLmdbDatabase(const std::filesystem::path& path, const LmdbOpening& opening,
                                      std::vector<std::string>& notes);

/// What some values contain, which are spread over the database.
struct LmdbProbe {
  std::uint32_t seen = 0;
  std::uint32_t pictures = 0;  ///< number of picture files
  std::uint32_t datums = 0;    ///< number of Caffe Datums
  bool encoded = false;        ///< the first Datum contains a picture file
  std::optional<Shape> shape;  ///< height, width and channels of the last Datum
  bool sameShape = true;
  std::size_t size = 0;  ///< bytes of the first value
  bool sameSize = true;
  std::optional<std::uint32_t> picture;  ///< the first record that is a picture file
  std::string other;  ///< form of the first value that is not a picture, such as "JSON objects"
  std::optional<std::uint32_t> noPicture;  ///< the first record that is not a picture file
  std::optional<std::uint32_t> noDatum;
};
LmdbProbe probeLmdb(const LmdbDatabase& database);

}  // namespace millrace
