// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/transfer_layout.h"

#include <algorithm>

#include "core/data/left_to_device.h"

namespace millrace {

void TransferLayout::clear() {
  m_bytes = 0;
  m_pieces.clear();
  m_offsets.clear();
  m_firsts.clear();
}

/// Whether the row lies behind the last piece with no more than an arena's padding between, in the
/// same memory: then both are one copy. Rows that share memory never are, each gets its own.
bool TransferLayout::extends(const BatchField& field, const TensorView& row) const {
  // An empty row may have no memory at all.
  if (!m_open || m_pieces.back().host == nullptr) return false;
  const Piece& last = m_pieces.back();
  const std::byte* const end = last.host + last.bytes;
  const std::byte* const begin = field.memory.data();
  const std::byte* const limit = begin + field.memory.capacity();
  return row.data >= end && row.data <= end + Buffer::kAlignment && last.host >= begin &&
         row.data + row.bytes <= limit;
}

void TransferLayout::add(const BatchField& field, std::size_t rows) {
  m_firsts.push_back(m_offsets.size());
  m_offsets.resize(m_offsets.size() + rows);
  m_order.resize(rows);
  for (std::size_t r = 0; r < rows; ++r) m_order[r] = r;
  std::ranges::sort(m_order, [&](std::size_t a, std::size_t b) {
    return field.rows[a].data != field.rows[b].data ? field.rows[a].data < field.rows[b].data
                                                    : a < b;
  });
  m_open = false;
  for (const std::size_t r : m_order) {
    const TensorView& row = field.rows[r];
    if (isLeftToDevice(field.spec, row)) {
      m_offsets[m_firsts.back() + r] = deviceAligned(m_bytes);
      m_bytes = m_offsets[m_firsts.back() + r] + pixelsOfFile(row).bytes;
      m_open = false;
      continue;
    }
    if (!extends(field, row)) {
      m_pieces.push_back({deviceAligned(m_bytes), row.data, 0});
      m_open = true;
    }
    Piece& piece = m_pieces.back();
    piece.bytes = static_cast<std::size_t>(row.data + row.bytes - piece.host);
    m_offsets[m_firsts.back() + r] = piece.at + static_cast<std::size_t>(row.data - piece.host);
    m_bytes = piece.at + piece.bytes;
  }
}

std::size_t TransferLayout::copied() const {
  std::size_t bytes = 0;
  for (const Piece& piece : m_pieces) bytes += piece.bytes;
  return bytes;
}

}  // namespace millrace
