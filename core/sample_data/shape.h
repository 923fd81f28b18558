// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace millrace::samples {

/// Sine and cosine of an angle in turns by a polynomial, with the same bits with every C library.
/// Accurate to 2e-4.
float sineOfTurns(float turns);
inline float cosineOfTurns(float turns) { return sineOfTurns(turns + 0.25F); }

struct Point {
  float x = 0;
  float y = 0;
};

/// A region of the picture in pixels: an ellipse, a capsule or the plane, cut by half-planes.
class Shape {
 public:
  static Shape everything() { return Shape(); }
  static Shape ellipse(Point centre, float rx, float ry, float turns = 0);
  /// A line from a to b with round ends of radius ra and rb.
  static Shape capsule(Point a, Point b, float ra, float rb);
  /// Three to six corners in either direction of rotation.
  static Shape convex(const std::vector<Point>& corners);
  static Shape box(float left, float top, float right, float bottom);

  /// Keeps only the side of the line a-b that contains `inside`.
  Shape& cut(Point a, Point b, Point inside);
  /// Makes the edges irregular by up to `pixels` pixels, for natural things.
  Shape& wobble(float pixels, float tileScale, Point offset);
  /// Sets the width of the edge in pixels; above 1 for defocused things.
  Shape& soft(float pixels);

  /// Negative inside; near the edge a distance in pixels.
  float distance(float x, float y) const;

  float softness = 1;
  float wobblePixels = 0;
  float wobbleScale = 1;
  Point wobbleOffset;
  Point low = {-1e6F, -1e6F};  ///< bounding box
  Point high = {1e6F, 1e6F};

 private:
  enum class Kind : std::uint8_t { Everything, Ellipse, Capsule };
  void limit(Point at, float reach);

  Kind m_kind = Kind::Everything;
  Point m_a;
  Point m_b;
  float m_ra = 0;
  float m_rb = 0;
  int m_cuts = 0;
  std::array<std::array<float, 3>, 8> m_cut{};  ///< normal and offset of each cut; negative inside
};

}  // namespace millrace::samples
