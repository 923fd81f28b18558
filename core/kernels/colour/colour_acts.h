// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/kernels/colour/colour_rules.h"
#include "core/kernels/word_rules.h"

namespace millrace {

/// The operations of colour.h as data, which the device's pixel pass applies to each pixel.
enum class ColourKind : std::int32_t {
  Blend,      ///< value * ratio + other for the colour channels
  Contrast,   ///< Blend with other = mean grey of the picture * `other`; the mean is known at
              ///< execution
  Saturate,   ///< value * ratio + grey * other
  TurnHue,    ///< by `ratio` turns
  Shift,      ///< + offsets, clamped
  Greyscale,  ///< every colour channel is set to the grey
  Table,      ///< every colour channel through the byte table with number `table`
  None,       ///< end of the list
};

struct ColourAct {
  ColourKind kind = ColourKind::Blend;
  float ratio = 1;
  float other = 0;
  std::int16_t offsets[4] = {};
  std::int32_t table = 0;
};

struct ColourFactors;
/// Appends the operations that adjustColour() applies for these factors, in its order.
void appendActs(const ColourFactors& factors, std::vector<ColourAct>& acts);

MILLRACE_HOST_DEVICE inline std::uint32_t wordOf(Rgb colour, std::uint32_t rest) {
  return static_cast<std::uint32_t>(colour.r) | static_cast<std::uint32_t>(colour.g) << 8U |
         static_cast<std::uint32_t>(colour.b) << 16U | (rest & 0xff000000U);
}
MILLRACE_HOST_DEVICE inline Rgb colourOf(std::uint32_t pixel) {
  return {byteAt(pixel, 0), byteAt(pixel, 1), byteAt(pixel, 2)};
}

/// The grey of a pixel, which is summed for the mean that Contrast uses.
template <int kChannels>
MILLRACE_HOST_DEVICE inline std::uint32_t greyOfPixel(std::uint32_t pixel) {
  return kChannels >= 3 ? greyOf(colourOf(pixel)) : byteAt(pixel, 0);
}

/// The value of `other` with which Contrast blends.
MILLRACE_HOST_DEVICE inline float contrastAddend(std::uint64_t greySum, int width, int height,
                                                 float rest) {
  return static_cast<float>(static_cast<double>(greySum) / width / height) * rest;
}

MILLRACE_HOST_DEVICE inline std::uint8_t shiftedByte(std::uint8_t value, int offset) {
  const int sum = value + offset;
  return static_cast<std::uint8_t>(sum < 0 ? 0 : sum > 255 ? 255 : sum);
}

template <int kChannels>
MILLRACE_HOST_DEVICE inline std::uint32_t blendPixel(std::uint32_t pixel, float ratio,
                                                     float other) {
  constexpr int kColours = kChannels == 4 ? 3 : kChannels;
  std::uint32_t result = kChannels == 4 ? pixel & 0xff000000U : 0;
  MILLRACE_UNROLL
  for (int c = 0; c < kColours; ++c)
    result |= static_cast<std::uint32_t>(blendByte(byteAt(pixel, c), ratio, other))
              << static_cast<std::uint32_t>(8 * c);
  return result;
}

MILLRACE_HOST_DEVICE inline std::uint32_t saturatePixel(std::uint32_t pixel, float ratio,
                                                        float rest) {
  const Rgb colour = colourOf(pixel);
  const std::uint8_t grey = greyOf(colour);
  return wordOf(
      {saturateByte(colour.r, ratio, grey, rest), saturateByte(colour.g, ratio, grey, rest),
       saturateByte(colour.b, ratio, grey, rest)},
      pixel);
}

template <int kChannels>
MILLRACE_HOST_DEVICE inline std::uint32_t shiftPixel(std::uint32_t pixel,
                                                     const std::int16_t (&offsets)[4]) {
  std::uint32_t result = 0;
  MILLRACE_UNROLL
  for (int c = 0; c < kChannels; ++c)
    result |= static_cast<std::uint32_t>(shiftedByte(byteAt(pixel, c), offsets[c]))
              << static_cast<std::uint32_t>(8 * c);
  return result;
}

template <int kChannels>
MILLRACE_HOST_DEVICE inline std::uint32_t tablePixel(std::uint32_t pixel,
                                                     const std::uint8_t* table) {
  constexpr int kColours = kChannels == 4 ? 3 : kChannels;
  std::uint32_t result = kChannels == 4 ? pixel & 0xff000000U : 0;
  MILLRACE_UNROLL
  for (int c = 0; c < kColours; ++c)
    result |= static_cast<std::uint32_t>(table[byteAt(pixel, c)])
              << static_cast<std::uint32_t>(8 * c);
  return result;
}

/// Applies one operation to one pixel; `tables` are 256 bytes each, `contrast` is the picture's
/// contrastAddend(). With one channel, operations that need colours do nothing.
template <int kChannels>
MILLRACE_HOST_DEVICE inline std::uint32_t coloured(std::uint32_t pixel, const ColourAct& act,
                                                   float contrast, const std::uint8_t* tables) {
  switch (act.kind) {
    case ColourKind::Blend: return blendPixel<kChannels>(pixel, act.ratio, act.other);
    case ColourKind::Contrast: return blendPixel<kChannels>(pixel, act.ratio, contrast);
    case ColourKind::Shift: return shiftPixel<kChannels>(pixel, act.offsets);
    case ColourKind::Table:
      return tablePixel<kChannels>(pixel, tables + std::int64_t{256} * act.table);
    default: break;
  }
  if constexpr (kChannels >= 3) {
    if (act.kind == ColourKind::Saturate) return saturatePixel(pixel, act.ratio, act.other);
    if (act.kind == ColourKind::TurnHue) return wordOf(turnHue(colourOf(pixel), act.ratio), pixel);
    if (act.kind == ColourKind::Greyscale) {
      const std::uint8_t grey = greyOf(colourOf(pixel));
      return wordOf({grey, grey, grey}, pixel);
    }
  }
  return pixel;
}

}  // namespace millrace
