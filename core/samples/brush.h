// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/random.h"
#include "core/samples/canvas.h"

namespace millrace::samples {

/// A canvas and the draws of one picture: what every motif is drawn with. One thread.
class Brush {
 public:
  Brush(Canvas& canvas, Draw& draw) : canvas(canvas), draw(draw) {}

  float between(double low, double high) { return static_cast<float>(draw.uniform(low, high)); }
  bool coin(double probability) { return draw.bernoulli(probability); }
  Point tilePoint() { return {between(0, 512), between(0, 512)}; }
  /// `colour` in two tones, `contrast` apart in brightness, lit from the picture's side.
  Paint textured(Texture texture, Colour colour, float contrast, float scale);
  /// Any texture that a thing may have.
  Texture anyTexture();
  /// A saturated colour of about this hue, in turns.
  Colour nearHue(float hue, float spread = 0.04F);
  Colour anyColour();

  float width() const { return static_cast<float>(canvas.size().width); }
  float height() const { return static_cast<float>(canvas.size().height); }

  Canvas& canvas;
  Draw& draw;
  Point lightFrom = {-0.6F, -0.8F};
};

/// A thing's own coordinates: the origin in its middle, 1 its radius, y downwards.
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

/// The whole picture: a landscape, a wall and a floor, foliage, or colours out of focus.
void paintBackground(Brush& brush);
/// Things of any form, small ones often, in front of what is there.
void paintClutter(Brush& brush, int count);

/// The classes of the photo-like presets, in order.
std::span<const std::string_view> subjectNames();
/// One thing of class `index` of subjectNames(), large, somewhere near the middle.
void paintSubject(Brush& brush, std::size_t index);
/// A face with pointed ears and whiskers, or with hanging ears and a muzzle.
void paintCat(Brush& brush);
void paintDog(Brush& brush);

struct StreetClass {
  std::string_view name;
  std::uint8_t r, g, b;  ///< its colour in colour-coded masks, CamVid's
};
/// The twelve classes of a street picture; the index is the label.
std::span<const StreetClass> streetClasses();
/// A street seen from a car. Every pixel has the class of what is seen there.
void paintStreet(Brush& brush);

}  // namespace millrace::samples
