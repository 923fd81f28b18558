// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/data/image_view.h"

namespace millrace {

/// Where a picture is sampled and what is outside of it.
struct GridSampling {
  bool nearest = true;  ///< else bilinear
  /// Shown outside the picture, and blended in at its border. Not set: black, as torchvision's
  /// `fill=None`, which differs by the blending.
  std::optional<std::array<std::uint8_t, 4>> fill;
};

/// Pictures sampled at any places, as torchvision.transforms.v2 does it with torch's grid_sample
/// (align_corners=False, zeros): the same f32 arithmetic, with the fused operations of a CPU that
/// has them, so that nearest takes the same pixel where a place lies between two. The result does
/// not depend on the vector level. For use by one thread; scratch memory only grows.
class GridSampler {
 public:
  /// Writes a row of the result: pixel i shows the point (x[i], y[i]) of `from`, whose corners are
  /// (-1, -1) and (1, 1). 1 to 4 channels.
  void row(const ImageView& from, const float* x, const float* y, std::size_t count,
           const GridSampling& rule, std::uint8_t* out);

 private:
  std::vector<std::int32_t> m_columns;
  std::vector<std::int32_t> m_rows;
  std::vector<float> m_right;  ///< bilinear: the share of the next column and row
  std::vector<float> m_down;
};

/// An affine map in torchvision's form: a point of the result, relative to its centre in pixels,
/// becomes a point of the picture, relative to its centre.
struct CentredMap {
  double xx = 1, xy = 0, x0 = 0;
  double yx = 0, yy = 1, y0 = 0;
};

/// Fills every pixel of `to` from `from`, which has the same size and does not overlap.
class CentredWarp {
 public:
  void run(const ImageView& from, const CentredMap& map, const GridSampling& rule,
           MutableImageView to);

 private:
  GridSampler m_sampler;
  std::vector<float> m_acrossX;  ///< what a column adds to the places of its pixels
  std::vector<float> m_acrossY;
  std::vector<float> m_x;
  std::vector<float> m_y;
};

}  // namespace millrace
