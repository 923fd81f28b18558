// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/data/sample.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace millrace {

Sample::Sample(std::size_t fields) : m_fieldCount(fields), m_fields(fields) {}

void Sample::reset(const SampleKey& key, std::size_t fields) {
  m_key = key;
  m_fieldCount = fields;
  m_row = nullptr;
  m_taken.clear();
  if (m_fields.size() < fields) m_fields.resize(fields);
  for (std::size_t i = 0; i < fields; ++i) {
    m_fields[i].current = TensorView{};
    m_fields[i].offered = nullptr;
    m_fields[i].borrowed = false;
  }
}

void Sample::borrow(std::size_t i, const TensorView& view) {
  m_fields[i].current = view;
  m_fields[i].borrowed = true;
}

TensorView Sample::writable(std::size_t i) {
  if (!m_fields[i].borrowed) return m_fields[i].current;
  const TensorView from = m_fields[i].current;
  const TensorView to = from.dtype == DType::Encoded
                            ? replaceBytes(i, from.bytes)
                            : replace(i, from.dtype, from.shape, from.layout);
  if (from.bytes > 0) std::memcpy(to.data, from.data, from.bytes);
  return to;
}

TensorView Sample::replace(std::size_t i, DType dtype, const Shape& shape, Layout layout) {
  const auto bytes = static_cast<std::size_t>(shape.elements()) * sizeOf(dtype);
  TensorView view = replaceBytes(i, bytes);
  view.dtype = dtype;
  view.shape = shape;
  view.layout = layout;
  m_fields[i].current = view;
  return view;
}

TensorView Sample::replaceBytes(std::size_t i, std::size_t bytes) {
  Field& field = m_fields[i];
  std::byte* memory = nullptr;
  field.borrowed = false;
  if (field.offered != nullptr && field.offeredBytes == bytes) {
    memory = field.offered;
    field.offered = nullptr;
  } else {
    field.used ^= 1;
    memory = field.memory[field.used].reserve(bytes);
  }
  field.current = {DType::Encoded, Layout::Plain, Shape{static_cast<std::int64_t>(bytes)}, memory,
                   bytes};
  return field.current;
}

std::byte* Sample::takeRoom(std::size_t i, std::size_t bytes) {
  if (m_row == nullptr) return nullptr;
  std::byte* const memory = m_row->take(i, bytes);
  if (memory != nullptr) m_taken.emplace_back(memory, bytes);
  return memory;
}

bool Sample::isInRow(std::size_t i) const {
  const TensorView& value = m_fields[i].current;
  return std::ranges::any_of(m_taken, [&](std::span<std::byte> taken) {
    return value.data >= taken.data() && value.data + value.bytes <= taken.data() + taken.size();
  });
}

void Sample::swapFields(std::size_t i, std::size_t k) {
  // Offered places belong to the field index, not to the value.
  if (i != k) std::swap<Value>(m_fields[i], m_fields[k]);
}

void Sample::offer(std::size_t i, std::byte* place, std::size_t bytes) {
  m_fields[i].offered = place;
  m_fields[i].offeredBytes = bytes;
}

void openPlaces(Sample& sample, std::size_t at, std::size_t fields, std::size_t made) {
  if (made == 0) {
    for (std::size_t i = at; i + 1 < fields; ++i) sample.swapFields(i, i + 1);
    return;
  }
  for (std::size_t i = fields; i-- > at + 1;) sample.swapFields(i, i + made - 1);
}

void clearPlaces(Sample& sample, std::size_t first) {
  for (std::size_t i = first; i < sample.fields(); ++i) sample[i] = TensorView{};
}

}  // namespace millrace
