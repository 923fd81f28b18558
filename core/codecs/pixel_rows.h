// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace millrace {

/// Conversions of one row of `width` pixels. Input and output may be the same memory if the output
/// is not wider.

/// Luma of ITU-R 601 in Pillow's 16 bit fixed point: (19595 r + 38470 g + 7471 b + 32768) >> 16.
void rgbToGrey(const std::uint8_t* rgb, std::uint8_t* grey, int width);

/// Converts Adobe's inverted CMYK, which every CMYK JPEG uses in practice, to RGB by Pillow's rule.
void invertedCmykToRgb(const std::uint8_t* cmyk, std::uint8_t* rgb, int width);

/// Pixels of colour and alpha over an opaque colour, to the nearest value.
void rgbaOnto(const std::uint8_t* rgba, const std::array<std::uint8_t, 3>& background,
              std::uint8_t* rgb, int width);

/// Converts 16-bit samples to 8 bits: (255 v + 32767) / 65535, the nearest value. Pillow takes the
/// high byte, which is up to 1 less.
std::uint8_t narrowed(std::uint16_t value);

/// Unpacks samples of 1, 2 or 4 bits, highest bits first, to one byte each.
void unpackBits(const std::uint8_t* packed, int bitDepth, std::uint8_t* samples, int width);

}  // namespace millrace
