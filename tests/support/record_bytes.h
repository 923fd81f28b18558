// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::tests {

/// CRC-32C bit by bit, from its polynomial.
inline std::uint32_t plainCrc32c(std::string_view bytes) {
  std::uint32_t sum = 0xffffffffU;
  for (const char c : bytes) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1U) != 0 ? sum >> 1U ^ 0x82f63b78U : sum >> 1U;
  }
  return ~sum;
}

inline std::string littleEndian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xffU);
  return text;
}

/// One record in the form of TFRecord files.
inline std::string tfRecord(const std::string& payload) {
  const auto sum = [](std::string_view bytes) {
    const std::uint32_t crc = plainCrc32c(bytes);
    return littleEndian(((crc >> 15U) | (crc << 17U)) + 0xa282ead8U, 4);
  };
  const std::string length = littleEndian(payload.size(), 8);
  return length + sum(length) + payload + sum(payload);
}

inline std::string varint(std::uint64_t value) {
  std::string text;
  for (; value > 127; value >>= 7U) text += static_cast<char>((value & 127U) | 128U);
  return text + static_cast<char>(value);
}

/// A protobuf field that has a length.
inline std::string protoField(unsigned number, const std::string& content) {
  return varint(number << 3U | 2U) + varint(content.size()) + content;
}

/// A feature's entry in the map of an example.
inline std::string bytesFeature(const std::string& key, const std::vector<std::string>& values) {
  std::string list;
  for (const std::string& value : values) list += protoField(1, value);
  return protoField(1, protoField(1, key) + protoField(2, protoField(1, list)));
}
inline std::string floatFeature(const std::string& key, const std::vector<float>& values) {
  const std::string packed(reinterpret_cast<const char*>(values.data()), 4 * values.size());
  return protoField(1, protoField(1, key) + protoField(2, protoField(2, protoField(1, packed))));
}
inline std::string intFeature(const std::string& key, const std::vector<std::int64_t>& values) {
  std::string packed;
  for (const std::int64_t value : values) packed += varint(static_cast<std::uint64_t>(value));
  return protoField(1, protoField(1, key) + protoField(2, protoField(3, protoField(1, packed))));
}
inline std::string example(const std::string& features) { return protoField(1, features); }

}  // namespace millrace::tests
