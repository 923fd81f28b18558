// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/data/buffer.h"
#include "core/formats/io/range_reader.h"
#include "core/formats/parquet/parquet_cache.h"
#include "core/formats/parquet/parquet_file.h"

namespace millrace {

/// Reads rows of columns, through a cache that readers share. One thread.
class ParquetReader {
 public:
  /// For `columns` columns that are read side by side.
  ParquetReader(ParquetCache& cache, std::size_t columns, ReadBy by)
      : m_cache(cache), m_reader(by), m_held(columns) {}

  /// A column and the number of its file, as the key of the cache.
  struct Where {
    const ParquetFile* file = nullptr;
    std::uint32_t number = 0;
    std::size_t column = 0;
  };
  /// Row `row` of the file. Valid until the next read at `place`, one of the constructor's columns.
  /// The error says what is wrong, without names.
  Result<ParquetCell> read(std::size_t place, const Where& where, std::uint32_t row,
                           ReadCounters& counters);

  std::size_t keptBytes() const;

 private:
  struct Held {
    const ParquetFile* file = nullptr;
    std::uint32_t group = 0;
    std::size_t column = 0;
    std::shared_ptr<const ParquetBlock> block;
  };
  using Item = ParquetCache::Item;

  Result<std::shared_ptr<const ParquetBlock>> blockOf(const Where& where,
                                                      const ParquetFile::Place& found,
                                                      ReadCounters& counters);
  Result<Item> loadBlock(const Where& where, std::uint32_t group, const ParquetParts& parts,
                         const ParquetPart& part, ReadCounters& counters);
  Result<Item> loadDictionary(const Where& where, std::uint32_t group, const ParquetPart& part,
                              ReadCounters& counters);
  Status readPages(const Where& where, const ParquetPart& part, ReadCounters& counters);

  ParquetCache& m_cache;
  RangeReader m_reader;
  ParquetUnpacker m_unpacker;
  Buffer m_pages;
  std::vector<Held> m_held;
};

}  // namespace millrace
