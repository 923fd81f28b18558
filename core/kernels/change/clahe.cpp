// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/change/clahe.h"

#include <algorithm>
#include <cmath>

namespace millrace {

namespace {

constexpr int kValues = 256;

using Histogram = std::array<int, kValues>;

/// Index of a pixel beyond the border, where the picture is reflected without its edge.
int reflected(int i, int length) {
  if (length == 1) return 0;
  const int period = 2 * (length - 1);
  const int at = i % period;
  return at < length ? at : period - at;
}

/// Spreads what exceeds the limit over all values, as OpenCV's clahe.cpp does.
void clip(Histogram& counts, int limit) {
  int clipped = 0;
  for (int& count : counts) {
    clipped += std::max(0, count - limit);
    count = std::min(count, limit);
  }
  const int each = clipped / kValues;
  int left = clipped % kValues;
  for (int& count : counts) count += each;
  if (left == 0) return;
  const int step = std::max(kValues / left, 1);
  for (int value = 0; value < kValues && left > 0; value += step, --left)
    ++counts[static_cast<std::size_t>(value)];
}

std::uint8_t rounded(float value) {
  return static_cast<std::uint8_t>(std::clamp(std::nearbyint(value), 0.0F, 255.0F));
}

/// ITU-R BT.601, in 16 fractional bits.
std::uint8_t lumaOf(const std::uint8_t* rgb) {
  return static_cast<std::uint8_t>((rgb[0] * 19595 + rgb[1] * 38470 + rgb[2] * 7471 + 32768) >> 16);
}

}  // namespace

void Clahe::readLuma(const MutableImageView& picture) {
  const auto width = static_cast<std::size_t>(picture.width);
  m_luma.resize(width * static_cast<std::size_t>(picture.height));
  for (int y = 0; y < picture.height; ++y) {
    const std::uint8_t* from = picture.row(y);
    std::uint8_t* to = m_luma.data() + static_cast<std::size_t>(y) * width;
    for (std::size_t x = 0; x < width; ++x, from += picture.channels)
      to[x] = picture.channels < 3 ? *from : lumaOf(from);
  }
}

void Clahe::makeTables(Size size, double limit, int tiles) {
  const int right = size.width % tiles;
  const int below = size.height % tiles;
  // OpenCV extends both sides, by a row or column for each tile if only the other is not divisible.
  const int more = right == 0 && below == 0 ? 0 : tiles;
  m_tile = {(size.width + more - right) / tiles, (size.height + more - below) / tiles};
  const int area = m_tile.width * m_tile.height;
  const int most = std::max(static_cast<int>(limit * area / kValues), 1);
  const float scale = static_cast<float>(kValues - 1) / static_cast<float>(area);
  m_tables.resize(static_cast<std::size_t>(tiles) * static_cast<std::size_t>(tiles));
  for (int ty = 0; ty < tiles; ++ty)
    for (int tx = 0; tx < tiles; ++tx) {
      Histogram counts{};
      for (int y = ty * m_tile.height; y < (ty + 1) * m_tile.height; ++y) {
        const std::uint8_t* row =
            m_luma.data() + static_cast<std::size_t>(reflected(y, size.height)) *
                                static_cast<std::size_t>(size.width);
        for (int x = tx * m_tile.width; x < (tx + 1) * m_tile.width; ++x)
          ++counts[row[reflected(x, size.width)]];
      }
      if (limit > 0) clip(counts, most);
      Table& table = m_tables[static_cast<std::size_t>(ty * tiles + tx)];
      int sum = 0;
      for (std::size_t value = 0; value < kValues; ++value) {
        sum += counts[value];
        table[value] = rounded(static_cast<float>(sum) * scale);
      }
    }
}

std::vector<Clahe::Between> Clahe::placesOf(int length, int tile, int tiles) {
  std::vector<Between> places;
  const float perTile = 1.0F / static_cast<float>(tile);
  for (int i = 0; i < length; ++i) {
    const float at = static_cast<float>(i) * perTile - 0.5F;
    const auto first = static_cast<int>(std::floor(at));
    places.push_back(
        {std::max(first, 0), std::min(first + 1, tiles - 1), at - static_cast<float>(first)});
  }
  return places;
}

void Clahe::change(MutableImageView picture, int tiles) {
  const std::vector<Between> columns = placesOf(picture.width, m_tile.width, tiles);
  const std::vector<Between> rows = placesOf(picture.height, m_tile.height, tiles);
  for (int y = 0; y < picture.height; ++y) {
    const Between& down = rows[static_cast<std::size_t>(y)];
    const Table* const above = m_tables.data() + down.first * tiles;
    const Table* const below = m_tables.data() + down.second * tiles;
    const std::uint8_t* luma =
        m_luma.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width);
    std::uint8_t* to = picture.row(y);
    for (const Between& across : columns) {
      const std::uint8_t value = *luma++;
      const float upper = above[across.first][value] * (1 - across.share) +
                          above[across.second][value] * across.share;
      const float lower = below[across.first][value] * (1 - across.share) +
                          below[across.second][value] * across.share;
      const std::uint8_t changed = rounded(upper * (1 - down.share) + lower * down.share);
      if (picture.channels < 3)
        *to = changed;
      else
        for (int c = 0; c < 3; ++c)
          to[c] = static_cast<std::uint8_t>(std::clamp(to[c] + changed - value, 0, 255));
      to += picture.channels;
    }
  }
}

void Clahe::run(MutableImageView picture, double limit, int tiles) {
  if (picture.width <= 0 || picture.height <= 0) return;
  readLuma(picture);
  makeTables({picture.width, picture.height}, limit, tiles);
  change(picture, tiles);
}

}  // namespace millrace
