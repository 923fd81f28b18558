// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/io/open_file.h"
#include "core/formats/parquet/parquet_schema.h"

namespace millrace {

/// How pages are compressed, by its number in the file.
enum class ParquetCodec : std::uint8_t {
  Uncompressed,
  Snappy,
  Gzip,
  Lzo,
  Brotli,
  Lz4,  ///< in Hadoop's framing, or one block without
  Zstd,
  Lz4Raw,
};
/// "snappy", "gzip", ...
std::string_view nameOf(ParquetCodec codec);

/// The pages of one column in one row group.
struct ParquetChunk {
  std::uint64_t begin = 0;  ///< offset of the first page
  std::uint64_t bytes = 0;
  std::uint64_t values = 0;       ///< nulls included; more than rows in lists
  std::uint64_t indexOffset = 0;  ///< of the offset index; 0: none
  std::uint32_t indexBytes = 0;
  ParquetCodec codec = ParquetCodec::Uncompressed;
};

struct ParquetGroup {
  std::uint32_t rows = 0;
  std::vector<ParquetChunk> chunks;  ///< one per column
};

/// What the end of a file says about it (apache/parquet-format, parquet.thrift, FileMetaData).
struct ParquetFooter {
  std::vector<ParquetColumn> columns;
  std::vector<ParquetGroup> groups;
  std::uint32_t rows = 0;
  /// The metadata `huggingface`: JSON with the features of a data set; empty if there is none.
  std::string features;
};

/// Parses the footer's bytes. Columns that cannot be read have ParquetColumn::whyNot; offsets are
/// not checked. The error says what is wrong.
Result<ParquetFooter> parseParquetFooter(std::span<const std::byte> bytes);
/// Finds and parses the footer. The error does not contain the file's name.
Result<ParquetFooter> readParquetFooter(const OpenFile& file);

/// The names of classes by column, from ParquetFooter::features; empty if there are none.
std::map<std::string, std::vector<std::string>> parquetClassNames(const std::string& features);

}  // namespace millrace
