// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/batch_rows.h"

#include <algorithm>
#include <cstring>

namespace millrace::nodes {

void placeRows(const Shape& shape, std::size_t rows, BatchField& field) {
  field.rowBytes = static_cast<std::size_t>(shape.elements()) * sizeOf(field.spec.dtype);
  std::byte* const memory = field.memory.reserve(field.rowBytes * rows);
  for (std::size_t r = 0; r < rows; ++r)
    field.rows[r] = {field.spec.dtype, field.spec.layout, shape, memory + r * field.rowBytes,
                     field.rowBytes};
}

void placeRagged(std::size_t rows, BatchField& field) {
  constexpr std::size_t kAlignment = Buffer::kAlignment;
  const auto room = [](const TensorView& row) {
    return (row.bytes + kAlignment - 1) / kAlignment * kAlignment;
  };
  std::size_t bytes = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    TensorView& row = field.rows[r];
    if (row.dtype != DType::Encoded)
      row.bytes = static_cast<std::size_t>(row.shape.elements()) * sizeOf(row.dtype);
    bytes += room(row);
  }
  std::byte* at = field.memory.reserve(bytes);
  for (std::size_t r = 0; r < rows; ++r) {
    field.rows[r].data = at;
    at += room(field.rows[r]);
  }
}

void copyRows(const BatchField& from, std::size_t rows, BatchField& to) {
  if (to.ragged) {
    std::copy_n(from.rows.begin(), rows, to.rows.begin());
    placeRagged(rows, to);
  } else if (rows > 0) {
    placeRows(from.rows.front().shape, rows, to);
  }
  for (std::size_t r = 0; r < rows; ++r)
    if (to.rows[r].bytes > 0) std::memcpy(to.rows[r].data, from.rows[r].data, to.rows[r].bytes);
}

}  // namespace millrace::nodes
