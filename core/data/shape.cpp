// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/data/shape.h"

#include <algorithm>

#include "core/base/check.h"

namespace millrace {

Shape::Shape(std::initializer_list<std::int64_t> sizes) {
  for (const std::int64_t size : sizes) append(size);
}

void Shape::append(std::int64_t size) {
  MILLRACE_CHECK(m_rank < kMaxRank, "a shape has at most six dimensions");
  m_sizes[m_rank++] = size;
}

Shape Shape::batched(std::int64_t rows) const {
  Shape shape{rows};
  for (const std::int64_t size : *this) shape.append(size);
  return shape;
}

bool Shape::known() const { return std::find(begin(), end(), kUnknown) == end(); }

std::int64_t Shape::elements() const {
  std::int64_t product = 1;
  for (const std::int64_t size : *this) {
    if (size == kUnknown) return kUnknown;
    product *= size;
  }
  return product;
}

std::string Shape::text() const {
  if (m_rank == 0) return "scalar";
  std::string text;
  for (const std::int64_t size : *this) {
    if (!text.empty()) text += 'x';
    text += size == kUnknown ? "?" : std::to_string(size);
  }
  return text;
}

bool Shape::operator==(const Shape& other) const {
  return std::equal(begin(), end(), other.begin(), other.end());
}

}  // namespace millrace
