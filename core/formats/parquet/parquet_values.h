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
#include "core/formats/parquet/parquet_schema.h"

namespace millrace {

/// Decoded values of a column, without nulls. Constant once it is shared.
class ParquetValues {
 public:
  explicit ParquetValues(const ParquetColumn& column) : m_width(column.valueBytes()) {}

  std::size_t size() const { return m_size; }
  /// `count` values from `first`; for byte arrays, which have no common width, one value.
  std::span<const std::byte> at(std::size_t first, std::size_t count) const {
    if (m_width == 0) return m_strings[first];
    return {m_numbers.data() + first * m_width, count * m_width};
  }
  /// Memory that it holds, apart from dictionaries, which are shared.
  std::size_t bytes() const;

  /// Decodes `count` values of `column` and appends them. Byte arrays borrow from `bytes`: keep()
  /// its memory. `dictionary` may be nullptr. The error says what is wrong.
  Status append(const ParquetColumn& column, int encoding, std::span<const std::byte> bytes,
                std::size_t count, const std::shared_ptr<const ParquetValues>& dictionary);
  void keep(Buffer memory) { m_memory.push_back(std::move(memory)); }

 private:
  using Bytes = std::span<const std::byte>;

  Status plain(const ParquetColumn& column, Bytes bytes, std::size_t count);
  Status plainStrings(Bytes bytes, std::size_t count);
  Status booleans(Bytes bytes, std::size_t count, bool runs);
  Status stored(const ParquetColumn& column, Bytes values, std::size_t count);
  Status split(const ParquetColumn& column, Bytes bytes, std::size_t count);
  Status deltas(const ParquetColumn& column, Bytes bytes, std::size_t count);
  Status deltaLengths(Bytes bytes, std::size_t count);
  Status deltaStrings(const ParquetColumn& column, Bytes bytes, std::size_t count);
  Status entries(Bytes bytes, std::size_t count,
                 const std::shared_ptr<const ParquetValues>& dictionary);
  std::byte* room(std::size_t count);

  std::uint32_t m_width;  ///< bytes of a value; 0: byte arrays
  std::size_t m_size = 0;
  Buffer m_numbers;
  std::vector<Bytes> m_strings;
  std::vector<Buffer> m_memory;
  std::vector<std::shared_ptr<const ParquetValues>> m_dictionaries;
};

}  // namespace millrace
