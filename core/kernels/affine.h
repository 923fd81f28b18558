// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "core/data/border.h"
#include "core/data/filter.h"
#include "core/data/image_view.h"
#include "core/kernels/host_device.h"
#include "core/kernels/pass/pixel_pass.h"

namespace millrace {

/// The index in [0, size) whose pixel is used for index i outside of it; -1 for Constant. size >=
/// 1.
MILLRACE_HOST_DEVICE inline std::int64_t borderIndex(std::int64_t i, std::int64_t size,
                                                     Border border) {
  if (i >= 0 && i < size) return i;
  if (border == Border::Constant) return -1;
  if (border == Border::Edge) return i < 0 ? 0 : size - 1;
  if (border == Border::Reflect && size == 1) return 0;
  const std::int64_t period = border == Border::Wrap        ? size
                              : border == Border::Symmetric ? 2 * size
                                                            : 2 * size - 2;
  const std::int64_t turned = (i % period + period) % period;
  if (turned < size) return turned;
  return border == Border::Symmetric ? period - 1 - turned : period - turned;
}

/// Maps a point of the result to a point of the input, in coordinates where pixel i covers [i, i +
/// 1): x' = xx x + xy y + x0, y' = yx x + yy y + y0.
struct AffineMap {
  double xx = 1, xy = 0, x0 = 0;
  double yx = 0, yy = 1, y0 = 0;
};

/// Whether the coefficients are small enough for warpAffine().
bool isWithinLimits(const AffineMap& map);

/// Fills every pixel of `to` from `from`; `map` maps points of `to` to points of `from`. Both
/// images have the same 1 to 4 channels and do not overlap. Nearest takes the pixel that contains
/// the point; Bilinear interpolates between four pixels in fixed point (coordinates with 32
/// fractional bits, weights of 11 bits, rounded to nearest), so the result is the same on every
/// machine. `fill` is used for Border::Constant, where Bilinear blends it in. Coefficients must be
/// below 2^13 and offsets below 2^28. Any thread.
void warpAffine(ImageView from, const AffineMap& map, Filter filter, Border border,
                const std::array<std::uint8_t, 4>& fill, MutableImageView to);
/// The same for floats of 1 to kMostFloatChannels channels in any layout; Bilinear sums in f64 with
/// weights of 32 bits. `to` has the size and layout of `from`.
void warpFloats(const FloatImageView& from, const AffineMap& map, Filter filter, Border border,
                const std::array<float, kMostFloatChannels>& fill, float* to);

}  // namespace millrace
