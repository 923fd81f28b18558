// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/random.h"
#include "core/sample_data/canvas.h"

namespace millrace::samples {

/// A canvas and the random draws of one picture, with which every motif is painted. For use by one
/// thread.
class Brush {
 public:
  Brush(Canvas& onCanvas, Draw& byDraw) : canvas(onCanvas), draw(byDraw) {}

  float between(double low, double high) { return static_cast<float>(draw.uniform(low, high)); }
  bool coin(double probability) { return draw.bernoulli(probability); }
  Point tilePoint() { return {between(0, 512), between(0, 512)}; }
  /// `colour` in two tones that differ by `contrast` in brightness, lit from the picture's light
  /// direction.
  Paint textured(Texture texture, Colour colour, float contrast, float scale);
  /// A random texture for a thing.
  Texture anyTexture();
  /// A saturated colour with about this hue, in turns.
  Colour nearHue(float hue, float spread = 0.04F);
  Colour anyColour();

  float width() const { return static_cast<float>(canvas.size().width); }
  float height() const { return static_cast<float>(canvas.size().height); }

  Canvas& canvas;
  Draw& draw;
  Point lightFrom = {-0.6F, -0.8F};
};

/// A thing's coordinate system: the origin in its centre, its radius is 1, y points down.
struct Frame {
  Point centre;
  float radius = 1;
  float cosine = 1;
  float sine = 0;
  float turns = 0;

  Frame(Point middle, float size, float angle)
      : centre(middle),
        radius(size),
        cosine(cosineOfTurns(angle)),
        sine(sineOfTurns(angle)),
        turns(angle) {}
  Point at(float x, float y) const {
    return {centre.x + radius * (x * cosine - y * sine),
            centre.y + radius * (x * sine + y * cosine)};
  }
  Shape ellipse(float x, float y, float rx, float ry, float angle = 0) const {
    return Shape::ellipse(at(x, y), rx * radius, ry * radius, turns + angle);
  }
  Shape line(float x0, float y0, float x1, float y1, float r0, float r1) const {
    return Shape::capsule(at(x0, y0), at(x1, y1), r0 * radius, r1 * radius);
  }
  Shape box(float x0, float y0, float x1, float y1) const {
    return Shape::convex({at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1)});
  }
};

/// Paints the whole picture: a landscape, a wall and a floor, foliage, or blurred colours.
void paintBackground(Brush& brush);
/// Paints things of any form, mostly small, over the current picture.
void paintClutter(Brush& brush, int count);

/// The class names of the photo-like kinds, in order.
std::span<const std::string_view> subjectNames();
/// Paints one large thing of class `index` of subjectNames() near the centre.
void paintSubject(Brush& brush, std::size_t index);
/// Paints such a thing anywhere, from a tenth to a half of the picture's shorter side. Returns the
/// rectangle around its pixels.
Rect paintObject(Brush& brush, std::size_t index);
/// A face with pointed ears and whiskers (cat), or with hanging ears and a muzzle (dog).
void paintCat(Brush& brush);
void paintDog(Brush& brush);

struct StreetClass {
  std::string_view name;
  std::uint8_t r, g, b;  ///< its colour in colour-coded masks, as in CamVid
};
/// The twelve classes of a street picture; the index is the label.
std::span<const StreetClass> streetClasses();
/// Paints a street seen from a car. Every pixel gets the class of what is visible there.
void paintStreet(Brush& brush);

}  // namespace millrace::samples
