// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "core/kernels/warp/grid_sample.h"

namespace millrace {

/// A map between planes: x' = (xx x + xy y + x0) / (wx x + wy y + 1), and the same for y'.
struct ProjectiveMap {
  double xx = 1, xy = 0, x0 = 0;
  double yx = 0, yy = 1, y0 = 0;
  double wx = 0, wy = 0;
};

struct PlanePoint {
  double x = 0;
  double y = 0;
};
using Corners4 = std::array<PlanePoint, 4>;

/// The map that takes each of four points to the other's point with the same place, of which no
/// three may lie on a line. Coefficients are rounded to f32, as torchvision's are.
ProjectiveMap mapOfCorners(const Corners4& from, const Corners4& to);
ProjectiveMap inverseOf(const ProjectiveMap& map);

/// torchvision's perspective of u8 pictures: fills every pixel of `to`, which has the size of
/// `from` and does not overlap, with the point of `from` that `map` has for the pixel's centre. For
/// use by one thread.
class PerspectiveWarp {
 public:
  void run(const ImageView& from, const ProjectiveMap& map, const GridSampling& rule,
           MutableImageView to);

 private:
  GridSampler m_sampler;
  std::vector<float> m_x;
  std::vector<float> m_y;
};

}  // namespace millrace
