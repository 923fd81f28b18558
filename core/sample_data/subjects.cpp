// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/base/check.h"
#include "core/sample_data/brush.h"

namespace millrace::samples {
namespace {

constexpr Colour kDarkGrey = {0.12F, 0.11F, 0.12F};
constexpr Colour kWhite = {0.93F, 0.92F, 0.9F};
constexpr Colour kWood = {0.45F, 0.31F, 0.18F};

void paintBalloon(Brush& brush, const Frame& frame) {
  const Paint silk = brush.textured(Texture::Stripes, brush.nearHue(0.0F), 0.5F, 1.2F);
  const Paint rope = brush.textured(Texture::Fur, kWood, 0.3F, 1);
  for (const float x : {-0.2F, 0.2F})
    brush.canvas.paint(frame.line(x * 2, 0.45F, x, 1.0F, 0.01F, 0.01F), rope);
  brush.canvas.paint(frame.ellipse(0, -0.15F, 0.75F, 0.8F), silk);
  brush.canvas.paint(frame.box(-0.2F, 0.95F, 0.2F, 1.2F), rope);
  brush.canvas.multiply(frame.ellipse(-0.3F, -0.45F, 0.2F, 0.28F).soft(frame.radius * 0.3F), 1.4F);
}

void paintCactus(Brush& brush, const Frame& frame) {
  Paint skin = brush.textured(Texture::Fur, brush.nearHue(0.33F), 0.6F, 1.4F);
  skin.turns = 0.25F + frame.turns;
  const float arm = brush.between(-0.3, 0.1);
  brush.canvas.paint(frame.line(0, arm, 0.5F, arm, 0.13F, 0.13F), skin);
  brush.canvas.paint(frame.line(0.5F, arm, 0.5F, arm - 0.5F, 0.13F, 0.11F), skin);
  brush.canvas.paint(frame.line(0, arm + 0.3F, -0.5F, arm + 0.3F, 0.13F, 0.13F), skin);
  brush.canvas.paint(frame.line(-0.5F, arm + 0.3F, -0.5F, arm - 0.2F, 0.13F, 0.11F), skin);
  brush.canvas.paint(frame.line(0, -0.8F, 0, 1, 0.22F, 0.26F), skin);
}

void paintClock(Brush& brush, const Frame& frame) {
  brush.canvas.paint(frame.ellipse(0, 0, 0.95F, 0.95F),
                     brush.textured(Texture::Marble, brush.nearHue(0.11F), 0.5F, 1));
  brush.canvas.paint(frame.ellipse(0, 0, 0.82F, 0.82F),
                     brush.textured(Texture::Cloud, kWhite, 0.12F, 0.8F));
  const Paint ink = brush.textured(Texture::Cloud, kDarkGrey, 0.2F, 1);
  for (int hour = 0; hour < 12; ++hour) {
    const float x = sineOfTurns(static_cast<float>(hour) / 12);
    const float y = -cosineOfTurns(static_cast<float>(hour) / 12);
    brush.canvas.paint(frame.line(0.66F * x, 0.66F * y, 0.76F * x, 0.76F * y, 0.025F, 0.025F), ink);
  }
  for (const float length : {0.4F, 0.62F}) {
    const float turns = brush.between(0, 1);
    brush.canvas.paint(frame.line(0, 0, length * sineOfTurns(turns), -length * cosineOfTurns(turns),
                                  0.045F, 0.015F),
                       ink);
  }
}

void paintFish(Brush& brush, const Frame& frame) {
  const Colour orange = brush.nearHue(0.07F);
  const Paint scales = brush.textured(Texture::Cells, orange, 0.5F, 2.0F);
  const Paint fin = brush.textured(Texture::Fur, orange, 0.5F, 1.5F);
  brush.canvas.paint(
      Shape::convex({frame.at(0.5F, 0), frame.at(1.15F, -0.5F), frame.at(1.15F, 0.5F)}), fin);
  brush.canvas.paint(
      Shape::convex({frame.at(-0.3F, -0.3F), frame.at(0.4F, -0.3F), frame.at(0.3F, -0.7F)}), fin);
  brush.canvas.paint(frame.ellipse(0, 0, 0.9F, 0.45F), scales);
  brush.canvas.paint(frame.ellipse(-0.55F, -0.1F, 0.12F, 0.12F),
                     brush.textured(Texture::Cloud, kWhite, 0.1F, 1));
  brush.canvas.paint(frame.ellipse(-0.57F, -0.1F, 0.06F, 0.06F),
                     brush.textured(Texture::Cloud, kDarkGrey, 0.1F, 1));
}

void paintFlower(Brush& brush, const Frame& frame) {
  const Paint stem = brush.textured(Texture::Fur, fromHsv(0.3F, 0.6F, 0.45F), 0.4F, 1);
  brush.canvas.paint(frame.line(0, 0, 0.1F, 1.4F, 0.05F, 0.06F), stem);
  const auto petals = static_cast<int>(brush.draw.integer(5, 9));
  Paint petal = brush.textured(Texture::Fur, brush.nearHue(0.9F), 0.4F, 1);
  for (int i = 0; i < petals; ++i) {
    const float turns = static_cast<float>(i) / static_cast<float>(petals);
    petal.turns = frame.turns + turns;
    brush.canvas.paint(frame.ellipse(0.55F * cosineOfTurns(turns), 0.55F * sineOfTurns(turns),
                                     0.45F, 1.3F / static_cast<float>(petals), turns),
                       petal);
    brush.canvas.multiply(
        frame.ellipse(0.25F * cosineOfTurns(turns), 0.25F * sineOfTurns(turns), 0.2F, 0.2F)
            .soft(frame.radius * 0.25F),
        0.85F);
  }
  brush.canvas.paint(frame.ellipse(0, 0, 0.27F, 0.27F),
                     brush.textured(Texture::Dots, brush.nearHue(0.14F), 0.5F, 6));
}

void paintHouse(Brush& brush, const Frame& frame) {
  const Paint wall = brush.textured(Texture::Brick, brush.nearHue(0.03F, 0.02F), 0.45F, 1.6F);
  const Paint roof =
      brush.textured(Texture::Cells, fromHsv(brush.between(0, 1), 0.3F, 0.35F), 0.4F, 2);
  const Paint pane = brush.textured(Texture::Cloud, {0.55F, 0.7F, 0.85F}, 0.5F, 2);
  const Paint frameWood = brush.textured(Texture::Fur, kWhite, 0.2F, 1);
  brush.canvas.paint(frame.box(-0.8F, -0.2F, 0.8F, 0.9F), wall);
  brush.canvas.paint(
      Shape::convex({frame.at(-1, -0.15F), frame.at(0, -0.95F), frame.at(1, -0.15F)}), roof);
  for (const float x : {-0.5F, 0.5F}) {
    brush.canvas.paint(frame.box(x - 0.2F, 0.0F, x + 0.2F, 0.4F), frameWood);
    brush.canvas.paint(frame.box(x - 0.16F, 0.04F, x - 0.01F, 0.36F), pane);
    brush.canvas.paint(frame.box(x + 0.01F, 0.04F, x + 0.16F, 0.36F), pane);
  }
  brush.canvas.paint(frame.box(-0.15F, 0.35F, 0.15F, 0.9F),
                     brush.textured(Texture::Fur, kWood, 0.4F, 1));
}

void paintMushroom(Brush& brush, const Frame& frame) {
  const Paint stem = brush.textured(Texture::Fur, {0.85F, 0.8F, 0.68F}, 0.3F, 1);
  brush.canvas.paint(frame.line(0, 0, 0, 0.95F, 0.2F, 0.28F), stem);
  Shape cap = frame.ellipse(0, 0.1F, 0.95F, 0.85F);
  cap.cut(frame.at(-1, 0.12F), frame.at(1, 0.12F), frame.at(0, -1));
  brush.canvas.paint(cap, brush.textured(Texture::Cloud, brush.nearHue(0.99F, 0.02F), 0.4F, 1));
  const Paint spot = brush.textured(Texture::Grain, kWhite, 0.2F, 1);
  for (int i = 0; i < 7; ++i)
    brush.canvas.paint(
        frame.ellipse(-0.7F + 0.23F * static_cast<float>(i),
                      brush.between(-0.5, 0.0) + (i % 6 == 0 ? 0.2F : -0.05F), 0.09F, 0.07F),
        spot);
}

void paintSailboat(Brush& brush, const Frame& frame) {
  const Paint sail =
      brush.textured(Texture::Cloud, brush.coin(0.7) ? kWhite : brush.anyColour(), 0.25F, 0.7F);
  const Paint mast = brush.textured(Texture::Fur, kWood, 0.3F, 1);
  const Paint hull = brush.textured(Texture::Fur, brush.nearHue(0.6F), 0.4F, 1);
  brush.canvas.paint(
      Shape::convex({frame.at(0.05F, -0.95F), frame.at(0.05F, 0.4F), frame.at(0.85F, 0.4F)}), sail);
  brush.canvas.paint(
      Shape::convex({frame.at(-0.05F, -0.7F), frame.at(-0.05F, 0.4F), frame.at(-0.7F, 0.4F)}),
      sail);
  brush.canvas.paint(frame.line(0, -1, 0, 0.55F, 0.02F, 0.03F), mast);
  brush.canvas.paint(Shape::convex({frame.at(-1, 0.5F), frame.at(1.05F, 0.5F),
                                    frame.at(0.7F, 0.85F), frame.at(-0.7F, 0.85F)}),
                     hull);
}

void paintStarfish(Brush& brush, const Frame& frame) {
  const Paint skin = brush.textured(Texture::Dots, brush.nearHue(0.78F), 0.45F, 5.0F);
  for (int arm = 0; arm < 5; ++arm) {
    const float turns = static_cast<float>(arm) / 5;
    brush.canvas.paint(
        frame.line(0, 0, 0.95F * sineOfTurns(turns), -0.95F * cosineOfTurns(turns), 0.32F, 0.08F)
            .wobble(3, 3, brush.tilePoint()),
        skin);
  }
  brush.canvas.multiply(frame.ellipse(0, 0, 0.3F, 0.3F).soft(frame.radius * 0.4F), 1.25F);
}

void paintUmbrella(Brush& brush, const Frame& frame) {
  const Paint handle = brush.textured(Texture::Fur, kDarkGrey, 0.3F, 1);
  brush.canvas.paint(frame.line(0, -0.7F, 0, 0.9F, 0.025F, 0.03F), handle);
  brush.canvas.paint(frame.line(0, 0.92F, 0.18F, 0.92F, 0.05F, 0.04F), handle);
  const Colour cloth = brush.nearHue(0.5F);
  for (int i = 0; i < 5; ++i) {
    const float left = -1.0F + 0.4F * static_cast<float>(i);
    Shape gore = frame.ellipse(0, 0.1F, 1, 0.85F);
    gore.cut(frame.at(-1, 0.12F), frame.at(1, 0.12F), frame.at(0, -1));
    gore.cut(frame.at(0, -0.8F), frame.at(left, 0.12F), frame.at(left + 0.2F, 0.12F));
    gore.cut(frame.at(0, -0.8F), frame.at(left + 0.4F, 0.12F), frame.at(left + 0.2F, 0.12F));
    brush.canvas.paint(
        gore,
        brush.textured(Texture::Cloud, i % 2 == 0 ? cloth : mix(cloth, kWhite, 0.6F), 0.3F, 0.8F));
  }
}

struct Subject {
  std::string_view name;
  void (*paint)(Brush&, const Frame&);
};
constexpr std::array<Subject, 10> kSubjects = {{{"balloon", paintBalloon},
                                                {"cactus", paintCactus},
                                                {"clock", paintClock},
                                                {"fish", paintFish},
                                                {"flower", paintFlower},
                                                {"house", paintHouse},
                                                {"mushroom", paintMushroom},
                                                {"sailboat", paintSailboat},
                                                {"starfish", paintStarfish},
                                                {"umbrella", paintUmbrella}}};
constexpr std::array<std::string_view, kSubjects.size()> kNames = [] {
  std::array<std::string_view, kSubjects.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kSubjects[i].name;
  return names;
}();

Frame placed(Brush& brush, double smallest, double largest) {
  const float side = std::min(brush.width(), brush.height());
  return {{brush.between(0.35, 0.65) * brush.width(), brush.between(0.4, 0.6) * brush.height()},
          brush.between(smallest, largest) * side,
          brush.between(-0.06, 0.06)};
}

void paintEyes(Brush& brush, const Frame& face, Colour iris) {
  for (const float x : {-0.38F, 0.38F}) {
    brush.canvas.paint(face.ellipse(x, -0.12F, 0.17F, 0.15F),
                       brush.textured(Texture::Fur, iris, 0.4F, 2));
    brush.canvas.paint(face.ellipse(x, -0.12F, 0.07F, 0.13F),
                       brush.textured(Texture::Cloud, {0.03F, 0.03F, 0.04F}, 0.1F, 1));
    brush.canvas.paint(face.ellipse(x - 0.04F, -0.18F, 0.03F, 0.03F),
                       brush.textured(Texture::Cloud, {1, 1, 1}, 0.05F, 1));
  }
}

Colour coat(Brush& brush) {
  const std::array kCoats = {Colour{0.72F, 0.48F, 0.26F}, Colour{0.5F, 0.48F, 0.47F},
                             Colour{0.2F, 0.18F, 0.18F}, Colour{0.88F, 0.84F, 0.76F},
                             Colour{0.42F, 0.29F, 0.18F}};
  return kCoats[static_cast<std::size_t>(brush.draw.integer(0, 4))];
}

/// Fur all around the head: one fur texture in strokes of many directions.
void paintFurryHead(Brush& brush, const Frame& face, Colour colour, float width, float height) {
  Paint hair = brush.textured(Texture::Fur, colour, 0.5F, 1.3F);
  brush.canvas.paint(face.ellipse(0, 0, width, height).wobble(face.radius * 0.05F, 6, {}), hair);
  for (int i = 0; i < 14; ++i) {
    const float turns = static_cast<float>(i) / 14;
    hair.turns = turns + face.turns;
    hair.offset = brush.tilePoint();
    brush.canvas.paint(face.ellipse(0.7F * width * cosineOfTurns(turns),
                                    0.7F * height * sineOfTurns(turns), 0.38F, 0.24F, turns)
                           .soft(face.radius * 0.2F),
                       hair);
  }
}

}  // namespace

std::span<const std::string_view> subjectNames() { return kNames; }

Rect paintObject(Brush& brush, std::size_t index) {
  MILLRACE_CHECK(index < kSubjects.size(), "there is no such subject");
  const float side = std::min(brush.width(), brush.height());
  const Point centre{brush.between(0.05, 0.95) * brush.width(),
                     brush.between(0.1, 0.9) * brush.height()};
  const Frame frame(centre, brush.between(0.06, 0.26) * side, brush.between(-0.06, 0.06));
  brush.canvas.multiply(frame.ellipse(0.15F, 0.95F, 0.9F, 0.22F).soft(frame.radius * 0.35F), 0.6F);
  brush.canvas.startOutline();
  kSubjects[index].paint(brush, frame);
  return brush.canvas.outlined();
}

void paintSubject(Brush& brush, std::size_t index) {
  MILLRACE_CHECK(index < kSubjects.size(), "there is no such subject");
  const Frame frame = placed(brush, 0.24, 0.44);
  brush.canvas.multiply(frame.ellipse(0.15F, 0.95F, 0.9F, 0.22F).soft(frame.radius * 0.35F), 0.6F);
  kSubjects[index].paint(brush, frame);
}

void paintCat(Brush& brush) {
  const Frame face = placed(brush, 0.28, 0.42);
  const Colour colour = coat(brush);
  const Paint ear = brush.textured(Texture::Fur, colour, 0.5F, 1.3F);
  const Paint inner = brush.textured(Texture::Fur, {0.8F, 0.55F, 0.52F}, 0.3F, 1.3F);
  for (const float side : {-1.0F, 1.0F}) {
    brush.canvas.paint(Shape::convex({face.at(side * 0.25F, -0.6F), face.at(side * 0.95F, -0.25F),
                                      face.at(side * 0.85F, -1.3F)}),
                       ear);
    brush.canvas.paint(Shape::convex({face.at(side * 0.4F, -0.6F), face.at(side * 0.83F, -0.4F),
                                      face.at(side * 0.78F, -1.1F)}),
                       inner);
  }
  paintFurryHead(brush, face, colour, 0.98F, 0.85F);
  paintEyes(brush, face, fromHsv(brush.between(0.13, 0.35), 0.7F, 0.8F));
  brush.canvas.paint(
      Shape::convex({face.at(-0.1F, 0.16F), face.at(0.1F, 0.16F), face.at(0, 0.28F)}), inner);
  const Paint whisker = brush.textured(Texture::Cloud, kWhite, 0.1F, 1);
  for (const float side : {-1.0F, 1.0F})
    for (int i = -1; i <= 1; ++i)
      brush.canvas.paint(face.line(side * 0.25F, 0.32F, side * 1.1F,
                                   0.32F + 0.17F * static_cast<float>(i), 0.012F, 0.006F),
                         whisker);
}

void paintDog(Brush& brush) {
  const Frame face = placed(brush, 0.28, 0.42);
  const Colour colour = coat(brush);
  paintFurryHead(brush, face, colour, 0.8F, 0.98F);
  Paint ear = brush.textured(Texture::Fur, mix(colour, kDarkGrey, 0.4F), 0.5F, 1.3F);
  ear.turns = 0.25F;
  for (const float side : {-1.0F, 1.0F})
    brush.canvas.paint(
        face.line(side * 0.75F, -0.6F, side * 1.0F, brush.between(0.2, 0.5), 0.18F, 0.3F)
            .wobble(3, 4, brush.tilePoint()),
        ear);
  paintEyes(brush, face, {0.32F, 0.2F, 0.1F});
  brush.canvas.paint(face.ellipse(0, 0.48F, 0.42F, 0.36F).soft(4),
                     brush.textured(Texture::Fur, mix(colour, kWhite, 0.5F), 0.35F, 1.3F));
  brush.canvas.paint(face.ellipse(0, 0.3F, 0.18F, 0.13F),
                     brush.textured(Texture::Grain, kDarkGrey, 0.4F, 2));
  if (brush.coin(0.5))
    brush.canvas.paint(face.ellipse(0.02F, 0.85F, 0.12F, 0.22F),
                       brush.textured(Texture::Cloud, {0.85F, 0.4F, 0.45F}, 0.2F, 1));
}

}  // namespace millrace::samples
