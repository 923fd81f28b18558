// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/data/image_view.h"

namespace millrace {

/// torchvision's adjust_sharpness of u8 pictures, in place: `factor` 0 is a smoothed picture, 1 the
/// picture, 2 twice as far from the smoothed one. The smoothed pixel is the mean of 3 x 3 with five
/// times the weight in the middle, rounded; the outermost pixels stay. A fourth channel is alpha,
/// which stays. For use by one thread; scratch memory only grows.
class Sharpness {
 public:
  void run(MutableImageView picture, double factor);

 private:
  std::vector<std::uint8_t> m_above;  ///< the row above, before it changed
  std::vector<std::uint8_t> m_here;
  std::vector<std::uint16_t> m_sums;  ///< of three values above each other
};

}  // namespace millrace
