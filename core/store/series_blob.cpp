// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/series_blob.h"

#include <bit>
#include <cstdint>

namespace millrace {

namespace {

void appendDouble(std::vector<std::byte>& bytes, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (unsigned shift = 0; shift < 64; shift += 8)
    bytes.push_back(static_cast<std::byte>(bits >> shift));
}

double doubleAt(std::span<const std::byte> bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 8; ++i) bits |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
  return std::bit_cast<double>(bits);
}

}  // namespace

std::vector<std::byte> encodeSeries(std::span<const SeriesPoint> points) {
  std::vector<std::byte> bytes;
  bytes.reserve(points.size() * 16);
  for (const SeriesPoint& point : points) {
    appendDouble(bytes, point.seconds);
    appendDouble(bytes, point.value);
  }
  return bytes;
}

std::vector<SeriesPoint> decodeSeries(std::span<const std::byte> blob) {
  std::vector<SeriesPoint> points;
  points.reserve(blob.size() / 16);
  for (; blob.size() >= 16; blob = blob.subspan(16))
    points.push_back({doubleAt(blob), doubleAt(blob.subspan(8))});
  return points;
}

}  // namespace millrace
