// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/data/batch.h"

namespace millrace {

/// Where the rows of a host batch go in a block of device memory, with few copies: rows that are
/// adjacent on the host stay adjacent, and small fields are gathered on the host and copied
/// together to the tail of the block. Reuses its memory. One thread.
class TransferLayout {
 public:
  /// Alignment of each piece and of each dense field.
  static constexpr std::size_t kAlignment = 256;
  /// Fields with up to this many bytes of rows are gathered: a separate copy costs as much as some
  /// tens of thousands of bytes.
  static constexpr std::size_t kGathered = 16 * 1024;

  /// One copy.
  struct Piece {
    std::size_t at = 0;  ///< offset from the beginning of the block
    const std::byte* host = nullptr;
    std::size_t bytes = 0;
  };

  void clear();
  /// Adds the first `rows` rows of the next field. Files that are left to the device get room for
  /// their pixels but no copy.
  void add(const BatchField& field, std::size_t rows);

  std::size_t bytes() const { return tail() + tailBytes(); }  ///< size of the block
  std::size_t copied() const;  ///< bytes of all pieces and of the gathered fields
  std::span<const Piece> pieces() const { return m_pieces; }
  std::size_t tail() const;  ///< offset of the gathered fields
  std::size_t tailBytes() const { return m_tailBytes; }
  /// Writes the gathered fields to `to`, in the layout of the tail.
  void gather(std::byte* to) const;
  /// Offset of row r of field f in the block.
  std::size_t offset(std::size_t f, std::size_t r) const {
    return (m_fields[f].gathered ? tail() : 0) + m_offsets[m_fields[f].first + r];
  }

 private:
  struct Field {
    std::size_t first = 0;  ///< index in m_offsets
    bool gathered = false;  ///< then offsets count from the tail
  };

  static bool isSmall(const BatchField& field, std::size_t rows);
  static bool extends(const Piece& last, const BatchField& field, const TensorView& row);

  std::size_t m_bytes = 0;
  std::size_t m_tailBytes = 0;
  std::vector<Piece> m_pieces;
  std::vector<Piece> m_gathered;       ///< `at` counts from the tail
  std::vector<std::size_t> m_offsets;  ///< offsets of all rows, field by field
  std::vector<Field> m_fields;
  std::vector<std::size_t> m_order;  ///< scratch space: rows sorted by address
};

/// `size` rounded up to the alignment of device blocks.
inline std::size_t deviceAligned(std::size_t size) {
  return (size + TransferLayout::kAlignment - 1) / TransferLayout::kAlignment *
         TransferLayout::kAlignment;
}

}  // namespace millrace
