// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/data/image_view.h"
#include "core/sample_data/shape.h"
#include "core/sample_data/texture_tiles.h"

namespace millrace::samples {

struct Colour {
  float r = 0;
  float g = 0;
  float b = 0;
};
Colour mix(Colour from, Colour to, float share);
/// Hue in turns (0: red, 1/3: green), saturation and value from 0 to 1.
Colour fromHsv(float hue, float saturation, float value);

/// How a shape is filled: a texture between two colours, and light from one side.
struct Paint {
  Texture texture = Texture::Cloud;
  Colour dark;
  Colour light;
  float scale = 1;                   ///< tile pixels per picture pixel
  float stretch = 1;                 ///< of the texture's second axis; above 1: finer vertically
  float turns = 0;                   ///< direction of the texture
  Point offset;                      ///< position in the tile
  float shade = 0;                   ///< the brightness falls by this share from the lit edge to
                                     ///< the opposite edge
  Point lightFrom = {-0.6F, -0.8F};  ///< unit vector
};

/// A picture that is being painted: float colours, and a class per pixel. For use by one thread.
class Canvas {
 public:
  Canvas(Size size, const TextureTiles& tiles);

  Size size() const { return m_size; }
  /// Paints over the current content. `label` becomes the class of every pixel that is at least
  /// half covered; negative: the classes stay.
  void paint(const Shape& shape, const Paint& paint, int label = -1);
  /// Darkens (factor below 1) or lightens the inside of the shape with soft edges, for shadows and
  /// light.
  void multiply(const Shape& shape, float factor);

  /// Starts to record what outlined() returns.
  void startOutline() { m_outline = {}; }
  /// The smallest rectangle around the pixels that were at least half covered by paint() since
  /// startOutline(); later paint may hide them.
  Rect outlined() const { return m_outline; }

  struct Exposure {
    float gain = 1;
    float vignette = 0.2F;  ///< share of light lost in the corners
    float noise = 0.02F;    ///< peak amplitude of sensor noise, from 0 to 1
    std::uint32_t noiseOffset = 0;
  };
  /// Converts to 8-bit RGB without gaps between rows.
  std::vector<std::uint8_t> develop(const Exposure& exposure) const;
  const std::vector<std::uint8_t>& labels() const { return m_labels; }

 private:
  Size m_size;
  const TextureTiles& m_tiles;
  std::vector<Colour> m_colours;
  std::vector<std::uint8_t> m_labels;
  Rect m_outline;
};

}  // namespace millrace::samples
