// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include "core/sample_data/brush.h"

namespace millrace::samples {
namespace {

void paintSky(Brush& brush, float horizon) {
  const Colour top = fromHsv(brush.between(0.54, 0.62), brush.between(0.2, 0.7), 0.85F);
  Paint sky = brush.textured(Texture::Cloud, top, 0.1F, brush.between(0.4, 1.0));
  sky.dark = top;
  sky.light = mix(top, {1, 1, 1}, brush.between(0.2, 0.9));
  sky.stretch = brush.between(1.2, 2.5);
  sky.shade = 0.25F;
  sky.lightFrom = {0, 1};
  brush.canvas.paint(Shape::box(-2, -2, brush.width() + 2, horizon + 3), sky);
}

/// Bands of ground that become finer towards the horizon, as in perspective.
void paintGround(Brush& brush, float horizon) {
  constexpr std::array kTextures = {Texture::Fur, Texture::Grain, Texture::Leaves, Texture::Cells};
  const Texture texture = kTextures[static_cast<std::size_t>(brush.draw.integer(0, 3))];
  const Colour colour = brush.coin(0.6) ? fromHsv(brush.between(0.2, 0.35), 0.5F, 0.5F)
                                        : fromHsv(brush.between(0.06, 0.14), 0.4F, 0.6F);
  constexpr int kBands = 4;
  const float depth = brush.height() - horizon;
  for (int band = 0; band < kBands; ++band) {
    const float share = static_cast<float>(band * band) / (kBands * kBands);
    Paint ground = brush.textured(texture, colour, 0.45F, 2.4F / static_cast<float>(band + 1));
    ground.stretch = 2.0F;
    brush.canvas.paint(
        Shape::box(-2, horizon + share * depth, brush.width() + 2, brush.height() + 2)
            .wobble(4.0F + 6.0F * static_cast<float>(band), 2.0F, brush.tilePoint()),
        ground);
  }
}

void paintHills(Brush& brush, float horizon) {
  const auto count = static_cast<int>(brush.draw.integer(0, 3));
  for (int i = count; i > 0; --i) {
    const float haze = static_cast<float>(i) / 4.0F;
    const Colour near = fromHsv(brush.between(0.22, 0.4), 0.5F, 0.4F);
    Paint hill = brush.textured(brush.coin(0.5) ? Texture::Leaves : Texture::Grain,
                                mix(near, {0.65F, 0.72F, 0.82F}, haze), 0.35F * (1.0F - haze), 2);
    const float x = brush.between(-0.2, 1.2) * brush.width();
    brush.canvas.paint(Shape::ellipse({x, horizon + 10}, brush.between(0.3, 0.8) * brush.width(),
                                      brush.between(0.1, 0.4) * horizon)
                           .wobble(14, 1.5F, brush.tilePoint()),
                       hill);
  }
}

void paintLandscape(Brush& brush) {
  const float horizon = brush.between(0.3, 0.7) * brush.height();
  paintSky(brush, horizon);
  paintHills(brush, horizon);
  paintGround(brush, horizon);
}

void paintRoom(Brush& brush) {
  const float floor = brush.between(0.6, 0.9) * brush.height();
  constexpr std::array kWalls = {Texture::Brick, Texture::Cloud, Texture::Stripes, Texture::Grain};
  const auto wall = kWalls[static_cast<std::size_t>(brush.draw.integer(0, 3))];
  brush.canvas.paint(Shape::everything(),
                     brush.textured(wall, brush.anyColour(), 0.35F, brush.between(0.5, 1.2)));
  Paint boards = brush.textured(brush.coin(0.5) ? Texture::Fur : Texture::Marble,
                                fromHsv(brush.between(0.04, 0.12), 0.5F, 0.55F), 0.35F, 1.5F);
  boards.stretch = 2.5F;
  brush.canvas.paint(Shape::box(-2, floor, brush.width() + 2, brush.height() + 2), boards);
  brush.canvas.multiply(Shape::box(-2, floor - 6, brush.width() + 2, floor + 10).soft(16), 0.7F);
}

void paintFoliage(Brush& brush) {
  const Colour green = fromHsv(brush.between(0.18, 0.42), brush.between(0.3, 0.7), 0.5F);
  Paint leaves = brush.textured(Texture::Leaves, green, 0.7F, brush.between(0.7, 1.6));
  brush.canvas.paint(Shape::everything(), leaves);
  for (int i = 0; i < 12; ++i) {
    const Point at = {brush.between(0, 1) * brush.width(), brush.between(0, 1) * brush.height()};
    brush.canvas.multiply(
        Shape::ellipse(at, brush.between(20, 120), brush.between(20, 90)).soft(40),
        brush.between(0.5, 1.5));
  }
}

void paintOutOfFocus(Brush& brush) {
  const Colour base = brush.anyColour();
  brush.canvas.paint(Shape::everything(), brush.textured(Texture::Cloud, base, 0.3F, 0.5F));
  for (int i = 0; i < 18; ++i) {
    const float radius = brush.between(0.04, 0.22) * brush.width();
    const Point at = {brush.between(0, 1) * brush.width(), brush.between(0, 1) * brush.height()};
    Paint blob = brush.textured(Texture::Cloud, mix(base, brush.anyColour(), 0.6F), 0.15F, 0.5F);
    brush.canvas.paint(Shape::ellipse(at, radius, radius).soft(radius * 0.7F), blob);
  }
}

void paintThing(Brush& brush, Point at, float size) {
  const Frame frame(at, size, brush.between(0, 1));
  const Paint paint = brush.textured(brush.anyTexture(), brush.anyColour(), brush.between(0.2, 0.6),
                                     brush.between(0.6, 2.0));
  switch (brush.draw.integer(0, 3)) {
    case 0: brush.canvas.paint(frame.ellipse(0, 0, 1, brush.between(0.4, 1.0)), paint); break;
    case 1: brush.canvas.paint(frame.box(-1, brush.between(-0.8, -0.3), 1, 0.5F), paint); break;
    case 2:
      brush.canvas.paint(frame.line(-1, 0, 1, 0, 0.12F, brush.between(0.05, 0.4)), paint);
      break;
    default:
      brush.canvas.paint(
          Shape::convex({frame.at(-1, 0.6F), frame.at(1, brush.between(0, 1)), frame.at(0, -1)}),
          paint);
  }
}

}  // namespace

Paint Brush::textured(Texture texture, Colour colour, float contrast, float scale) {
  Paint paint;
  paint.texture = texture;
  const float low = 1.0F - contrast;
  const float high = 1.0F + contrast * 0.6F;
  paint.dark = {colour.r * low, colour.g * low, colour.b * low};
  paint.light = {colour.r * high + 0.04F, colour.g * high + 0.04F, colour.b * high + 0.04F};
  paint.scale = scale;
  paint.turns = between(0, 1);
  paint.offset = tilePoint();
  paint.shade = between(0.2, 0.9);
  paint.lightFrom = {-lightFrom.x, -lightFrom.y};
  if (texture == Texture::Brick || texture == Texture::Fur) paint.turns = 0;
  return paint;
}

Texture Brush::anyTexture() { return static_cast<Texture>(draw.integer(0, 8)); }

Colour Brush::nearHue(float hue, float spread) {
  return fromHsv(hue + between(-spread, spread), between(0.55, 0.95), between(0.55, 0.95));
}

Colour Brush::anyColour() {
  return fromHsv(between(0, 1), between(0.05, 0.75), between(0.25, 0.9));
}

void paintBackground(Brush& brush) {
  const float side = brush.between(-0.8, 0.8);
  brush.lightFrom = {side, -std::sqrt(1.0F - side * side)};
  const float kind = brush.between(0, 1);
  if (kind < 0.4F)
    paintLandscape(brush);
  else if (kind < 0.6F)
    paintRoom(brush);
  else if (kind < 0.85F)
    paintFoliage(brush);
  else
    paintOutOfFocus(brush);
}

void paintClutter(Brush& brush, int count) {
  for (int i = 0; i < count; ++i) {
    // Sizes are distributed as r^-3, like those of things in photos.
    const float u = brush.between(0, 1);
    const float size = 0.03F / std::sqrt(1.0F - 0.97F * u) * brush.width();
    paintThing(brush,
               {brush.between(0, 1) * brush.width(), brush.between(0.1, 1.05) * brush.height()},
               size);
  }
}

}  // namespace millrace::samples
