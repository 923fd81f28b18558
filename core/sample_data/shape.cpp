// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/sample_data/shape.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"

namespace millrace::samples {

float sineOfTurns(float turns) {
  const float part = turns - std::floor(turns);
  const float half = part < 0.5F ? part : part - 0.5F;
  // Bhaskara's approximation is a ratio of quadratics; this is its refinement by one square.
  const float parabola = 8.0F * half * (1.0F - 2.0F * half);
  const float value = parabola * (0.775F + 0.225F * parabola);
  return part < 0.5F ? value : -value;
}

void Shape::limit(Point at, float reach) {
  low = {std::min(low.x, at.x - reach), std::min(low.y, at.y - reach)};
  high = {std::max(high.x, at.x + reach), std::max(high.y, at.y + reach)};
}

Shape Shape::ellipse(Point centre, float rx, float ry, float turns) {
  Shape shape;
  shape.m_kind = Kind::Ellipse;
  shape.m_a = centre;
  shape.m_b = {cosineOfTurns(turns), sineOfTurns(turns)};
  shape.m_ra = std::max(rx, 0.5F);
  shape.m_rb = std::max(ry, 0.5F);
  shape.low = shape.high = centre;
  shape.limit(centre, std::max(rx, ry) + 1.0F);
  return shape;
}

Shape Shape::capsule(Point a, Point b, float ra, float rb) {
  Shape shape;
  shape.m_kind = Kind::Capsule;
  shape.m_a = a;
  shape.m_b = b;
  shape.m_ra = ra;
  shape.m_rb = rb;
  shape.low = shape.high = a;
  shape.limit(a, ra + 1.0F);
  shape.limit(b, rb + 1.0F);
  return shape;
}

Shape Shape::convex(const std::vector<Point>& corners) {
  MILLRACE_CHECK(corners.size() >= 3 && corners.size() <= 6, "a convex shape needs 3 to 6 corners");
  Shape shape;
  Point middle;
  for (const Point& corner : corners) {
    middle.x += corner.x / static_cast<float>(corners.size());
    middle.y += corner.y / static_cast<float>(corners.size());
  }
  shape.low = shape.high = middle;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    shape.limit(corners[i], 1.0F);
    shape.cut(corners[i], corners[(i + 1) % corners.size()], middle);
  }
  return shape;
}

Shape Shape::box(float left, float top, float right, float bottom) {
  return convex({{left, top}, {right, top}, {right, bottom}, {left, bottom}});
}

Shape& Shape::cut(Point a, Point b, Point inside) {
  MILLRACE_CHECK(static_cast<std::size_t>(m_cuts) < m_cut.size(), "too many cuts");
  float nx = b.y - a.y;
  float ny = a.x - b.x;
  const float length = std::sqrt(nx * nx + ny * ny);
  if (length < 1e-6F) return *this;
  nx /= length;
  ny /= length;
  float offset = nx * a.x + ny * a.y;
  if (nx * inside.x + ny * inside.y > offset) {
    nx = -nx;
    ny = -ny;
    offset = -offset;
  }
  m_cut[static_cast<std::size_t>(m_cuts++)] = {nx, ny, offset};
  return *this;
}

Shape& Shape::wobble(float pixels, float tileScale, Point offset) {
  wobblePixels = pixels;
  wobbleScale = tileScale;
  wobbleOffset = offset;
  return *this;
}

Shape& Shape::soft(float pixels) {
  softness = std::max(pixels, 1.0F);
  return *this;
}

float Shape::distance(float x, float y) const {
  float result = -1e6F;
  const float dx = x - m_a.x;
  const float dy = y - m_a.y;
  if (m_kind == Kind::Ellipse) {
    const float along = (dx * m_b.x + dy * m_b.y) / m_ra;
    const float across = (dy * m_b.x - dx * m_b.y) / m_rb;
    const float k0 = std::sqrt(along * along + across * across);
    const float ga = along / m_ra;
    const float gb = across / m_rb;
    // First-order distance: value divided by gradient.
    result = k0 < 1e-4F ? -std::min(m_ra, m_rb) : k0 * (k0 - 1.0F) / std::sqrt(ga * ga + gb * gb);
  } else if (m_kind == Kind::Capsule) {
    const float vx = m_b.x - m_a.x;
    const float vy = m_b.y - m_a.y;
    const float squared = std::max(1e-6F, vx * vx + vy * vy);
    const float along = std::clamp((dx * vx + dy * vy) / squared, 0.0F, 1.0F);
    const float px = dx - along * vx;
    const float py = dy - along * vy;
    result = std::sqrt(px * px + py * py) - (m_ra + (m_rb - m_ra) * along);
  }
  for (int i = 0; i < m_cuts; ++i) {
    const auto& line = m_cut[static_cast<std::size_t>(i)];
    result = std::max(result, line[0] * x + line[1] * y - line[2]);
  }
  return result;
}

}  // namespace millrace::samples
