// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/pixel_rows.h"

namespace millrace {
namespace {

/// Rounded; exact up to 255 x 255.
std::uint8_t dividedBy255(unsigned product) {
  product += 128;
  return static_cast<std::uint8_t>(((product >> 8U) + product) >> 8U);
}

}  // namespace

void rgbToGrey(const std::uint8_t* rgb, std::uint8_t* grey, int width) {
  for (int x = 0; x < width; ++x, rgb += 3)
    grey[x] = static_cast<std::uint8_t>(
        (rgb[0] * 19595U + rgb[1] * 38470U + rgb[2] * 7471U + 0x8000U) >> 16U);
}

void invertedCmykToRgb(const std::uint8_t* cmyk, std::uint8_t* rgb, int width) {
  for (int x = 0; x < width; ++x, cmyk += 4, rgb += 3) {
    const unsigned notBlack = cmyk[3];
    for (int c = 0; c < 3; ++c)
      rgb[c] = static_cast<std::uint8_t>(notBlack - dividedBy255((255U - cmyk[c]) * notBlack));
  }
}

void rgbaOnto(const std::uint8_t* rgba, const std::array<std::uint8_t, 3>& background,
              std::uint8_t* rgb, int width) {
  for (int x = 0; x < width; ++x, rgba += 4, rgb += 3)
    for (std::size_t c = 0; c < 3; ++c)
      rgb[c] = dividedBy255(rgba[c] * unsigned{rgba[3]} + background[c] * (255U - rgba[3]));
}

std::uint8_t narrowed(std::uint16_t value) {
  return static_cast<std::uint8_t>((value * 255U + 32767U) / 65535U);
}

void unpackBits(const std::uint8_t* packed, int bitDepth, std::uint8_t* samples, int width) {
  const unsigned mask = (1U << static_cast<unsigned>(bitDepth)) - 1U;
  const int perByte = 8 / bitDepth;
  for (int x = 0; x < width; ++x) {
    const auto shift = static_cast<unsigned>(8 - bitDepth * (x % perByte + 1));
    samples[x] = static_cast<std::uint8_t>(packed[x / perByte] >> shift & mask);
  }
}

}  // namespace millrace
