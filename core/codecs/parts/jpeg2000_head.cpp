// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/parts/jpeg2000_head.h"

#include <string_view>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/file_bytes.h"

namespace millrace {
namespace {

/// A packet of one empty byte may stand for a whole tile; DecodeLimits::pixels protects.
constexpr std::int64_t kJpeg2000PixelsPerByte = std::int64_t{1} << 28U;
/// Markers SOT and SOD of a tile without data.
constexpr std::uint64_t kLeastTileBytes = 14;
/// OpenJPEG keeps about a kilobyte for each.
constexpr std::uint64_t kMostTileChannels = 1U << 17U;
constexpr std::string_view kBareStart = "\xff\x4f\xff\x51";

std::uint64_t bigEndian(std::span<const std::byte> bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i)
    value = value << 8U | std::to_integer<std::uint64_t>(bytes[at + i]);
  return value;
}

/// The content of the first box with this name; empty if there is none. A box that goes on after
/// the end is cut.
std::span<const std::byte> boxIn(std::span<const std::byte> boxes, std::string_view name) {
  for (std::size_t at = 0; at + 8 <= boxes.size();) {
    std::uint64_t bytes = bigEndian(boxes, at, 4);
    std::size_t head = 8;
    if (bytes == 1 && at + 16 <= boxes.size()) {
      bytes = bigEndian(boxes, at + 8, 8);
      head = 16;
    }
    const std::uint64_t left = boxes.size() - at;
    if (bytes == 0) bytes = left;  // To the end of the file.
    const bool isWhole = bytes >= head && bytes <= left;
    if (isAt(boxes, at + 4, name) && left >= head)
      return boxes.subspan(at + head, static_cast<std::size_t>(isWhole ? bytes : left) - head);
    if (!isWhole) break;
    at += static_cast<std::size_t>(bytes);
  }
  return {};
}

}  // namespace

Status Jpeg2000Head::readSizes(std::span<const std::byte> stream) {
  const auto word = [&](std::size_t at) { return bigEndian(stream, at, 4); };
  const std::uint64_t right = word(8);
  const std::uint64_t bottom = word(12);
  left = static_cast<std::uint32_t>(word(16));
  top = static_cast<std::uint32_t>(word(20));
  const std::uint64_t tileWidth = word(24);
  const std::uint64_t tileHeight = word(28);
  const std::uint64_t tileLeft = word(32);
  const std::uint64_t tileTop = word(36);
  channels = static_cast<int>(bigEndian(stream, 40, 2));
  constexpr std::uint64_t kLargestSide = 1U << 28U;
  if (right <= left || bottom <= top || right - left > kLargestSide ||
      bottom - top > kLargestSide || right > INT32_MAX || bottom > INT32_MAX || tileWidth == 0 ||
      tileHeight == 0 || tileLeft > left || tileTop > top || channels == 0)
    return Error{"damaged JPEG 2000: its sizes contradict each other"};
  size = {static_cast<int>(right - left), static_cast<int>(bottom - top)};
  tiles = ((right - tileLeft + tileWidth - 1) / tileWidth) *
          ((bottom - tileTop + tileHeight - 1) / tileHeight);
  return {};
}

/// What a JP2 file says about its colours: the first box `colr` counts (ISO 15444-1, I.5.3.3).
/// OpenJPEG knows it only after decoding.
void Jpeg2000Head::readColours(std::span<const std::byte> file) {
  constexpr std::size_t kBegin = 3;
  constexpr std::uint64_t kCmyk = 12;
  constexpr std::size_t kColourSpace = 16;  // In a profile's head (ICC.1, 7.2).
  const std::span<const std::byte> colours = boxIn(boxIn(file, "jp2h"), "colr");
  if (colours.size() < kBegin + 4) return;
  if (colours[0] == std::byte{2}) profile = colours.subspan(kBegin);
  isCmyk = colours[0] == std::byte{1} ? bigEndian(colours, kBegin, 4) == kCmyk
                                      : isAt(profile, kColourSpace, "CMYK");
}

Status Jpeg2000Head::read(std::span<const std::byte> file, const DecodeLimits& limits) {
  *this = {};
  isBare = isAt(file, 0, kBareStart);
  const std::span<const std::byte> stream = isBare ? file : boxIn(file, "jp2c");
  if (!isBare) readColours(file);
  constexpr std::size_t kBytes = 42;
  if (stream.size() < kBytes) return truncatedAfter(file.size());
  if (!isAt(stream, 0, kBareStart)) return Error{"damaged JPEG 2000: its codestream has no sizes"};
  MILLRACE_TRY(readSizes(stream));
  MILLRACE_TRY(checkPlausible(size, file.size(), limits, kJpeg2000PixelsPerByte));
  if (tiles > 1 && tiles > file.size() / kLeastTileBytes)
    return Error{fmt::format("declares {} tiles, which {} bytes cannot hold", grouped(tiles),
                             grouped(file.size()))};
  const auto each = static_cast<std::uint64_t>(channels);
  // All channels are decoded, as whole numbers of four bytes.
  const double samples = static_cast<double>(size.width) * size.height * channels;
  if (tiles * each > kMostTileChannels || samples > 4.0 * static_cast<double>(limits.pixels))
    return Error{
        fmt::format("declares {} channels of {} x {} pixels in {} tiles, which is more than "
                    "Millrace decodes",
                    channels, size.width, size.height, grouped(tiles))};
  return {};
}

}  // namespace millrace
