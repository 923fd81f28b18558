// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/kernels/affine.h"
#include "core/kernels/host_device.h"

namespace millrace {

/// warpAffine() for one pixel, shared by CPU and device. Coordinates have 32 fractional bits,
/// weights 11 bits.
inline constexpr int kPlaceBits = 32;
inline constexpr int kMixBits = 11;
inline constexpr std::int32_t kMixOne = 1 << kMixBits;

MILLRACE_HOST_DEVICE inline std::int64_t fixedPlace(double value) {
  return llround(value * static_cast<double>(std::int64_t{1} << kPlaceBits));
}

/// The input coordinates of the first pixel of a result row, and the step to the next pixel.
struct AffineWalk {
  std::int64_t x;
  std::int64_t y;
  std::int64_t stepX;
  std::int64_t stepY;
};

MILLRACE_HOST_DEVICE inline AffineWalk walkOf(const AffineMap& map, bool nearest, int row) {
  // Bilinear interpolates between pixel centres, which are half a pixel inside.
  const double shift = nearest ? 0.0 : 0.5;
  const double y = row + 0.5;
  return {fixedPlace(map.xx * 0.5 + map.xy * y + map.x0 - shift),
          fixedPlace(map.yx * 0.5 + map.yy * y + map.y0 - shift), fixedPlace(map.xx),
          fixedPlace(map.yx)};
}

/// Returns the input pixel at (x, y), applying the border rule.
struct AffineReader {
  const std::uint8_t* data;
  std::int32_t width;
  std::int32_t height;
  std::int32_t channels;
  std::int64_t stride;
  Border border;
  const std::uint8_t* fill;

  MILLRACE_HOST_DEVICE const std::uint8_t* at(std::int64_t x, std::int64_t y) const {
    const std::int64_t column = borderIndex(x, width, border);
    const std::int64_t row = borderIndex(y, height, border);
    if (column < 0 || row < 0) return fill;
    return data + row * stride + column * channels;
  }
};

template <int kChannels>
MILLRACE_HOST_DEVICE inline void warpNearest(const AffineReader& reader, std::int64_t x,
                                             std::int64_t y, std::uint8_t* out) {
  const std::uint8_t* pixel = reader.at(x >> kPlaceBits, y >> kPlaceBits);
  MILLRACE_UNROLL
  for (int c = 0; c < kChannels; ++c) out[c] = pixel[c];
}

template <int kChannels>
MILLRACE_HOST_DEVICE inline void warpBilinear(const AffineReader& reader, std::int64_t x,
                                              std::int64_t y, std::uint8_t* out) {
  const std::int64_t column = x >> kPlaceBits;
  const std::int64_t row = y >> kPlaceBits;
  const std::uint8_t* a;
  const std::uint8_t* b;
  const std::uint8_t* c;
  const std::uint8_t* d;
  if (column >= 0 && row >= 0 && column + 1 < reader.width && row + 1 < reader.height) {
    a = reader.data + row * reader.stride + column * reader.channels;
    b = a + reader.channels;
    c = a + reader.stride;
    d = c + reader.channels;
  } else {
    a = reader.at(column, row);
    b = reader.at(column + 1, row);
    c = reader.at(column, row + 1);
    d = reader.at(column + 1, row + 1);
  }
  constexpr int kDrop = kPlaceBits - kMixBits;
  const auto right = static_cast<std::int32_t>((x & 0xffffffff) >> kDrop);
  const auto down = static_cast<std::int32_t>((y & 0xffffffff) >> kDrop);
  MILLRACE_UNROLL
  for (int i = 0; i < kChannels; ++i) {
    std::int32_t sum = 1 << (2 * kMixBits - 1);
    sum += a[i] * ((kMixOne - right) * (kMixOne - down));
    sum += b[i] * (right * (kMixOne - down));
    sum += c[i] * ((kMixOne - right) * down);
    sum += d[i] * (right * down);
    out[i] = static_cast<std::uint8_t>(sum >> (2 * kMixBits));
  }
}

}  // namespace millrace
