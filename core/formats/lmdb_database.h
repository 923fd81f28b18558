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
#include "core/formats/container_file.h"
#include "core/formats/lmdb_file.h"

namespace millrace {

/// `data.mdb`, `x.mdb`; no lock file.
bool isLmdbFileName(std::string_view name);

/// One file with what is in it. Constant once opened; any thread.
struct LmdbDatabase {
  ContainerFile file;
  LmdbSnapshot snapshot;
  LmdbListing listing;
  /// Of the listing, without those that tell of the others (`__len__`, `__keys__`).
  std::vector<std::uint32_t> records;

  int fd() const { return file.file.fd.get(); }
  /// `gt.lmdb/data.mdb` is called as its folder, which is what people name.
  std::string name() const;
  /// The key; the record's number where that is no text.
  std::string keyText(std::uint32_t record) const;
};

/// Lists the main database, or the one called `named`. A file that a writer changed meanwhile is
/// listed again. The error names the file; it is one that there are no records.
Result<LmdbDatabase> openLmdbDatabase(const std::filesystem::path& path, const std::string& named,
                                      std::vector<std::string>& notes);

/// What the first values are.
struct LmdbLook {
  std::uint32_t seen = 0;
  std::uint32_t pictures = 0;  ///< picture files
  std::uint32_t datums = 0;    ///< Datums of Caffe
  bool encoded = false;        ///< the first of these holds a picture file
  std::optional<Shape> shape;  ///< height, width and channels of the last one
  bool sameShape = true;
  std::size_t size = 0;  ///< of the first one
  bool sameSize = true;
};
LmdbLook lookAtLmdb(const LmdbDatabase& database);

}  // namespace millrace
