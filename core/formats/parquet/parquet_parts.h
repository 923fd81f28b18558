// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/formats/io/open_file.h"
#include "core/formats/parquet/parquet_footer.h"
#include "core/formats/parquet/parquet_unpacker.h"

namespace millrace {

/// A range of whole pages that can be decoded alone. In lists, a row may begin before the range and
/// end within it; such a row belongs to the part before.
struct ParquetPart {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
  std::uint32_t firstRow = 0;  ///< within the row group
  std::uint32_t rows = 0;
};

/// Where a chunk's pages are.
struct ParquetParts {
  std::optional<ParquetPart> dictionary;  ///< without rows
  std::vector<ParquetPart> data;          ///< in the order of rows, all rows of the group
};

/// Finds the pages by the offset index, or else by walking over their headers. The pages of lists
/// may not say where rows begin; they are then decompressed to find out. The error says what is
/// wrong with the chunk.
Result<ParquetParts> findParquetParts(const OpenFile& file, const ParquetColumn& column,
                                      const ParquetChunk& chunk, std::uint32_t rows,
                                      ParquetUnpacker& unpacker);

}  // namespace millrace
