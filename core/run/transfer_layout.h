// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/data/batch.h"

namespace millrace {

/// Where the rows of a host batch go in one block of device memory, and in how few copies: rows
/// that lie one behind the other on the host do so there too. Keeps its memory. One thread.
class TransferLayout {
 public:
  static constexpr std::size_t kAlignment = 256;  ///< of each piece and of each dense field

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

  std::size_t bytes() const { return m_bytes; }  ///< of the block
  std::size_t copied() const;                    ///< of all pieces
  std::span<const Piece> pieces() const { return m_pieces; }
  /// Where row r of the f-th field begins.
  std::size_t offset(std::size_t f, std::size_t r) const { return m_offsets[m_firsts[f] + r]; }

 private:
  bool extends(const BatchField& field, const TensorView& row) const;

  std::size_t m_bytes = 0;
  std::vector<Piece> m_pieces;
  std::vector<std::size_t> m_offsets;  ///< of all rows, field by field
  std::vector<std::size_t> m_firsts;   ///< in m_offsets, by field
  std::vector<std::size_t> m_order;    ///< scratch: the rows by address
  bool m_open = false;                 ///< the last piece is of the field being added
};

/// `size` rounded up to the alignment of device blocks.
inline std::size_t deviceAligned(std::size_t size) {
  return (size + TransferLayout::kAlignment - 1) / TransferLayout::kAlignment *
         TransferLayout::kAlignment;
}

}  // namespace millrace
