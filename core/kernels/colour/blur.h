// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/data/buffer.h"
#include "core/data/image_view.h"

namespace millrace {

/// Width and strength of a Gaussian: the number of taps (odd) and sigma in pixels, per axis.
struct GaussianSpec {
  Size size{3, 3};
  double sigmaX = 1;
  double sigmaY = 1;
};

/// The weights of one axis, which sum to 1; replaces the content of `weights`.
void gaussianWeights(int size, double sigma, std::vector<float>& weights);

/// Gaussian blur of u8 pixels in place. Borders are mirrored without repeating the edge
/// (reflect101); the weights are those of torchvision's gaussian_blur. Separable: f32 sums, rows
/// first, rounded to nearest even after the columns. torchvision sums both axes at once, so its
/// result may differ by one. Pictures smaller than the kernel are mirrored repeatedly. For use by
/// one thread; scratch memory only grows.
class GaussianBlur {
 public:
  void run(MutableImageView image, const GaussianSpec& spec);

 private:
  float* slot(int row);
  void makeRow(MutableImageView image, int row);
  void writeRow(MutableImageView image, int row);

  std::vector<float> m_across;
  std::vector<float> m_down;
  std::vector<float> m_sums;
  std::vector<float> m_line;  ///< one source row, mirrored at both ends
  std::vector<const float*> m_rows;
  Buffer m_ring;  ///< blurred rows, one per tap of m_down
  std::size_t m_rowSize = 0;
};

}  // namespace millrace
