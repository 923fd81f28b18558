// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/affine.h"

#include <cmath>

#include "core/base/check.h"
#include "core/kernels/affine_rules.h"

namespace millrace {

namespace {

template <int kChannels>
void warpRow(const AffineReader& reader, AffineWalk walk, bool nearest, int width,
             std::uint8_t* out) {
  for (int i = 0; i < width; ++i, out += kChannels, walk.x += walk.stepX, walk.y += walk.stepY) {
    if (nearest)
      warpNearest<kChannels>(reader, walk.x, walk.y, out);
    else
      warpBilinear<kChannels>(reader, walk.x, walk.y, out);
  }
}

template <int kChannels>
void warp(const AffineReader& reader, const AffineMap& map, bool nearest, MutableImageView to) {
  for (int row = 0; row < to.height; ++row)
    warpRow<kChannels>(reader, walkOf(map, nearest, row), nearest, to.width, to.row(row));
}

}  // namespace

bool isWithinLimits(const AffineMap& map) {
  const auto small = [](double a, double limit) { return std::abs(a) < limit; };
  return small(map.xx, 8192) && small(map.xy, 8192) && small(map.yx, 8192) && small(map.yy, 8192) &&
         small(map.x0, 1 << 28) && small(map.y0, 1 << 28);
}

void warpAffine(ImageView from, const AffineMap& map, Filter filter, Border border,
                const std::array<std::uint8_t, 4>& fill, MutableImageView to) {
  MILLRACE_CHECK(filter != Filter::Bicubic, "an affine map supports nearest and bilinear only");
  MILLRACE_CHECK(from.channels == to.channels, "an affine map must keep the number of channels");
  MILLRACE_CHECK(isWithinLimits(map),
                 "an affine map's coefficients must be below 2^13 and its offsets below 2^28");
  MILLRACE_CHECK(to.width <= 65536 && to.height <= 65536,
                 "the result must have at most 65536 pixels per side");
  const AffineReader reader{from.data,   from.width, from.height, from.channels,
                            from.stride, border,     fill.data()};
  const bool nearest = filter == Filter::Nearest;
  switch (from.channels) {
    case 1: return warp<1>(reader, map, nearest, to);
    case 2: return warp<2>(reader, map, nearest, to);
    case 3: return warp<3>(reader, map, nearest, to);
    case 4: return warp<4>(reader, map, nearest, to);
    default: MILLRACE_CHECK(false, "an affine map takes 1 to 4 channels");
  }
}

}  // namespace millrace
