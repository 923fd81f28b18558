// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/pass/axis_rules.h"
#include "core/kernels/word_rules.h"

namespace millrace {

/// The resampling rules of the device's pixel pass: the sums of pixel_rows.h in a different order.
/// They are exact, so the bytes are equal.

/// Weights of four neighbouring inputs, one byte of each per word: the low, middle and (signed)
/// high parts.
struct alignas(16) TapQuad {
  std::uint32_t low = 0;
  std::uint32_t middle = 0;
  std::uint32_t high = 0;
  std::uint32_t unused = 0;

  MILLRACE_HOST_DEVICE void set(int place, std::int32_t fixed) {
    const auto bits = static_cast<std::uint32_t>(fixed);
    const auto shift = static_cast<std::uint32_t>(8 * place);
    low |= (bits & 0xffU) << shift;
    middle |= (bits >> 8U & 0xffU) << shift;
    high |= (bits >> 16U & 0xffU) << shift;
  }
};

MILLRACE_HOST_DEVICE inline std::int32_t quadsFor(std::int32_t taps) { return (taps + 3) / 4; }

/// A sum of bytes times weights, as three separate parts. They are combined modulo 2^32, which
/// holds the total. Use one-dimensional arrays only: in an array of arrays nvcc 13.0 initialises
/// only the members of the first row and leaves 0 in the others.
struct TapSum {
  std::uint32_t low = kHalfWeight;
  std::uint32_t middle = 0;
  std::uint32_t high = 0;

  MILLRACE_HOST_DEVICE void add(std::uint32_t bytes, const TapQuad& quad) {
    low = addProducts(bytes, quad.low, low);
    middle = addProducts(bytes, quad.middle, middle);
    high = addSignedProducts(bytes, quad.high, high);
  }
  MILLRACE_HOST_DEVICE std::uint32_t byte() const {
    return byteOfSum(static_cast<std::int32_t>(low + (middle << 8U) + (high << 16U)));
  }
};

template <int kChannels>
MILLRACE_HOST_DEVICE inline std::uint32_t pixelOf(const TapSum (&sums)[kChannels]) {
  std::uint32_t pixel = 0;
  MILLRACE_UNROLL
  for (int c = 0; c < kChannels; ++c) pixel |= sums[c].byte() << static_cast<std::uint32_t>(8 * c);
  return pixel;
}

/// The sums of one pixel of the row pass. `at` is the pixel of the first tap, `end` the end of the
/// picture's memory. `kInside`: all quads are far enough before `end` (liesInside()).
template <int kChannels, bool kInside = false>
MILLRACE_HOST_DEVICE inline void sumAcross(const std::uint8_t* at, const std::uint8_t* end,
                                           const TapQuad* quads, int count,
                                           TapSum (&sums)[kChannels]) {
  for (int q = 0; q < count; ++q, at += 4 * kChannels) {
    std::uint32_t words[kChannels];
    if constexpr (kInside)
      loadWordsInside<kChannels>(at, words);
    else
      loadWords<kChannels>(at, end, words);
    const TapQuad quad = quads[q];
    MILLRACE_UNROLL
    for (int c = 0; c < kChannels; ++c) sums[c].add(fourOfChannel<kChannels>(words, c), quad);
  }
}

/// The pixel that these sums give.
template <int kChannels>
MILLRACE_HOST_DEVICE inline std::uint32_t resampledAcross(const std::uint8_t* at,
                                                          const std::uint8_t* end,
                                                          const TapQuad* quads, int count) {
  TapSum sums[kChannels];
  sumAcross<kChannels>(at, end, quads, count, sums);
  return pixelOf<kChannels>(sums);
}

/// Sets byte i of a word to `byte` (below 256); the higher bytes become 0.
MILLRACE_HOST_DEVICE inline std::uint32_t withByte(std::uint32_t word, std::uint32_t byte, int i) {
  if (i == 0) return byte;
  return permuteBytes(word, byte, i == 1 ? 0x5540U : i == 2 ? 0x5410U : 0x4210U);
}

/// Adds four vertically neighbouring pixels.
template <int kChannels>
MILLRACE_HOST_DEVICE inline void addDown(const std::uint32_t (&pixels)[4], const TapQuad& quad,
                                         TapSum (&sums)[kChannels]) {
  MILLRACE_UNROLL
  for (int c = 0; c < kChannels; ++c) sums[c].add(fourOfChannel<4>(pixels, c), quad);
}

}  // namespace millrace
