// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/random.h"

namespace millrace::samples {

enum class Texture : std::uint8_t {
  Cloud,    ///< 1/f noise, like skies, skin and plaster
  Grain,    ///< rougher than 1/f: sand, gravel, asphalt
  Fur,      ///< short streaks along x: hair, grass, brushed metal
  Marble,   ///< ridges of a 1/f field
  Cells,    ///< Worley's cells (second nearest minus nearest distance): stones, leaves
  Brick,    ///< rows of bricks with mortar
  Stripes,  ///< bent stripes
  Dots,     ///< discs on a grid
  Leaves,   ///< the dead-leaves model: occluding discs whose edges have a photo's spectrum
  White,    ///< independent pixels: sensor noise
};
inline constexpr std::size_t kTextureCount = 10;

/// Seamless square textures, from which every sample is painted. Values are from 0 to 1 with mean
/// 0.5. Only +, -, *, / and square root are used, so that a seed gives the same bits on every
/// machine. Constant after construction: any thread may read. Sources: Perlin, "An image
/// synthesizer" (1985); Worley, "A cellular texture basis function" (1996); Lee, Mumford and Huang,
/// "Occlusion models for natural images" (2001).
class TextureTiles {
 public:
  static constexpr int kSize = 512;
  explicit TextureTiles(std::uint64_t seed);

  /// Linear interpolation; u and v are in tile pixels and may be negative down to -1e6.
  float at(Texture texture, float u, float v) const {
    constexpr float kShift = 4096.0F * kSize;
    u += kShift;
    v += kShift;
    const auto column = static_cast<std::uint32_t>(u);
    const auto line = static_cast<std::uint32_t>(v);
    const float right = u - static_cast<float>(column);
    const float below = v - static_cast<float>(line);
    const float* tile = data(texture);
    const float* upper = tile + (line % kSize) * kSize;
    const float* lower = tile + ((line + 1) % kSize) * kSize;
    const std::uint32_t x0 = column % kSize;
    const std::uint32_t x1 = (column + 1) % kSize;
    const float top = upper[x0] + (upper[x1] - upper[x0]) * right;
    const float bottom = lower[x0] + (lower[x1] - lower[x0]) * right;
    return top + (bottom - top) * below;
  }
  /// Row `line` of a texture, kSize values; any line.
  const float* row(Texture texture, std::uint32_t line) const {
    return data(texture) + (line % kSize) * kSize;
  }

 private:
  const float* data(Texture texture) const {
    return m_tiles[static_cast<std::size_t>(texture)].data();
  }
  std::array<std::vector<float>, kTextureCount> m_tiles;
};

}  // namespace millrace::samples
