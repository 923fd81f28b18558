// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/codecs/decode_route.h"

namespace millrace::png {

/// The colour types of ISO 15948, section 11.2.2.
enum class ColourType : std::uint8_t { Grey = 0, Rgb = 2, Palette = 3, GreyAlpha = 4, Rgba = 6 };

/// What stands in front of the picture data.
struct Head {
  int width = 0;
  int height = 0;
  int bitDepth = 8;
  ColourType colour = ColourType::Grey;
  std::array<std::array<std::uint8_t, 3>, 256> palette{};  ///< black behind its last entry
  std::size_t firstData = 0;                               ///< of the first IDAT chunk's length
  /// There are chunks beside those whose content cannot matter (eXIf, profiles, long or packed
  /// text, unknown ones): the library has to read the head too, for their check and their
  /// orientation. It costs about a microsecond.
  bool hasMore = false;

  int channels() const;
  std::size_t bitsPerPixel() const {
    return static_cast<std::size_t>(channels()) * static_cast<std::size_t>(bitDepth);
  }
  /// Of `pixels` pixels of a row, without the filter's byte.
  std::size_t bytesOf(int pixels) const {
    return (static_cast<std::size_t>(pixels) * bitsPerPixel() + 7) / 8;
  }
  /// By how many bytes the filters look to the left.
  std::size_t filterPixelBytes() const { return (bitsPerPixel() + 7) / 8; }
};

/// Walks the chunks from the signature up to the first IDAT; every length is held against the end
/// of the file, every check sum is checked unless the head `hasMore`. DecodeRoute::OwnPng for a
/// file of up to 8 bits a sample without interlace, with nothing odd in its head; else why not.
DecodeRoute readHead(std::span<const std::byte> file, Head& head);

/// A chunk's place in a file.
struct Chunk {
  std::uint32_t type = 0;  ///< its four letters, the first one highest
  std::span<const std::byte> data{};
  std::size_t end = 0;  ///< of its data, where its check sum stands
};
constexpr std::uint32_t chunkType(const char (&letters)[5]) {
  std::uint32_t type = 0;
  for (int i = 0; i < 4; ++i) type = type << 8U | static_cast<std::uint8_t>(letters[i]);
  return type;
}
/// The chunk whose length stands at `at`. False when its head or its data reach beyond the file.
bool chunkAt(std::span<const std::byte> file, std::size_t at, Chunk& chunk);
/// The check sum behind the chunk is there and right (CRC-32 of ISO 3309, by ISA-L).
bool hasRightSum(std::span<const std::byte> file, const Chunk& chunk);

}  // namespace millrace::png
