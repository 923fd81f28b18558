// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/data/buffer.h"
#include "core/formats/parquet/parquet_parts.h"
#include "core/formats/parquet/parquet_unpacker.h"
#include "core/formats/parquet/parquet_values.h"

namespace millrace {

/// What a row has in a column. Borrows from the block.
struct ParquetCell {
  bool null = false;
  bool nullWithin = false;  ///< a list with a null
  std::uint32_t count = 0;  ///< number of values: 1 unless it is a list
  std::span<const std::byte> bytes;
};

/// The decoded rows of a part of a chunk. Constant; any thread.
class ParquetBlock {
 public:
  /// Decodes the pages in `pages`, which are those of `part`. Takes the buffer if values borrow
  /// from it. `dictionary` may be nullptr. The error says what is wrong, without the column's name.
  static Result<ParquetBlock> decode(const ParquetColumn& column, ParquetCodec codec,
                                     const ParquetPart& part, Buffer& pages,
                                     std::shared_ptr<const ParquetValues> dictionary,
                                     ParquetUnpacker& unpacker);

  /// `row` within the row group must be one of the part's.
  ParquetCell at(std::uint32_t row) const;
  bool holds(std::uint32_t row) const { return row - m_firstRow < m_rows; }
  std::size_t bytes() const;

 private:
  friend class BlockDecoder;
  static constexpr std::uint32_t kNull = UINT32_MAX;
  struct List {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    bool null = false;
    bool nullWithin = false;
  };

  ParquetBlock(const ParquetColumn& column, const ParquetPart& part)
      : m_firstRow(part.firstRow), m_rows(part.rows), m_values(column) {}

  std::uint32_t m_firstRow;
  std::uint32_t m_rows;
  ParquetValues m_values;
  std::vector<std::uint32_t> m_valueOf;  ///< of each row; empty: there are no nulls
  std::vector<List> m_lists;
};

/// Decodes the dictionary page in `pages`.
Result<std::shared_ptr<const ParquetValues>> decodeParquetDictionary(const ParquetColumn& column,
                                                                     ParquetCodec codec,
                                                                     const ParquetPart& part,
                                                                     Buffer& pages,
                                                                     ParquetUnpacker& unpacker);

}  // namespace millrace
