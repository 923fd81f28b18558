// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/sample_data/brush.h"

namespace millrace::samples {
namespace {

enum Label { Sky, Building, Pole, Road, Pavement, Tree, Sign, Fence, Car, Pedestrian, Bicyclist };
constexpr std::array<StreetClass, 12> kClasses = {{{"sky", 128, 128, 128},
                                                   {"building", 128, 0, 0},
                                                   {"pole", 192, 192, 128},
                                                   {"road", 128, 64, 128},
                                                   {"pavement", 60, 40, 222},
                                                   {"tree", 128, 128, 0},
                                                   {"sign", 192, 128, 128},
                                                   {"fence", 64, 64, 128},
                                                   {"car", 64, 0, 128},
                                                   {"pedestrian", 64, 64, 0},
                                                   {"bicyclist", 0, 128, 192},
                                                   {"unlabelled", 0, 0, 0}}};
constexpr int kUnlabelled = 11;

/// The perspective of the street: everything stands on the ground and becomes smaller towards the
/// horizon.
struct View {
  float horizon;
  float vanish;  ///< x of the vanishing point
  float width;
  float height;

  /// x on the ground at height `y` for the position `side` (-1: left edge of the road, 1: right
  /// edge).
  float across(float side, float y) const {
    const float depth = (y - horizon) / (height - horizon);
    return vanish + side * depth * width * 0.5F;
  }
  /// The height of a person whose feet are at `y`.
  float person(float y) const { return 0.62F * (y - horizon) + 6.0F; }
};

void paintSkyAndGround(Brush& brush, const View& view) {
  Paint sky =
      brush.textured(Texture::Cloud, fromHsv(0.58F, brush.between(0.05, 0.4), 0.8F), 0.15F, 0.7F);
  sky.shade = 0.2F;
  brush.canvas.paint(Shape::everything(), sky, Sky);
  Paint paving = brush.textured(Texture::Cells, {0.5F, 0.47F, 0.44F}, 0.3F, 3.0F);
  paving.stretch = 2.5F;
  paving.turns = 0;
  brush.canvas.paint(Shape::box(-2, view.horizon, view.width + 2, view.height + 2), paving,
                     Pavement);
  Paint asphalt = brush.textured(Texture::Grain, {0.33F, 0.33F, 0.35F}, 0.35F, 2.0F);
  asphalt.stretch = 1.8F;
  const float bottom = view.height + 2;
  brush.canvas.paint(Shape::convex({{view.vanish - 3, view.horizon},
                                    {view.vanish + 3, view.horizon},
                                    {view.across(1.0F, bottom), bottom},
                                    {view.across(-1.0F, bottom), bottom}}),
                     asphalt, Road);
  const Paint marking = brush.textured(Texture::Grain, {0.85F, 0.85F, 0.8F}, 0.2F, 2);
  for (float y = view.horizon + 12; y < view.height; y *= 1.12F) {
    const float half = 0.012F * (y - view.horizon);
    const float end = y * 1.05F;
    brush.canvas.paint(Shape::convex({{view.vanish - half, y},
                                      {view.vanish + half, y},
                                      {view.vanish + half * 1.3F, end},
                                      {view.vanish - half * 1.3F, end}}),
                       marking, Road);
  }
}

void paintWindows(Brush& brush, float left, float right, float top, float bottom) {
  const float step = std::max(12.0F, (right - left) / 4.5F);
  const Paint pane = brush.textured(Texture::Cloud, {0.3F, 0.36F, 0.42F}, 0.6F, 3);
  const Paint sill = brush.textured(Texture::Grain, {0.8F, 0.78F, 0.72F}, 0.2F, 2);
  for (float y = top + step * 0.4F; y + step * 0.8F < bottom; y += step * 1.2F)
    for (float x = left + step * 0.3F; x + step * 0.5F < right; x += step) {
      brush.canvas.paint(Shape::box(x - 1, y - 1, x + step * 0.5F + 1, y + step * 0.75F + 2), sill,
                         Building);
      brush.canvas.paint(Shape::box(x, y, x + step * 0.5F, y + step * 0.7F), pane, Building);
    }
}

void paintBuildings(Brush& brush, const View& view) {
  for (const float side : {-1.0F, 1.0F}) {
    // From far to near, so that nearer fronts cover farther ones.
    for (int i = 0; i < 4; ++i) {
      const float depth = 0.1F + 0.13F * static_cast<float>(i);
      const float base = view.horizon + depth * (view.height - view.horizon);
      const float inner = view.across(side * 1.5F, base);
      const float outer = inner + side * brush.between(60, 130);
      const float top = view.horizon - brush.between(0.25, 1.0) * (0.35F + depth) * view.height;
      const Texture front = brush.coin(0.5) ? Texture::Brick : Texture::Grain;
      const Colour colour =
          fromHsv(brush.between(0.02, 0.14), brush.between(0.1, 0.5), brush.between(0.4, 0.75));
      const float left = std::min(inner, outer);
      const float right = std::max(inner, outer);
      brush.canvas.paint(Shape::box(left, top, right, base),
                         brush.textured(front, colour, 0.35F, 2.5F), Building);
      paintWindows(brush, left, right, top, base);
    }
  }
}

void paintTree(Brush& brush, const View& view, float side) {
  const float base = view.horizon + brush.between(0.08, 0.35) * (view.height - view.horizon);
  const float x = view.across(side * brush.between(1.25, 1.9), base);
  const float size = view.person(base) * brush.between(1.6, 2.6);
  brush.canvas.paint(Shape::capsule({x, base}, {x, base - size}, size * 0.06F, size * 0.04F),
                     brush.textured(Texture::Fur, {0.32F, 0.25F, 0.18F}, 0.5F, 1.5F), Tree);
  const Colour green = fromHsv(brush.between(0.2, 0.36), 0.55F, brush.between(0.25, 0.45));
  for (int i = 0; i < 6; ++i)
    brush.canvas.paint(Shape::ellipse({x + brush.between(-0.45, 0.45) * size,
                                       base - size * brush.between(0.9, 1.5)},
                                      size * 0.4F, size * 0.32F)
                           .wobble(size * 0.12F, 5, brush.tilePoint()),
                       brush.textured(Texture::Leaves, green, 0.7F, 2.0F), Tree);
}

void paintFence(Brush& brush, const View& view) {
  const float side = brush.coin(0.5) ? 1.0F : -1.0F;
  const Paint steel = brush.textured(Texture::Fur, {0.4F, 0.42F, 0.42F}, 0.4F, 2);
  const auto rail = [&](float share) {
    const float far = view.horizon + 0.16F * (view.height - view.horizon);
    const float near = view.horizon + 0.6F * (view.height - view.horizon);
    brush.canvas.paint(
        Shape::capsule({view.across(side * 1.15F, far), far - share * view.person(far)},
                       {view.across(side * 1.15F, near), near - share * view.person(near)}, 0.8F,
                       3.0F),
        steel, Fence);
  };
  rail(0.25F);
  rail(0.55F);
  for (float depth = 0.16F; depth < 0.6F; depth *= 1.13F) {
    const float y = view.horizon + depth * (view.height - view.horizon);
    const float x = view.across(side * 1.15F, y);
    brush.canvas.paint(Shape::box(x - 4 * depth, y - 0.6F * view.person(y), x + 4 * depth, y),
                       steel, Fence);
  }
}

void paintPoleAndSign(Brush& brush, const View& view) {
  const float base = view.horizon + brush.between(0.2, 0.6) * (view.height - view.horizon);
  const float x = view.across(brush.coin(0.5) ? 1.1F : -1.1F, base);
  const float tall = view.person(base) * brush.between(1.6, 2.8);
  const float thick = std::max(1.5F, view.person(base) * 0.035F);
  brush.canvas.paint(Shape::box(x - thick, base - tall, x + thick, base),
                     brush.textured(Texture::Fur, {0.5F, 0.5F, 0.5F}, 0.3F, 1), Pole);
  if (brush.coin(0.3)) return;
  const Frame plate({x, base - tall}, view.person(base) * 0.32F, 0);
  const Paint rim =
      brush.textured(Texture::Cloud, brush.nearHue(brush.coin(0.5) ? 0.0F : 0.6F), 0.2F, 1);
  const Paint face = brush.textured(Texture::Cloud, {0.92F, 0.92F, 0.9F}, 0.1F, 1);
  if (brush.coin(0.6)) {
    brush.canvas.paint(plate.ellipse(0, 0, 1, 1), rim, Sign);
    brush.canvas.paint(plate.ellipse(0, 0, 0.7F, 0.7F), face, Sign);
  } else {
    brush.canvas.paint(Shape::convex({plate.at(-1, 0.8F), plate.at(1, 0.8F), plate.at(0, -0.9F)}),
                       rim, Sign);
    brush.canvas.paint(
        Shape::convex({plate.at(-0.6F, 0.6F), plate.at(0.6F, 0.6F), plate.at(0, -0.5F)}), face,
        Sign);
  }
}

void paintCar(Brush& brush, const View& view, float y, float side) {
  const float scale = view.person(y) * 0.62F;
  const Frame car({view.across(side, y), y - scale * 0.62F}, scale, 0);
  const Paint body = brush.textured(Texture::Cloud, brush.anyColour(), 0.35F, 1.5F);
  const Paint glass = brush.textured(Texture::Marble, {0.25F, 0.3F, 0.36F}, 0.5F, 2);
  const Paint tyre = brush.textured(Texture::Grain, {0.07F, 0.07F, 0.08F}, 0.4F, 2);
  brush.canvas.multiply(car.ellipse(0, 0.65F, 1.4F, 0.18F).soft(scale * 0.2F), 0.5F);
  for (const float x : {-0.85F, 0.85F})
    brush.canvas.paint(car.box(x - 0.2F, 0.2F, x + 0.2F, 0.68F), tyre, Car);
  brush.canvas.paint(Shape::convex({car.at(-0.75F, -0.75F), car.at(0.75F, -0.75F),
                                    car.at(1.05F, -0.1F), car.at(-1.05F, -0.1F)}),
                     body, Car);
  brush.canvas.paint(Shape::convex({car.at(-0.65F, -0.65F), car.at(0.65F, -0.65F),
                                    car.at(0.9F, -0.12F), car.at(-0.9F, -0.12F)}),
                     glass, Car);
  brush.canvas.paint(car.box(-1.15F, -0.12F, 1.15F, 0.5F), body, Car);
  const Paint lamp = brush.textured(Texture::Cloud, {0.85F, 0.25F, 0.2F}, 0.2F, 1);
  for (const float x : {-0.9F, 0.9F})
    brush.canvas.paint(car.ellipse(x, 0.08F, 0.17F, 0.1F), lamp, Car);
}

void paintPerson(Brush& brush, const View& view, float y, float side, bool onBicycle) {
  const float half = view.person(y) * 0.5F;
  const int label = onBicycle ? Bicyclist : Pedestrian;
  const Frame body({view.across(side, y), y - half}, half, brush.between(-0.015, 0.015));
  const Paint trousers = brush.textured(Texture::Fur, brush.anyColour(), 0.5F, 2);
  const Paint coat = brush.textured(brush.anyTexture(), brush.anyColour(), 0.4F, 2);
  const Paint skin = brush.textured(Texture::Cloud, {0.78F, 0.6F, 0.5F}, 0.2F, 2);
  if (onBicycle) {
    const Paint frame = brush.textured(Texture::Cloud, brush.anyColour(), 0.3F, 1);
    const Paint tyre = brush.textured(Texture::Grain, {0.08F, 0.08F, 0.09F}, 0.4F, 1);
    brush.canvas.paint(body.ellipse(0, 0.62F, 0.1F, 0.4F), tyre, label);
    brush.canvas.paint(body.line(-0.25F, 0.05F, 0.25F, 0.05F, 0.04F, 0.04F), frame, label);
  }
  const float feet = onBicycle ? 0.7F : 0.97F;
  brush.canvas.paint(body.line(-0.08F, 0.1F, -0.16F, feet, 0.11F, 0.07F), trousers, label);
  brush.canvas.paint(body.line(0.08F, 0.1F, 0.16F, feet - 0.08F, 0.11F, 0.07F), trousers, label);
  brush.canvas.paint(body.line(0, -0.5F, 0, 0.1F, 0.21F, 0.17F), coat, label);
  brush.canvas.paint(body.ellipse(0, -0.82F, 0.13F, 0.17F), skin, label);
}

/// The bonnet of the car with the camera, which is visible in some sequences.
void paintBonnet(Brush& brush, const View& view) {
  brush.canvas.paint(Shape::ellipse({view.width * 0.5F, view.height + 20}, view.width * 0.5F, 36),
                     brush.textured(Texture::Cloud, brush.anyColour(), 0.3F, 1), kUnlabelled);
}

}  // namespace

std::span<const StreetClass> streetClasses() { return kClasses; }

void paintStreet(Brush& brush) {
  const View view = {brush.between(0.36, 0.48) * brush.height(),
                     brush.between(0.38, 0.62) * brush.width(), brush.width(), brush.height()};
  paintSkyAndGround(brush, view);
  paintBuildings(brush, view);
  for (auto trees = brush.draw.integer(1, 4); trees > 0; --trees)
    paintTree(brush, view, brush.coin(0.5) ? 1.0F : -1.0F);
  if (brush.coin(0.5)) paintFence(brush, view);
  for (auto poles = brush.draw.integer(1, 3); poles > 0; --poles) paintPoleAndSign(brush, view);
  const auto depth = [&](float share) {
    return view.horizon + share * (view.height - view.horizon);
  };
  const auto movers = static_cast<int>(brush.draw.integer(3, 7));
  for (int i = 0; i < movers; ++i) {
    const float y =
        depth(0.12F + 0.75F * static_cast<float>(i + 1) / static_cast<float>(movers + 1));
    const float kind = brush.between(0, 1);
    const float side = brush.coin(0.5) ? 1.0F : -1.0F;
    if (kind < 0.5F)
      paintCar(brush, view, y, side * brush.between(0.35, 0.7));
    else if (kind < 0.8F)
      paintPerson(brush, view, y, side * brush.between(1.05, 1.4), false);
    else
      paintPerson(brush, view, y, side * brush.between(0.7, 0.95), true);
  }
  if (brush.coin(0.4)) paintBonnet(brush, view);
}

}  // namespace millrace::samples
