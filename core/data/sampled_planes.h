// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "core/data/image_view.h"

namespace millrace {

/// A component of a picture on a grid of its own.
struct SampledPlane {
  ImageView samples;  ///< one channel
  /// The picture's region in these samples; its edges may lie inside the outermost ones. Samples
  /// are centred as JFIF has it: one of chroma that stands for 2 x 2 pixels lies between the four,
  /// so an edge at pixel x is at x / 2.
  Box region;
};

/// Borrowed: luma alone, or luma, blue and red chroma (Y, Cb and Cr of ITU-T T.871, 0 to 255), the
/// latter two on the same grid.
struct SampledPlanes {
  std::array<SampledPlane, 3> plane;
  std::size_t count = 0;  ///< 1 or 3; 0: none
};

}  // namespace millrace
