// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/sample_data/canvas.h"

#include <algorithm>
#include <cmath>

namespace millrace::samples {
namespace {

/// The pixels that a shape may cover.
Rect reachOf(const Shape& shape, Size size) {
  const float margin = shape.softness + shape.wobblePixels + 1.0F;
  const auto within = [](float value, int most) {
    return static_cast<int>(std::clamp(value, 0.0F, static_cast<float>(most)));
  };
  const int left = within(std::floor(shape.low.x - margin), size.width);
  const int top = within(std::floor(shape.low.y - margin), size.height);
  return {left, top, within(shape.high.x + margin + 1.0F, size.width) - left,
          within(shape.high.y + margin + 1.0F, size.height) - top};
}

/// A paint with everything precomputed that does not change from pixel to pixel.
class Filler {
 public:
  Filler(const Paint& paint, const Rect& reach, const TextureTiles& tiles)
      : m_paint(paint), m_tiles(tiles) {
    const float cosine = cosineOfTurns(paint.turns) * paint.scale;
    const float sine = sineOfTurns(paint.turns) * paint.scale;
    m_ux = cosine;
    m_uy = sine;
    m_vx = -sine * paint.stretch;
    m_vy = cosine * paint.stretch;
    const float extent = static_cast<float>(std::max(reach.width, reach.height));
    m_shadeX = paint.shade * paint.lightFrom.x / std::max(1.0F, extent);
    m_shadeY = paint.shade * paint.lightFrom.y / std::max(1.0F, extent);
    m_middleX = static_cast<float>(reach.x) + static_cast<float>(reach.width) * 0.5F;
    m_middleY = static_cast<float>(reach.y) + static_cast<float>(reach.height) * 0.5F;
  }

  Colour at(float x, float y) const {
    const float share = m_tiles.at(m_paint.texture, x * m_ux + y * m_uy + m_paint.offset.x,
                                   x * m_vx + y * m_vy + m_paint.offset.y);
    const float light = 1.0F + (x - m_middleX) * m_shadeX + (y - m_middleY) * m_shadeY;
    const Colour colour = mix(m_paint.dark, m_paint.light, share);
    return {colour.r * light, colour.g * light, colour.b * light};
  }

 private:
  const Paint& m_paint;
  const TextureTiles& m_tiles;
  float m_ux = 1;
  float m_uy = 0;
  float m_vx = 0;
  float m_vy = 1;
  float m_shadeX = 0;
  float m_shadeY = 0;
  float m_middleX = 0;
  float m_middleY = 0;
};

/// Calls `touch(pixel index, x, y, coverage)` for every pixel that the shape covers at least
/// partly.
template <class Touch>
void forEachCovered(const Shape& shape, Size size, const TextureTiles& tiles, const Rect& reach,
                    Touch&& touch) {
  const float perPixel = 1.0F / shape.softness;
  for (int line = reach.y; line < reach.y + reach.height; ++line) {
    const float y = static_cast<float>(line) + 0.5F;
    for (int column = reach.x; column < reach.x + reach.width; ++column) {
      const float x = static_cast<float>(column) + 0.5F;
      float distance = shape.distance(x, y);
      if (shape.wobblePixels > 0 && std::abs(distance) < shape.wobblePixels + shape.softness) {
        const float wander = tiles.at(Texture::Cloud, x * shape.wobbleScale + shape.wobbleOffset.x,
                                      y * shape.wobbleScale + shape.wobbleOffset.y);
        distance += shape.wobblePixels * (2.0F * wander - 1.0F);
      }
      const float coverage = std::min(1.0F, 0.5F - distance * perPixel);
      if (coverage > 0)
        touch(static_cast<std::size_t>(line) * static_cast<std::size_t>(size.width) +
                  static_cast<std::size_t>(column),
              x, y, coverage);
    }
  }
}

/// The smallest rectangle around `rect` and a pixel.
Rect around(const Rect& rect, int x, int y) {
  if (rect.width == 0) return {x, y, 1, 1};
  const int left = std::min(rect.x, x);
  const int top = std::min(rect.y, y);
  return {left, top, std::max(rect.x + rect.width, x + 1) - left,
          std::max(rect.y + rect.height, y + 1) - top};
}

std::uint8_t toByte(float value) {
  return static_cast<std::uint8_t>(std::clamp(value * 255.0F + 0.5F, 0.0F, 255.0F));
}

}  // namespace

Colour mix(Colour from, Colour to, float share) {
  return {from.r + (to.r - from.r) * share, from.g + (to.g - from.g) * share,
          from.b + (to.b - from.b) * share};
}

Colour fromHsv(float hue, float saturation, float value) {
  const float sector = 6.0F * (hue - std::floor(hue));
  const auto channel = [&](float shift) {
    float k = sector + shift;
    if (k >= 6.0F) k -= 6.0F;
    return value - value * saturation * std::clamp(std::min(k, 4.0F - k), 0.0F, 1.0F);
  };
  return {channel(5.0F), channel(3.0F), channel(1.0F)};
}

Canvas::Canvas(Size size, const TextureTiles& tiles)
    : m_size(size),
      m_tiles(tiles),
      m_colours(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height)),
      m_labels(m_colours.size()) {}

void Canvas::paint(const Shape& shape, const Paint& paint, int label) {
  const Rect reach = reachOf(shape, m_size);
  const Filler filler(paint, reach, m_tiles);
  forEachCovered(shape, m_size, m_tiles, reach,
                 [&](std::size_t at, float x, float y, float coverage) {
                   m_colours[at] = mix(m_colours[at], filler.at(x, y), coverage);
                   if (coverage < 0.5F) return;
                   m_outline = around(m_outline, static_cast<int>(x), static_cast<int>(y));
                   if (label >= 0) m_labels[at] = static_cast<std::uint8_t>(label);
                 });
}

void Canvas::multiply(const Shape& shape, float factor) {
  const Rect reach = reachOf(shape, m_size);
  forEachCovered(shape, m_size, m_tiles, reach, [&](std::size_t at, float, float, float coverage) {
    const float by = 1.0F + (factor - 1.0F) * coverage;
    Colour& colour = m_colours[at];
    colour = {colour.r * by, colour.g * by, colour.b * by};
  });
}

std::vector<std::uint8_t> Canvas::develop(const Exposure& exposure) const {
  std::vector<std::uint8_t> rgb(m_colours.size() * 3);
  const auto halfWidth = static_cast<float>(m_size.width) * 0.5F;
  const auto halfHeight = static_cast<float>(m_size.height) * 0.5F;
  const float farthest = halfWidth * halfWidth + halfHeight * halfHeight;
  std::size_t at = 0;
  for (int y = 0; y < m_size.height; ++y) {
    const auto line = static_cast<std::uint32_t>(y);
    const float* grey = m_tiles.row(Texture::White, line * 7 + exposure.noiseOffset);
    const float* tint = m_tiles.row(Texture::White, line * 11 + exposure.noiseOffset / 512);
    const float dy = static_cast<float>(y) - halfHeight;
    for (int x = 0; x < m_size.width; ++x, ++at) {
      const float dx = static_cast<float>(x) - halfWidth;
      const float light =
          exposure.gain * (1.0F - exposure.vignette * (dx * dx + dy * dy) / farthest);
      const auto column = (static_cast<std::uint32_t>(x) + exposure.noiseOffset) % 512U;
      const float noise = (grey[column] - 0.5F) * 2.0F * exposure.noise;
      const float hue = (tint[column] - 0.5F) * exposure.noise;
      const Colour& colour = m_colours[at];
      rgb[at * 3] = toByte(colour.r * light + noise + hue);
      rgb[at * 3 + 1] = toByte(colour.g * light + noise);
      rgb[at * 3 + 2] = toByte(colour.b * light + noise - hue);
    }
  }
  return rgb;
}

}  // namespace millrace::samples
