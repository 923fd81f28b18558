// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/data/batch.h"

namespace millrace {

/// Where the rows of a host batch go in one block of device memory, and in how few copies: rows
/// that lie one behind the other on the host do so there too, and fields of few bytes are gathered
/// on the host and go as one copy, the tail of the block. Keeps its memory. One thread.
class TransferLayout {
 public:
  static constexpr std::size_t kAlignment = 256;  ///< of each piece and of each dense field
  /// Bytes of a field's rows up to which they are gathered: a copy of its own costs the bus as much
  /// as some tens of thousands of bytes do.
  static constexpr std::size_t kGathered = 16 * 1024;

  /// One copy.
  struct Piece {
    std::size_t at = 0;  ///< behind the beginning of the block
    const std::byte* host = nullptr;
    std::size_t bytes = 0;
  };

  void clear();
  /// The first `rows` rows of the next field. Files that are left to the device get room for their
  /// pixels and no copy.
  void add(const BatchField& field, std::size_t rows);

  std::size_t bytes() const { return tail() + tailBytes(); }  ///< of the block
  std::size_t copied() const;  ///< of all pieces and of what is gathered
  std::span<const Piece> pieces() const { return m_pieces; }
  std::size_t tail() const;  ///< where what is gathered begins
  std::size_t tailBytes() const { return m_tailBytes; }
  /// Puts what is gathered to `to`, as it is to lie at the tail.
  void gather(std::byte* to) const;
  /// Where row r of the f-th field begins.
  std::size_t offset(std::size_t f, std::size_t r) const {
    return (m_fields[f].gathered ? tail() : 0) + m_offsets[m_fields[f].first + r];
  }

 private:
  struct Field {
    std::size_t first = 0;  ///< in m_offsets
    bool gathered = false;  ///< then offsets count from the tail
  };

  static bool isSmall(const BatchField& field, std::size_t rows);
  static bool extends(const Piece& last, const BatchField& field, const TensorView& row);

  std::size_t m_bytes = 0;
  std::size_t m_tailBytes = 0;
  std::vector<Piece> m_pieces;
  std::vector<Piece> m_gathered;       ///< `at` counts from the tail
  std::vector<std::size_t> m_offsets;  ///< of all rows, field by field
  std::vector<Field> m_fields;
  std::vector<std::size_t> m_order;  ///< scratch: the rows by address
};

/// `size` rounded up to the alignment of device blocks.
inline std::size_t deviceAligned(std::size_t size) {
  return (size + TransferLayout::kAlignment - 1) / TransferLayout::kAlignment *
         TransferLayout::kAlignment;
}

}  // namespace millrace
