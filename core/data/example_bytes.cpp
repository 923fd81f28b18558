// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/data/example_bytes.h"

#include <cstddef>

namespace millrace {

namespace {

/// The kind of list in a feature; its value is the field number in feature.proto.
enum class List : int { Bytes = 1, Int64 = 3 };

/// The protobuf tag of a length-delimited field.
constexpr char tagOf(int field) { return static_cast<char>(field << 3 | 2); }

std::size_t varintSize(std::uint64_t value) {
  std::size_t size = 1;
  for (; value > 127; value >>= 7U) ++size;
  return size;
}

void putVarint(std::string& to, std::uint64_t value) {
  for (; value > 127; value >>= 7U) to += static_cast<char>((value & 127U) | 128U);
  to += static_cast<char>(value);
}

void putHead(std::string& to, int field, std::size_t size) {
  to += tagOf(field);
  putVarint(to, size);
}

std::size_t fieldSize(std::size_t content) { return 1 + varintSize(content) + content; }

/// Writes one entry of the map from key to feature; its list holds one byte string.
void putFeature(std::string& to, std::string_view key, List kind, std::string_view value) {
  const std::size_t list = fieldSize(value.size());
  const std::size_t feature = fieldSize(list);
  putHead(to, 1, fieldSize(key.size()) + fieldSize(feature));
  putHead(to, 1, key.size());
  to += key;
  putHead(to, 2, feature);
  putHead(to, static_cast<int>(kind), list);
  putHead(to, 1, value.size());
  to += value;
}

}  // namespace

void ExampleBytes::addBytes(std::string_view key, std::string_view value) {
  putFeature(m_features, key, List::Bytes, value);
}

void ExampleBytes::addNumber(std::string_view key, std::int64_t value) {
  std::string packed;
  putVarint(packed, static_cast<std::uint64_t>(value));
  putFeature(m_features, key, List::Int64, packed);
}

std::string_view ExampleBytes::finish() {
  m_example.clear();
  putHead(m_example, 1, m_features.size());
  m_example += m_features;
  return m_example;
}

}  // namespace millrace
