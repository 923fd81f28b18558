// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace {

/// Loops of colour.cpp over contiguous values, compiled for each vector level. Plain C++ without
/// floating point contraction, so the result does not depend on the level.
void blendBytes(std::uint8_t* bytes, std::size_t count, float ratio, float other);

/// The first three channels of a strip of a picture, as separate arrays.
struct ColourStrip {
  static constexpr std::size_t kPixels = 1024;
  std::size_t count = 0;
  alignas(64) std::uint8_t r[kPixels];
  alignas(64) std::uint8_t g[kPixels];
  alignas(64) std::uint8_t b[kPixels];
};

void readStrip(const std::uint8_t* pixels, int channels, std::size_t count, ColourStrip& strip);
void writeStrip(const ColourStrip& strip, int channels, std::uint8_t* pixels);
std::uint64_t sumOfGrey(const ColourStrip& strip);
void toGrey(ColourStrip& strip);
void blendWithGrey(ColourStrip& strip, float ratio, float rest);
void turnHue(ColourStrip& strip, float turns);

}  // namespace millrace
