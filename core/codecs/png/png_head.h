// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/codecs/decode_route.h"
#include "core/data/buffer.h"

namespace millrace::png {

/// The colour types of ISO 15948, section 11.2.2.
enum class ColourType : std::uint8_t { Grey = 0, Rgb = 2, Palette = 3, GreyAlpha = 4, Rgba = 6 };

/// The chunks before the picture data.
struct Head {
  int width = 0;
  int height = 0;
  int bitDepth = 8;
  ColourType colour = ColourType::Grey;
  std::array<std::array<std::uint8_t, 3>, 256> palette{};  ///< black after its last entry
  std::size_t firstData = 0;                               ///< offset of the length of the first
                                                           ///< IDAT chunk
  /// There are chunks other than those whose content is irrelevant (eXIf, profiles, long or
  /// compressed text, unknown ones). The library must then read the header too, to check them and
  /// to get the orientation. That takes about a microsecond.
  bool hasMore = false;
  bool hasTransparency = false;  ///< a chunk tRNS

  int channels() const;
  std::size_t bitsPerPixel() const {
    return static_cast<std::size_t>(channels()) * static_cast<std::size_t>(bitDepth);
  }
  /// Bytes of `pixels` pixels of a row, without the filter byte.
  std::size_t bytesOf(int pixels) const {
    return (static_cast<std::size_t>(pixels) * bitsPerPixel() + 7) / 8;
  }
  /// The distance in bytes to the left neighbour that filters use.
  std::size_t filterPixelBytes() const { return (bitsPerPixel() + 7) / 8; }
};

/// Reads the chunks from the signature up to the first IDAT. All lengths are checked against the
/// end of the file, and all CRCs unless `hasMore` is set. Returns DecodeRoute::OwnPng for a file
/// with up to 8 bits per sample, without interlace, and with nothing unusual in its header;
/// otherwise the reason.
DecodeRoute readHead(std::span<const std::byte> file, Head& head);

/// A chunk in a file.
struct Chunk {
  std::uint32_t type = 0;  ///< its four letters, the first one in the highest byte
  std::span<const std::byte> data{};
  std::size_t end = 0;  ///< the offset after its data, where its CRC is
};
constexpr std::uint32_t chunkType(const char (&letters)[5]) {
  std::uint32_t type = 0;
  for (int i = 0; i < 4; ++i) type = type << 8U | static_cast<std::uint8_t>(letters[i]);
  return type;
}
/// The number of 32 bits at this offset, which must be there.
std::uint32_t numberAt(std::span<const std::byte> bytes, std::size_t at);
/// The chunk whose length is at `at`. False if its header or data extend beyond the file.
bool chunkAt(std::span<const std::byte> file, std::size_t at, Chunk& chunk);
/// The file with its last chunk of data closed where the file ends, in `buffer`, for readers that
/// take a chunk whole; its CRC is 0. Empty if no chunk of data ends early.
std::span<const std::byte> closedData(std::span<const std::byte> file, Buffer& buffer);
/// Whether the CRC after the chunk exists and is correct (CRC-32 of ISO 3309, computed by ISA-L).
bool hasRightSum(std::span<const std::byte> file, const Chunk& chunk);

}  // namespace millrace::png
