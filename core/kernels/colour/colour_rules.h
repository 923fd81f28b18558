// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/host_device.h"

namespace millrace {

/// The pixel operations of colour.h, following torchvision/transforms/v2/functional/_color.py.
struct Rgb {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
};

/// Truncates to an integer and clamps to 0 to 255.
MILLRACE_HOST_DEVICE inline std::uint8_t cutToByte(float value) {
  const float low = value > 0.0F ? value : 0.0F;
  return static_cast<std::uint8_t>(static_cast<std::int32_t>(low < 255.0F ? low : 255.0F));
}

MILLRACE_HOST_DEVICE inline std::uint8_t greyOf(Rgb pixel) {
  return cutToByte(static_cast<float>(pixel.r) * 0.2989F + static_cast<float>(pixel.g) * 0.587F +
                   static_cast<float>(pixel.b) * 0.114F);
}

/// value * ratio + other, where `other` is the contribution of the second picture.
MILLRACE_HOST_DEVICE inline std::uint8_t blendByte(std::uint8_t value, float ratio, float other) {
  return cutToByte(static_cast<float>(value) * ratio + other);
}

/// a * b + c, rounded once: the product of two floats is exact in f64.
MILLRACE_HOST_DEVICE inline float fusedSum(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return fmaf(a, b, c);
#else
  return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) +
                            static_cast<double>(c));
#endif
}

/// value * ratio + grey * rest, with torch's fused sum.
MILLRACE_HOST_DEVICE inline std::uint8_t saturateByte(std::uint8_t value, float ratio,
                                                      std::uint8_t grey, float rest) {
  return cutToByte(fusedSum(static_cast<float>(grey), rest, static_cast<float>(value) * ratio));
}

MILLRACE_HOST_DEVICE inline float clampUnit(float value) {
  const float low = value > 0.0F ? value : 0.0F;
  return low < 1.0F ? low : 1.0F;
}

/// Hue in turns, [0, 1), of a pixel with channels from 0 to 1, given its largest and smallest
/// channel.
MILLRACE_HOST_DEVICE inline float hueOf(float r, float g, float b, float most, float least) {
  const float range = most == least ? 1.0F : most - least;
  const float fromR = (most - r) / range;
  const float fromG = (most - g) / range;
  const float fromB = (most - b) / range;
  const float sixths = most == r   ? fromB - fromG
                       : most == g ? fromR + 2.0F - fromB
                                   : fromG + 4.0F - fromR;
  const float turns = sixths * (1.0F / 6.0F) + 1.0F;
  return turns >= 1.0F ? turns - 1.0F : turns;
}

/// Shifts the hue by `turns`, from -1 to 1.
MILLRACE_HOST_DEVICE inline Rgb turnHue(Rgb pixel, float turns) {
  const float r = static_cast<float>(pixel.r) / 255.0F;
  const float g = static_cast<float>(pixel.g) / 255.0F;
  const float b = static_cast<float>(pixel.b) / 255.0F;
  const float rg = r > g ? r : g;
  const float v = rg > b ? rg : b;
  const float lowRg = r < g ? r : g;
  const float least = lowRg < b ? lowRg : b;
  const float s = (v - least) / (v == least ? 1.0F : v);
  float h = hueOf(r, g, b, v, least) + turns;
  h = h < 0.0F ? h + 1.0F : h;
  h = h >= 1.0F ? h - 1.0F : h;

  const float sixths = h * 6.0F;
  const auto sector = static_cast<std::int32_t>(sixths);
  const float f = sixths - static_cast<float>(sector);
  const float p = clampUnit((1.0F - s) * v);
  const float q = clampUnit((1.0F - s * f) * v);
  const float t = clampUnit((s * f + (1.0F - s)) * v);
  // A hue that rounds to a whole turn is in sector 6, which equals sector 0.
  const std::int32_t i = sector == 6 ? 0 : sector;
  const float red = i == 0 || i == 5 ? v : i == 1 ? q : i == 4 ? t : p;
  const float green = i == 1 || i == 2 ? v : i == 0 ? t : i == 3 ? q : p;
  const float blue = i == 3 || i == 4 ? v : i == 2 ? t : i == 5 ? q : p;
  constexpr float kScale = 255.999F;
  return {cutToByte(red * kScale), cutToByte(green * kScale), cutToByte(blue * kScale)};
}

}  // namespace millrace
