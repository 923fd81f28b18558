// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace millrace::tests {

/// A PNG written byte by byte according to the specification (ISO 15948), so that a test controls
/// every sample: packed scanlines in stored (uncompressed) deflate blocks.
struct PlainPng {
  int width = 1;
  int height = 1;
  int bitDepth = 8;
  int colourType = 0;  ///< 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA.
  bool interlaced = false;
  /// The scanlines as stored, without their filter bytes; for an interlaced file those of its seven
  /// passes in order.
  std::vector<std::vector<std::uint8_t>> rows{};
  std::vector<std::array<std::uint8_t, 3>> palette{};
  std::vector<std::uint8_t> transparency{};  ///< tRNS
  std::vector<std::uint8_t> exif{};          ///< eXIf
  int idatBytes = 100000;                    ///< A new IDAT chunk after this many bytes.
  std::vector<std::uint8_t> filters{};       ///< One per scanline; the bytes are filtered
                                             ///< accordingly.
  bool emptyChunks = false;                  ///< An empty IDAT chunk before each one.
  std::vector<std::uint8_t> behindRows{};    ///< More uncompressed bytes than the picture has.
  std::uint32_t sumFlip = 0;                 ///< Bits of the Adler-32 to flip.
  /// Other chunks, between IHDR and the palette.
  std::vector<std::pair<std::string, std::string>> chunks{};
};
std::vector<std::byte> writePlainPng(const PlainPng& png);

/// A chunk with its length and sum; numbers of 32 bits as PNG has them.
std::string pngChunk(const std::string& type, const std::string& data);
std::string pngNumber(std::uint32_t value);

/// The offset of the n-th chunk of a type (its length field), or the file's size.
std::size_t chunkAt(const std::vector<std::byte>& png, std::string_view type, int n = 0);

}  // namespace millrace::tests
