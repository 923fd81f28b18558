// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/transfer/transfer_layout.h"

#include <algorithm>
#include <cstring>

#include "core/data/left_to_device.h"

namespace millrace {

void TransferLayout::clear() {
  m_bytes = 0;
  m_tailBytes = 0;
  m_pieces.clear();
  m_gathered.clear();
  m_offsets.clear();
  m_fields.clear();
}

std::size_t TransferLayout::tail() const { return deviceAligned(m_bytes); }

/// Files that are left to the device do not count as small, because their pixels are many.
bool TransferLayout::isSmall(const BatchField& field, std::size_t rows) {
  std::size_t bytes = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    if (isLeftToDevice(field.spec, field.rows[r])) return false;
    bytes += field.rows[r].bytes;
  }
  return bytes <= kGathered;
}

/// Whether the row follows the last piece in the same memory with at most an arena's padding in
/// between; then both go in one copy. Rows that share memory are copied separately.
bool TransferLayout::extends(const Piece& last, const BatchField& field, const TensorView& row) {
  // An empty row may have no memory at all.
  if (last.host == nullptr) return false;
  const std::byte* const end = last.host + last.bytes;
  const std::byte* const begin = field.memory.data();
  const std::byte* const limit = begin + field.memory.capacity();
  return row.data >= end && row.data <= end + Buffer::kAlignment && last.host >= begin &&
         row.data + row.bytes <= limit;
}

void TransferLayout::add(const BatchField& field, std::size_t rows) {
  m_fields.push_back({m_offsets.size(), isSmall(field, rows)});
  m_offsets.resize(m_offsets.size() + rows);
  std::size_t* const offsets = m_offsets.data() + m_fields.back().first;
  m_order.resize(rows);
  for (std::size_t r = 0; r < rows; ++r) m_order[r] = r;
  std::ranges::sort(m_order, [&](std::size_t a, std::size_t b) {
    return field.rows[a].data != field.rows[b].data ? field.rows[a].data < field.rows[b].data
                                                    : a < b;
  });
  std::vector<Piece>& pieces = m_fields.back().gathered ? m_gathered : m_pieces;
  std::size_t& end = m_fields.back().gathered ? m_tailBytes : m_bytes;
  Piece* open = nullptr;
  for (const std::size_t r : m_order) {
    const TensorView& row = field.rows[r];
    if (isLeftToDevice(field.spec, row)) {
      offsets[r] = deviceAligned(end);
      end = offsets[r] + pixelsOfFile(row).bytes;
      open = nullptr;
      continue;
    }
    if (open == nullptr || !extends(*open, field, row)) {
      pieces.push_back({deviceAligned(end), row.data, 0});
      open = &pieces.back();
    }
    open->bytes = static_cast<std::size_t>(row.data + row.bytes - open->host);
    offsets[r] = open->at + static_cast<std::size_t>(row.data - open->host);
    end = open->at + open->bytes;
  }
}

std::size_t TransferLayout::copied() const {
  std::size_t bytes = 0;
  for (const std::vector<Piece>* pieces : {&m_pieces, &m_gathered})
    for (const Piece& piece : *pieces) bytes += piece.bytes;
  return bytes;
}

void TransferLayout::gather(std::byte* to) const {
  for (const Piece& piece : m_gathered)
    if (piece.bytes > 0) std::memcpy(to + piece.at, piece.host, piece.bytes);
}

}  // namespace millrace
