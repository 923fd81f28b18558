// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/warp/perspective.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/base/check.h"

namespace millrace {

namespace {

using Row = std::array<double, 9>;  ///< eight coefficients and the right side

/// Gauss-Jordan elimination with the largest pivot of each column.
void solve(std::array<Row, 8>& rows) {
  for (std::size_t c = 0; c < rows.size(); ++c) {
    const auto best = std::max_element(
        rows.begin() + static_cast<std::ptrdiff_t>(c), rows.end(),
        [c](const Row& a, const Row& b) { return std::abs(a[c]) < std::abs(b[c]); });
    std::swap(*best, rows[c]);
    MILLRACE_CHECK(rows[c][c] != 0, "three of four corners lie on a line");
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r == c) continue;
      const double factor = rows[r][c] / rows[c][c];
      for (std::size_t k = c; k < rows[r].size(); ++k) rows[r][k] -= factor * rows[c][k];
    }
  }
}

double rounded(double value) { return static_cast<double>(static_cast<float>(value)); }

}  // namespace

ProjectiveMap mapOfCorners(const Corners4& from, const Corners4& to) {
  std::array<Row, 8> rows;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto [x, y] = from[i];
    const auto [u, v] = to[i];
    rows[2 * i] = {x, y, 1, 0, 0, 0, -u * x, -u * y, u};
    rows[2 * i + 1] = {0, 0, 0, x, y, 1, -v * x, -v * y, v};
  }
  solve(rows);
  std::array<double, 8> found{};
  for (std::size_t i = 0; i < found.size(); ++i) found[i] = rounded(rows[i][8] / rows[i][i]);
  return {found[0], found[1], found[2], found[3], found[4], found[5], found[6], found[7]};
}

ProjectiveMap inverseOf(const ProjectiveMap& m) {
  // The adjugate of the matrix whose last element is 1, divided by its own last element.
  const double last = m.xx * m.yy - m.xy * m.yx;
  ProjectiveMap inverse;
  inverse.xx = (m.yy - m.y0 * m.wy) / last;
  inverse.xy = (m.x0 * m.wy - m.xy) / last;
  inverse.x0 = (m.xy * m.y0 - m.x0 * m.yy) / last;
  inverse.yx = (m.y0 * m.wx - m.yx) / last;
  inverse.yy = (m.xx - m.x0 * m.wx) / last;
  inverse.y0 = (m.x0 * m.yx - m.xx * m.y0) / last;
  inverse.wx = (m.yx * m.wy - m.yy * m.wx) / last;
  inverse.wy = (m.xy * m.wx - m.xx * m.wy) / last;
  return inverse;
}

void PerspectiveWarp::run(const ImageView& from, const ProjectiveMap& map, const GridSampling& rule,
                          MutableImageView to) {
  MILLRACE_CHECK(from.size() == to.size() && from.channels == to.channels,
                 "a perspective keeps the size");
  const auto width = static_cast<std::size_t>(from.width);
  m_x.resize(std::max(m_x.size(), width));
  m_y.resize(m_x.size());
  const auto halfWidth = static_cast<float>(0.5 * from.width);
  const auto halfHeight = static_cast<float>(0.5 * from.height);
  const auto f32 = [](double value) { return static_cast<float>(value); };
  const float xx = f32(map.xx) / halfWidth;
  const float xy = f32(map.xy) / halfWidth;
  const float x0 = f32(map.x0) / halfWidth;
  const float yx = f32(map.yx) / halfHeight;
  const float yy = f32(map.yy) / halfHeight;
  const float y0 = f32(map.y0) / halfHeight;
  for (int row = 0; row < to.height; ++row) {
    const float y = static_cast<float>(row) + 0.5F;
    for (std::size_t i = 0; i < width; ++i) {
      const float x = static_cast<float>(i) + 0.5F;
      const float scale = (x * f32(map.wx) + y * f32(map.wy)) + 1.0F;
      m_x[i] = ((x * xx + y * xy) + x0) / scale - 1.0F;
      m_y[i] = ((x * yx + y * yy) + y0) / scale - 1.0F;
    }
    m_sampler.row(from, m_x.data(), m_y.data(), width, rule, to.row(row));
  }
}

}  // namespace millrace
