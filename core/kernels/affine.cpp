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

/// The place of a float pixel's first channel, or nullptr for the fill.
const float* floatsAt(const FloatImageView& from, Border border, std::int64_t x, std::int64_t y) {
  const std::int64_t column = borderIndex(x, from.width, border);
  const std::int64_t row = borderIndex(y, from.height, border);
  if (column < 0 || row < 0) return nullptr;
  return from.data + row * from.rowStride + column * from.pixelStride;
}

double fractionOf(std::int64_t place) {
  constexpr std::int64_t kOne = std::int64_t{1} << kPlaceBits;
  return static_cast<double>(place & (kOne - 1)) / static_cast<double>(kOne);
}

void mixFloats(const FloatImageView& from, std::int64_t x, std::int64_t y, Border border,
               const float* fill, float* out) {
  const std::int64_t column = x >> kPlaceBits;
  const std::int64_t row = y >> kPlaceBits;
  const double right = fractionOf(x);
  const double down = fractionOf(y);
  const float* const corners[4] = {
      floatsAt(from, border, column, row), floatsAt(from, border, column + 1, row),
      floatsAt(from, border, column, row + 1), floatsAt(from, border, column + 1, row + 1)};
  const double weights[4] = {(1 - right) * (1 - down), right * (1 - down), (1 - right) * down,
                             right * down};
  for (int c = 0; c < from.channels; ++c) {
    double sum = 0;
    for (int i = 0; i < 4; ++i)
      // A corner without weight does not count, even if it is infinite.
      if (weights[i] > 0)
        sum += weights[i] * static_cast<double>(corners[i] == nullptr
                                                    ? fill[c]
                                                    : corners[i][c * from.channelStride]);
    out[c * from.channelStride] = static_cast<float>(sum);
  }
}

void checkMap(const AffineMap& map, Filter filter, Size to) {
  MILLRACE_CHECK(filter != Filter::Bicubic, "an affine map supports nearest and bilinear only");
  MILLRACE_CHECK(isWithinLimits(map),
                 "an affine map's coefficients must be below 2^13 and its offsets below 2^28");
  MILLRACE_CHECK(to.width <= 65536 && to.height <= 65536,
                 "the result must have at most 65536 pixels per side");
}

}  // namespace

bool isWithinLimits(const AffineMap& map) {
  const auto small = [](double a, double limit) { return std::abs(a) < limit; };
  return small(map.xx, 8192) && small(map.xy, 8192) && small(map.yx, 8192) && small(map.yy, 8192) &&
         small(map.x0, 1 << 28) && small(map.y0, 1 << 28);
}

void warpAffine(ImageView from, const AffineMap& map, Filter filter, Border border,
                const std::array<std::uint8_t, 4>& fill, MutableImageView to) {
  checkMap(map, filter, to.size());
  MILLRACE_CHECK(from.channels == to.channels, "an affine map must keep the number of channels");
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

void warpFloats(const FloatImageView& from, const AffineMap& map, Filter filter, Border border,
                const std::array<float, kMostFloatChannels>& fill, float* to) {
  checkMap(map, filter, {from.width, from.height});
  MILLRACE_CHECK(from.channels >= 1 && from.channels <= kMostFloatChannels,
                 "an affine map takes 1 to 64 channels of floats");
  const bool nearest = filter == Filter::Nearest;
  for (int row = 0; row < from.height; ++row) {
    AffineWalk walk = walkOf(map, nearest, row);
    float* out = to + row * from.rowStride;
    for (int i = 0; i < from.width; ++i, out += from.pixelStride) {
      if (nearest) {
        const float* const pixel =
            floatsAt(from, border, walk.x >> kPlaceBits, walk.y >> kPlaceBits);
        for (int c = 0; c < from.channels; ++c)
          out[c * from.channelStride] =
              pixel == nullptr ? fill[static_cast<std::size_t>(c)] : pixel[c * from.channelStride];
      } else {
        mixFloats(from, walk.x, walk.y, border, fill.data(), out);
      }
      walk.x += walk.stepX;
      walk.y += walk.stepY;
    }
  }
}

}  // namespace millrace
