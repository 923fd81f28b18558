// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/data/image_view.h"
#include "core/samples/shape.h"
#include "core/samples/texture_tiles.h"

namespace millrace::samples {

struct Colour {
  float r = 0;
  float g = 0;
  float b = 0;
};
Colour mix(Colour from, Colour to, float share);
/// Hue in turns (0 red, 1/3 green), saturation and value in 0 to 1.
Colour fromHsv(float hue, float saturation, float value);

/// What a shape is filled with: a texture between two colours, and light from one side.
struct Paint {
  Texture texture = Texture::Cloud;
  Colour dark;
  Colour light;
  float scale = 1;                   ///< tile pixels a picture pixel
  float stretch = 1;                 ///< of the texture's second axis; above 1: finer across
  float turns = 0;                   ///< the texture's direction
  Point offset;                      ///< in the tile
  float shade = 0;                   ///< brightness falls by this share from lit edge to far edge
  Point lightFrom = {-0.6F, -0.8F};  ///< unit vector
};

/// A picture under the brush: float colours and a class of each pixel. One thread.
class Canvas {
 public:
  Canvas(Size size, const TextureTiles& tiles);

  Size size() const { return m_size; }
  /// Covers what was there. `label` becomes the class of every pixel that is at least half
  /// covered; negative: classes stay.
  void paint(const Shape& shape, const Paint& paint, int label = -1);
  /// Darkens (below 1) or lightens what is inside, softly: shadows and light.
  void multiply(const Shape& shape, float factor);

  struct Exposure {
    float gain = 1;
    float vignette = 0.2F;  ///< share of light lost in the corners
    float noise = 0.02F;    ///< a sensor's noise, peak, in 0 to 1
    std::uint32_t noiseOffset = 0;
  };
  /// To 8 bit RGB, rows without gaps.
  std::vector<std::uint8_t> develop(const Exposure& exposure) const;
  const std::vector<std::uint8_t>& labels() const { return m_labels; }

 private:
  Size m_size;
  const TextureTiles& m_tiles;
  std::vector<Colour> m_colours;
  std::vector<std::uint8_t> m_labels;
};

}  // namespace millrace::samples
