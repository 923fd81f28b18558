// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/random.h"
#include "core/kernels/warp/grid_sample.h"

namespace millrace {

/// How far each pixel of a picture is moved along one axis, in halves of the picture's side, by
/// rows.
struct Displacement {
  Size size;
  std::vector<float> x;
  std::vector<float> y;
};

/// Draws displacements like torchvision's ElasticTransform: uniform noise, smoothed by a Gaussian
/// of `sigma` pixels (0: not smoothed) whose kernel is int(8 sigma + 1) wide, times `alpha` pixels.
/// Borders are mirrored. For use by one thread; scratch memory only grows.
class ElasticField {
 public:
  void draw(Size size, double alpha, double sigma, Draw& draw, Displacement& into);

 private:
  void smooth(Size size, std::vector<float>& field);

  std::vector<float> m_weights;
  std::vector<float> m_line;    ///< a row of the field, mirrored at both ends
  std::vector<float> m_padded;  ///< rows that are smoothed across, mirrored above and below
  std::vector<float> m_sums;
  std::vector<const float*> m_rows;
};

/// torchvision's elastic of u8 pictures: fills every pixel of `to`, which has the size of `from`
/// and does not overlap. A displacement of another size applies to the same parts of the picture.
/// For use by one thread.
class ElasticWarp {
 public:
  void run(const ImageView& from, const Displacement& displacement, const GridSampling& rule,
           MutableImageView to);

 private:
  GridSampler m_sampler;
  std::vector<float> m_across;  ///< the places of the columns
  std::vector<float> m_x;
  std::vector<float> m_y;
};

}  // namespace millrace
