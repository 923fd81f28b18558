// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/file_hashes.h"
#include "core/formats/mds_column.h"

namespace millrace {

/// What an index.json says of one shard.
struct MdsShardEntry {
  std::string raw;                     ///< its file below the index's folder, never above it
  std::string packed;                  ///< the file that holds it compressed, or empty
  std::string compression;             ///< of that: "zstd", "gz", ..., without a level
  std::vector<FileHash> rawHashes;     ///< of the first, where the index names any
  std::vector<FileHash> packedHashes;  ///< of the second
  std::uint64_t bytes = 0;             ///< unpacked
  std::uint32_t samples = 0;
};

/// The shards of a data set, and the columns that all of them have.
struct MdsIndex {
  std::vector<MdsShardEntry> shards;
  std::vector<MdsColumn> columns;
};

/// Reads an index.json (mosaicml/streaming, docs "Dataset Format": version 2, shards of format
/// mds). The error says which shard it is about.
Result<MdsIndex> parseMdsIndex(std::string_view json);

/// Columns from the head of a shard, which holds the same words as the index.
Result<std::vector<MdsColumn>> parseMdsConfig(std::string_view json);

/// "a int, b jpeg".
std::string textOf(const std::vector<MdsColumn>& columns);

}  // namespace millrace
