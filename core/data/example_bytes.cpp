// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/data/example_bytes.h"

#include <cstddef>
#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>

namespace millrace {

namespace {

/// The kind of list in a feature; its value is the field number in feature.proto.
enum class List : int { Bytes = 1, Int64 = 3 };

/// The size of a field with this many bytes of content, whose number is below 16.
std::size_t fieldSize(std::size_t content) {
  return 1 + static_cast<std::size_t>(protozero::length_of_varint(content)) + content;
}

/// Writes one entry of the map from key to feature; its list holds one byte string. All sizes are
/// known before, so that nothing is moved.
void putFeature(std::string& to, std::string_view key, List kind, std::string_view value) {
  const std::size_t inList = fieldSize(value.size());
  const std::size_t inFeature = fieldSize(inList);
  protozero::pbf_writer features(to);
  protozero::pbf_writer entry(features, 1, fieldSize(key.size()) + fieldSize(inFeature));
  entry.add_string(1, key.data(), key.size());
  protozero::pbf_writer feature(entry, 2, inFeature);
  protozero::pbf_writer list(feature, static_cast<protozero::pbf_tag_type>(kind), inList);
  list.add_bytes(1, value.data(), value.size());
}

}  // namespace

void ExampleBytes::addBytes(std::string_view key, std::string_view value) {
  putFeature(m_features, key, List::Bytes, value);
}

void ExampleBytes::addNumber(std::string_view key, std::int64_t value) {
  std::string packed;
  protozero::add_varint_to_buffer(&packed, static_cast<std::uint64_t>(value));
  putFeature(m_features, key, List::Int64, packed);
}

std::string_view ExampleBytes::finish() {
  m_example.clear();
  protozero::pbf_writer(m_example).add_message(1, m_features);
  return m_example;
}

}  // namespace millrace
