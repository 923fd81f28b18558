// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/io/file_hashes.h"
#include "core/formats/mds/mds_column.h"

namespace millrace {

/// The description of a shard in index.json.
struct MdsShardEntry {
  std::string raw;                     ///< its file below the index's folder; never outside of it
  std::string packed;                  ///< the compressed file, or empty
  std::string compression;             ///< of that file: "zstd", "gz", ..., without a level
  std::vector<FileHash> rawHashes;     ///< hashes of the uncompressed file, if listed
  std::vector<FileHash> packedHashes;  ///< hashes of the compressed file, if listed
  std::uint64_t bytes = 0;             ///< uncompressed size
  std::uint32_t samples = 0;
};

/// The shards of a data set, and their common columns.
struct MdsIndex {
  std::vector<MdsShardEntry> shards;
  std::vector<MdsColumn> columns;
};

/// Parses an index.json (mosaicml/streaming, docs "Dataset Format": version 2, shards of format
/// mds). The error says which shard it concerns.
Result<MdsIndex> parseMdsIndex(std::string_view json);

/// Whether the text is whole JSON with shards in its list. An index that its writer did not finish
/// is not.
bool listsMdsShards(std::string_view json);

/// Parses the columns in the header of a shard, which has the same form as in the index.
Result<std::vector<MdsColumn>> parseMdsConfig(std::string_view json);

/// "a int, b jpeg".
std::string textOf(const std::vector<MdsColumn>& columns);

}  // namespace millrace
