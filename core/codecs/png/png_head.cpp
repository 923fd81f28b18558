// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/png/png_head.h"

#include <isa-l/crc.h>

#include <algorithm>

#include "core/codecs/file_bytes.h"

namespace millrace::png {
namespace {

constexpr std::size_t kSignatureBytes = 8;
constexpr std::size_t kHeadBytes = 13;
/// Files with more or longer chunks are left to the library, which has its own limits.
constexpr int kMostChunks = 100;
constexpr std::size_t kMostBytes = 4096;

/// Chunks that the library reads, checks and ignores if they are wrong; the pixels do not depend on
/// them.
bool isIdle(const Chunk& chunk) {
  constexpr std::uint32_t kIdle[] = {chunkType("gAMA"), chunkType("cHRM"), chunkType("sRGB"),
                                     chunkType("sBIT"), chunkType("pHYs"), chunkType("tIME"),
                                     chunkType("bKGD"), chunkType("tRNS"), chunkType("tEXt")};
  return chunk.data.size() <= kMostBytes &&
         std::find(std::begin(kIdle), std::end(kIdle), chunk.type) != std::end(kIdle);
}

/// These must not precede a palette.
bool needsPalette(std::uint32_t type) {
  return type == chunkType("bKGD") || type == chunkType("tRNS");
}

DecodeRoute readImageHead(std::span<const std::byte> data, Head& head) {
  const std::uint32_t width = numberAt(data, 0);
  const std::uint32_t height = numberAt(data, 4);
  const auto byte = [&data](std::size_t i) { return std::to_integer<int>(data[i]); };
  if (width == 0 || height == 0 || width > INT32_MAX || height > INT32_MAX)
    return DecodeRoute::HeadPng;
  if (byte(10) != 0 || byte(11) != 0 || byte(12) > 1) return DecodeRoute::HeadPng;
  head.width = static_cast<int>(width);
  head.height = static_cast<int>(height);
  head.bitDepth = byte(8);
  head.colour = static_cast<ColourType>(byte(9));
  if (head.channels() == 0) return DecodeRoute::HeadPng;
  if (head.bitDepth == 16) return DecodeRoute::DeepPng;
  const bool hasFew = head.colour == ColourType::Grey || head.colour == ColourType::Palette;
  const bool isFew = head.bitDepth == 1 || head.bitDepth == 2 || head.bitDepth == 4;
  if (head.bitDepth != 8 && !(hasFew && isFew)) return DecodeRoute::HeadPng;
  return byte(12) == 1 ? DecodeRoute::InterlacedPng : DecodeRoute::OwnPng;
}

bool readPalette(std::span<const std::byte> data, Head& head) {
  const std::size_t colours = data.size() / 3;
  if (data.size() % 3 != 0 || colours == 0 || head.colour != ColourType::Palette ||
      colours > std::size_t{1} << static_cast<unsigned>(head.bitDepth))
    return false;
  for (std::size_t i = 0; i < data.size(); ++i)
    head.palette[i / 3][i % 3] = std::to_integer<std::uint8_t>(data[i]);
  return true;
}

/// Reads from the end of IHDR to the first IDAT.
DecodeRoute readChunks(std::span<const std::byte> file, std::size_t at, Head& head) {
  bool hasPalette = false;
  bool paletteIsLate = false;
  for (int count = 0;; ++count) {
    Chunk chunk;
    if (!chunkAt(file, at, chunk)) return DecodeRoute::HeadPng;
    if (chunk.type == chunkType("IDAT")) break;
    if (!hasRightSum(file, chunk)) return DecodeRoute::HeadPng;
    if (chunk.type == chunkType("PLTE")) {
      if (hasPalette || paletteIsLate || !readPalette(chunk.data, head))
        return DecodeRoute::HeadPng;
      hasPalette = true;
    } else if (!isIdle(chunk) || count >= kMostChunks) {
      head.hasMore = true;
    }
    paletteIsLate = paletteIsLate || needsPalette(chunk.type);
    head.hasTransparency = head.hasTransparency || chunk.type == chunkType("tRNS");
    at = chunk.end + 4;
  }
  head.firstData = at;
  return head.colour == ColourType::Palette && !hasPalette ? DecodeRoute::HeadPng
                                                           : DecodeRoute::OwnPng;
}

}  // namespace

int Head::channels() const {
  switch (colour) {
    case ColourType::Grey:
    case ColourType::Palette: return 1;
    case ColourType::GreyAlpha: return 2;
    case ColourType::Rgb: return 3;
    case ColourType::Rgba: return 4;
  }
  return 0;
}

std::uint32_t numberAt(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8U | std::to_integer<std::uint32_t>(bytes[at + i]);
  return value;
}

bool chunkAt(std::span<const std::byte> file, std::size_t at, Chunk& chunk) {
  if (at > file.size() || file.size() - at < 8) return false;
  const std::size_t length = numberAt(file, at);
  if (length > file.size() - at - 8) return false;
  chunk.type = numberAt(file, at + 4);
  chunk.data = file.subspan(at + 8, length);
  chunk.end = at + 8 + length;
  return true;
}

std::span<const std::byte> closedData(std::span<const std::byte> file, Buffer& buffer) {
  constexpr std::size_t kFirst = 8;
  constexpr std::size_t kHead = 8;
  constexpr std::size_t kSum = 4;
  Chunk chunk;
  std::size_t at = kFirst;
  while (chunkAt(file, at, chunk)) at = chunk.end + kSum;
  if (at + kHead >= file.size() || !isAt(file, at + 4, "IDAT")) return {};
  std::byte* const bytes = buffer.reserve(file.size() + kSum);
  std::ranges::copy(file, bytes);
  const std::size_t size = file.size() - at - kHead;
  for (std::size_t i = 0; i < 4; ++i)
    bytes[at + i] = static_cast<std::byte>(size >> (24 - 8 * i) & 0xFFU);
  std::fill_n(bytes + file.size(), kSum, std::byte{0});
  return {bytes, file.size() + kSum};
}

bool hasRightSum(std::span<const std::byte> file, const Chunk& chunk) {
  if (file.size() - chunk.end < 4) return false;
  const auto* type = reinterpret_cast<const std::uint8_t*>(chunk.data.data()) - 4;
  return crc32_gzip_refl(0, type, chunk.data.size() + 4) == numberAt(file, chunk.end);
}

DecodeRoute readHead(std::span<const std::byte> file, Head& head) {
  head = {};
  Chunk chunk;
  if (!chunkAt(file, kSignatureBytes, chunk) || chunk.type != chunkType("IHDR") ||
      chunk.data.size() != kHeadBytes || !hasRightSum(file, chunk))
    return DecodeRoute::HeadPng;
  const DecodeRoute route = readImageHead(chunk.data, head);
  return route == DecodeRoute::OwnPng ? readChunks(file, chunk.end + 4, head) : route;
}

}  // namespace millrace::png
