// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/affine.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"

namespace millrace {

namespace {

constexpr int kPlaceBits = 32;
constexpr int kWeightBits = 11;
constexpr std::int32_t kOne = 1 << kWeightBits;

std::int64_t fixed(double value) {
  return std::llround(value * static_cast<double>(std::int64_t{1} << kPlaceBits));
}

/// The input pixel at (x, y), wherever that is.
struct Reader {
  ImageView from;
  Border border;
  const std::uint8_t* fill;

  const std::uint8_t* at(std::int64_t x, std::int64_t y) const {
    const std::int64_t column = borderIndex(x, from.width, border);
    const std::int64_t row = borderIndex(y, from.height, border);
    if (column < 0 || row < 0) return fill;
    return from.row(static_cast<int>(row)) + column * from.channels;
  }
};

/// Four neighbours and how far between them the place is, in units of kOne.
struct Neighbours {
  const std::uint8_t* pixels[4];
  std::int32_t right;
  std::int32_t down;
};

Neighbours neighbours(const Reader& reader, std::int64_t x, std::int64_t y) {
  const std::int64_t column = x >> kPlaceBits;
  const std::int64_t row = y >> kPlaceBits;
  Neighbours found;
  if (column >= 0 && row >= 0 && column + 1 < reader.from.width && row + 1 < reader.from.height) {
    const std::uint8_t* first =
        reader.from.row(static_cast<int>(row)) + column * reader.from.channels;
    const std::uint8_t* below = first + reader.from.stride;
    found = {{first, first + reader.from.channels, below, below + reader.from.channels}, 0, 0};
  } else {
    found = {{reader.at(column, row), reader.at(column + 1, row), reader.at(column, row + 1),
              reader.at(column + 1, row + 1)},
             0,
             0};
  }
  constexpr int kDrop = kPlaceBits - kWeightBits;
  found.right = static_cast<std::int32_t>((x & 0xffffffff) >> kDrop);
  found.down = static_cast<std::int32_t>((y & 0xffffffff) >> kDrop);
  return found;
}

template <int kChannels>
void mixNeighbours(const Neighbours& near, std::uint8_t* out) {
  const std::int32_t weights[4] = {(kOne - near.right) * (kOne - near.down),
                                   near.right * (kOne - near.down), (kOne - near.right) * near.down,
                                   near.right * near.down};
  for (int c = 0; c < kChannels; ++c) {
    std::int32_t sum = 1 << (2 * kWeightBits - 1);
    for (int i = 0; i < 4; ++i) sum += near.pixels[i][c] * weights[i];
    out[c] = static_cast<std::uint8_t>(sum >> (2 * kWeightBits));
  }
}

struct Walk {
  std::int64_t x;
  std::int64_t y;
  std::int64_t stepX;
  std::int64_t stepY;
};

template <int kChannels>
void warpRow(const Reader& reader, Walk walk, bool nearest, int width, std::uint8_t* out) {
  for (int i = 0; i < width; ++i, out += kChannels, walk.x += walk.stepX, walk.y += walk.stepY) {
    if (nearest)
      std::copy_n(reader.at(walk.x >> kPlaceBits, walk.y >> kPlaceBits), kChannels, out);
    else
      mixNeighbours<kChannels>(neighbours(reader, walk.x, walk.y), out);
  }
}

template <int kChannels>
void warp(const Reader& reader, const AffineMap& map, bool nearest, MutableImageView to) {
  // Bilinear mixes pixel centres, which lie half a pixel inside.
  const double shift = nearest ? 0.0 : 0.5;
  for (int row = 0; row < to.height; ++row) {
    const double y = row + 0.5;
    const Walk walk{fixed(map.xx * 0.5 + map.xy * y + map.x0 - shift),
                    fixed(map.yx * 0.5 + map.yy * y + map.y0 - shift), fixed(map.xx),
                    fixed(map.yx)};
    warpRow<kChannels>(reader, walk, nearest, to.width, to.row(row));
  }
}

bool within(const AffineMap& map) {
  const auto small = [](double a, double limit) { return std::abs(a) < limit; };
  return small(map.xx, 8192) && small(map.xy, 8192) && small(map.yx, 8192) && small(map.yy, 8192) &&
         small(map.x0, 1 << 28) && small(map.y0, 1 << 28);
}

}  // namespace

void warpAffine(ImageView from, const AffineMap& map, Filter filter, Border border,
                const std::array<std::uint8_t, 4>& fill, MutableImageView to) {
  MILLRACE_CHECK(filter != Filter::Bicubic, "an affine map is nearest or bilinear");
  MILLRACE_CHECK(from.channels == to.channels, "an affine map keeps the channels");
  MILLRACE_CHECK(within(map), "an affine map's numbers are below 2^13 and 2^28");
  MILLRACE_CHECK(to.width <= 65536 && to.height <= 65536, "the result is at most 65536 a side");
  const Reader reader{from, border, fill.data()};
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
