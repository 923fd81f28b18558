// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/codecs/decode_route.h"

namespace millrace::jpeg {

/// One component of the frame, and the tables of its blocks.
struct Component {
  int horizontal = 1;  ///< sampling factors; both 1 if there is a single component
  int vertical = 1;
  std::size_t quantTable = 0;
  std::size_t dcTable = 0;
  std::size_t acTable = 0;
};

/// A Huffman table as stored in the file (ITU-T T.81, B.2.4.2): the number of codes of each length
/// 1 to 16, and their symbols, shortest code first.
struct HuffmanSpec {
  bool present = false;
  std::array<std::uint8_t, 17> counts{};
  std::array<std::uint8_t, 256> symbols{};
  bool operator==(const HuffmanSpec&) const = default;
};

/// The content of the markers up to the first scan. Plain values of a few kilobytes; borrows
/// nothing.
struct Head {
  int width = 0;
  int height = 0;
  int components = 0;  ///< 1 (grey) or 3 (YCbCr)
  std::array<Component, 3> component;
  int maxHorizontal = 1;
  int maxVertical = 1;
  int restartInterval = 0;  ///< in MCUs; 0: none
  /// In natural order, row by row.
  std::array<std::array<std::uint16_t, 64>, 4> quant{};
  std::array<HuffmanSpec, 4> dc;
  std::array<HuffmanSpec, 4> ac;
  std::size_t scanStart = 0;  ///< byte offset of the entropy-coded data
};

/// Reads the header of `file`. Returns DecodeRoute::Own if the built-in decoder supports it:
/// sequential Huffman coding (SOF0, SOF1) of 8 bits; one component, or three that are YCbCr by the
/// library's rules (JFIF, or Adobe transform 1, or ids 1, 2, 3); chroma factors 1 x 1 with luma
/// factors 1 x 1, 2 x 1, 2 x 2, 1 x 2 or 4 x 1; all components in one scan, in order; 8-bit
/// quantisation tables; all tables present. Otherwise returns the reason, and `head` holds what was
/// read so far. Reads each byte at most once and does not allocate.
DecodeRoute readHead(std::span<const std::byte> file, Head& head);

/// The position of the k-th coefficient of a scan in a block of 8 x 8, row by row (T.81, figure 5).
inline constexpr std::array<std::uint8_t, 64> kNaturalOrder{
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

}  // namespace millrace::jpeg
