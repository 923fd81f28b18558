// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codecs/plain_png.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace millrace::tests {
namespace {

using Text = std::string;

std::uint32_t crc(std::string_view bytes) {
  std::uint32_t sum = 0xffffffffU;
  for (const char byte : bytes) {
    sum ^= static_cast<std::uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1U) ? sum >> 1U ^ 0xedb88320U : sum >> 1U;
  }
  return ~sum;
}

Text zlibStored(const Text& raw, std::uint32_t sumFlip) {
  Text stream = "\x78\x01";
  for (std::size_t at = 0; at < raw.size() || at == 0; at += 65535) {
    const std::size_t size = std::min<std::size_t>(65535, raw.size() - at);
    stream += char(at + size >= raw.size());
    stream += {char(size), char(size >> 8U), char(~size), char(~size >> 8U)};
    stream += raw.substr(at, size);
  }
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const char byte : raw) {
    a = (a + static_cast<std::uint8_t>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  return stream + pngNumber((b << 16U | a) ^ sumFlip);
}

Text text(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace

std::string pngNumber(std::uint32_t value) {
  return {char(value >> 24U), char(value >> 16U), char(value >> 8U), char(value)};
}

std::string pngChunk(const std::string& type, const std::string& data) {
  return pngNumber(std::uint32_t(data.size())) + type + data + pngNumber(crc(type + data));
}

std::vector<std::byte> writePlainPng(const PlainPng& png) {
  Text file = "\x89PNG\r\n\x1a\n";
  file += pngChunk("IHDR",
                   pngNumber(std::uint32_t(png.width)) + pngNumber(std::uint32_t(png.height)) +
                       Text{char(png.bitDepth), char(png.colourType), 0, 0, char(png.interlaced)});
  for (const auto& [type, data] : png.chunks) file += pngChunk(type, data);
  Text palette;
  for (const auto& colour : png.palette) palette.append(colour.begin(), colour.end());
  if (!palette.empty()) file += pngChunk("PLTE", palette);
  if (!png.transparency.empty()) file += pngChunk("tRNS", text(png.transparency));
  if (!png.exif.empty()) file += pngChunk("eXIf", text(png.exif));
  Text raw;
  for (std::size_t y = 0; y < png.rows.size(); ++y)
    raw += Text(1, y < png.filters.size() ? char(png.filters[y]) : '\0') + text(png.rows[y]);
  const Text stream = zlibStored(raw + text(png.behindRows), png.sumFlip);
  for (std::size_t at = 0; at < stream.size(); at += std::size_t(png.idatBytes)) {
    if (png.emptyChunks) file += pngChunk("IDAT", "");
    file += pngChunk("IDAT", stream.substr(at, std::size_t(png.idatBytes)));
  }
  file += pngChunk("IEND", "");
  const auto* first = reinterpret_cast<const std::byte*>(file.data());
  return {first, first + file.size()};
}

std::size_t chunkAt(const std::vector<std::byte>& png, std::string_view type, int n) {
  for (std::size_t at = 8; at + 8 <= png.size();) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i)
      length = length << 8U | std::to_integer<std::size_t>(png[at + i]);
    if (std::memcmp(&png[at + 4], type.data(), 4) == 0 && n-- == 0) return at;
    at += 12 + length;
  }
  return png.size();
}

}  // namespace millrace::tests
