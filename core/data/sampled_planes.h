// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "core/data/image_view.h"

namespace millrace {

/// One colour component of a picture, at its own sampling resolution.
struct SampledPlane {
  ImageView samples;  ///< one channel
  /// The picture's region in the coordinates of these samples; its edges may lie inside the
  /// outermost samples. Samples are sited as in JFIF: a chroma sample for 2 x 2 pixels lies at the
  /// centre of the four, so an edge at pixel x is at x / 2.
  Box region;
};

/// Borrowed planes: luma alone, or luma, blue and red chroma (Y, Cb and Cr of ITU-T T.871, 0 to
/// 255). Both chroma planes have the same resolution.
struct SampledPlanes {
  std::array<SampledPlane, 3> plane;
  std::size_t count = 0;  ///< 1 or 3; 0: none
};

}  // namespace millrace
