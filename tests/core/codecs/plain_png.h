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

/// A PNG written byte by byte after the specification (ISO 15948), so that a test says every sample
/// itself: packed scanlines, in stored (uncompressed) deflate blocks.
struct PlainPng {
  int width = 1;
  int height = 1;
  int bitDepth = 8;
  int colourType = 0;  ///< 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA.
  bool interlaced = false;
  /// The scanlines as they stand in the file without their filter bytes; of an interlaced file
  /// those of its seven passes in turn.
  std::vector<std::vector<std::uint8_t>> rows{};
  std::vector<std::array<std::uint8_t, 3>> palette{};
  std::vector<std::uint8_t> transparency{};  ///< tRNS
  std::vector<std::uint8_t> exif{};          ///< eXIf
  int idatBytes = 100000;                    ///< A new IDAT chunk each so many bytes.
  std::vector<std::uint8_t> filters{};       ///< Of each scanline, whose bytes are filtered so.
  bool emptyChunks = false;                  ///< An IDAT chunk of no bytes before each.
  std::vector<std::uint8_t> behindRows{};    ///< More unpacked bytes than the picture has.
  std::uint32_t sumFlip = 0;                 ///< Bits of the Adler-32 to be wrong.
  /// Other chunks, between IHDR and the palette.
  std::vector<std::pair<std::string, std::string>> chunks{};
};
std::vector<std::byte> writePlainPng(const PlainPng& png);

/// The offset of the n-th chunk of a type (its length field), or the file's size.
std::size_t chunkAt(const std::vector<std::byte>& png, std::string_view type, int n = 0);

}  // namespace millrace::tests
