// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/sample_data/texture_tiles.h"

#include <algorithm>
#include <cmath>

namespace millrace::samples {
namespace {

constexpr int kSize = TextureTiles::kSize;
constexpr int kMask = kSize - 1;
using Tile = std::vector<float>;

Tile emptyTile() { return Tile(static_cast<std::size_t>(kSize) * kSize); }
float& pixel(Tile& tile, int x, int y) {
  return tile[static_cast<std::size_t>(y & kMask) * kSize + static_cast<std::size_t>(x & kMask)];
}
float pixel(const Tile& tile, int x, int y) {
  return tile[static_cast<std::size_t>(y & kMask) * kSize + static_cast<std::size_t>(x & kMask)];
}

/// One key per row, because a key yields at most 2^18 words.
Draw rowDraw(std::uint64_t seed, Texture texture, int level, int row) {
  return Draw(DrawKey{seed, static_cast<std::uint32_t>(level), static_cast<std::uint32_t>(row), 0,
                      static_cast<std::uint32_t>(fnv1a("texture") & 0xffffU) |
                          static_cast<std::uint32_t>(texture) << 16U});
}

Tile whiteNoise(std::uint64_t seed, Texture texture) {
  Tile tile = emptyTile();
  for (int y = 0; y < kSize; ++y) {
    Draw draw = rowDraw(seed, texture, 0, y);
    for (int x = 0; x < kSize; ++x) pixel(tile, x, y) = static_cast<float>(draw.unit());
  }
  return tile;
}

/// Scales to mean 0.5, with this many standard deviations on each side within 0 to 1, and clamps.
void normalise(Tile& tile, double deviations = 3.0) {
  double sum = 0;
  double squares = 0;
  for (const float value : tile) {
    sum += value;
    squares += double{value} * value;
  }
  const double count = static_cast<double>(tile.size());
  const double mean = sum / count;
  const double deviation = std::sqrt(std::max(1e-12, squares / count - mean * mean));
  for (float& value : tile)
    value = static_cast<float>(
        std::clamp((value - mean) / (2.0 * deviations * deviation) + 0.5, 0.0, 1.0));
}

/// Doubles the size in both directions: each new pixel is 3/4 of the nearest and 1/4 of the next
/// one.
std::vector<float> doubled(const std::vector<float>& grid, int size) {
  std::vector<float> wide(grid.size() * 4);
  const auto at = [&](int x, int y) {
    return grid[static_cast<std::size_t>(y & (size - 1)) * static_cast<std::size_t>(size) +
                static_cast<std::size_t>(x & (size - 1))];
  };
  for (int y = 0; y < 2 * size; ++y) {
    const int y0 = y / 2;
    const int y1 = y % 2 == 0 ? y0 - 1 : y0 + 1;
    for (int x = 0; x < 2 * size; ++x) {
      const int x0 = x / 2;
      const int x1 = x % 2 == 0 ? x0 - 1 : x0 + 1;
      wide[static_cast<std::size_t>(y * 2 * size + x)] =
          0.5625F * at(x0, y0) + 0.1875F * (at(x1, y0) + at(x0, y1)) + 0.0625F * at(x1, y1);
    }
  }
  return wide;
}

/// Noise with all octaves, each with `persistence` times the amplitude of the previous one (0.5
/// gives 1/f²).
Tile octaves(std::uint64_t seed, Texture texture, float persistence) {
  int size = 4;
  float amplitude = 1.0F;
  std::vector<float> grid(16, 0.0F);
  for (int level = 0;; ++level) {
    for (int y = 0; y < size; ++y) {
      Draw draw = rowDraw(seed, texture, level, y);
      for (int x = 0; x < size; ++x)
        grid[static_cast<std::size_t>(y * size + x)] +=
            amplitude * (static_cast<float>(draw.unit()) - 0.5F);
    }
    if (size == kSize) break;
    grid = doubled(grid, size);
    size *= 2;
    amplitude *= persistence;
  }
  normalise(grid);
  return grid;
}

Tile fur(std::uint64_t seed) {
  const Tile noise = whiteNoise(seed, Texture::Fur);
  const Tile slow = octaves(seed, Texture::Fur, 0.6F);
  constexpr int kLength = 22;
  Tile tile = emptyTile();
  for (int y = 0; y < kSize; ++y) {
    float sum = 0;
    for (int x = 0; x < kLength; ++x) sum += pixel(noise, x, y);
    for (int x = 0; x < kSize; ++x) {
      pixel(tile, x, y) = sum / kLength + 0.12F * pixel(slow, x, y);
      sum += pixel(noise, x + kLength, y) - pixel(noise, x, y);
    }
  }
  normalise(tile, 2.5);
  return tile;
}

Tile marble(const Tile& cloud) {
  Tile tile = cloud;
  for (float& value : tile) {
    const float ridge = 1.0F - std::abs(2.0F * value - 1.0F);
    value = ridge * ridge * ridge;
  }
  return tile;
}

Tile cells(std::uint64_t seed) {
  constexpr int kGrid = 20;
  constexpr float kStep = static_cast<float>(kSize) / kGrid;
  std::array<std::array<float, 3>, kGrid * kGrid> points{};
  for (int i = 0; i < kGrid * kGrid; ++i) {
    Draw draw = rowDraw(seed, Texture::Cells, 0, i);
    points[static_cast<std::size_t>(i)] = {static_cast<float>(draw.unit()),
                                           static_cast<float>(draw.unit()),
                                           static_cast<float>(draw.unit())};
  }
  Tile tile = emptyTile();
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x) {
      const float gx = static_cast<float>(x) / kStep;
      const float gy = static_cast<float>(y) / kStep;
      float nearest = 9.0F;
      float second = 9.0F;
      float shade = 0.0F;
      for (int k = 0; k < 9; ++k) {
        const int column = static_cast<int>(gx) + k % 3 - 1;
        const int line = static_cast<int>(gy) + k / 3 - 1;
        const auto& point = points[static_cast<std::size_t>((line + kGrid) % kGrid * kGrid +
                                                            (column + kGrid) % kGrid)];
        const float dx = static_cast<float>(column) + point[0] - gx;
        const float dy = static_cast<float>(line) + point[1] - gy;
        const float distance = dx * dx + dy * dy;
        if (distance < nearest) {
          second = nearest;
          nearest = distance;
          shade = point[2];
        } else {
          second = std::min(second, distance);
        }
      }
      const float crack = std::min(1.0F, 5.0F * (std::sqrt(second) - std::sqrt(nearest)));
      pixel(tile, x, y) = crack * (0.35F + 0.65F * shade);
    }
  return tile;
}

Tile bricks(std::uint64_t seed, const Tile& grain) {
  constexpr int kWidth = 64;
  constexpr int kHeight = 32;
  Tile tile = emptyTile();
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x) {
      const int line = y / kHeight;
      const int shifted = (x + (line % 2) * kWidth / 2) & kMask;
      Draw draw = rowDraw(seed, Texture::Brick, 0, line * 64 + shifted / kWidth);
      const int fromEdge = std::min(shifted % kWidth, y % kHeight);
      const float base = fromEdge < 3 ? 0.95F : 0.2F + 0.45F * static_cast<float>(draw.unit());
      pixel(tile, x, y) = std::clamp(base + 0.4F * (pixel(grain, x, y) - 0.5F), 0.0F, 1.0F);
    }
  return tile;
}

Tile stripes(const Tile& cloud) {
  constexpr int kPeriod = 64;
  Tile tile = emptyTile();
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x) {
      const float phase =
          (static_cast<float>(x) + 60.0F * pixel(cloud, x, y) + static_cast<float>(kSize)) /
          kPeriod;
      const float part = phase - static_cast<float>(static_cast<int>(phase));
      const float wave = std::abs(2.0F * part - 1.0F);
      pixel(tile, x, y) = std::clamp(0.5F + 6.0F * (wave - 0.5F), 0.1F, 0.9F) +
                          0.2F * (pixel(cloud, x * 3, y * 3) - 0.5F);
    }
  return tile;
}

Tile dots(const Tile& grain) {
  constexpr int kPeriod = 64;
  Tile tile = emptyTile();
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x) {
      const int shift = y / kPeriod % 2 * 32;
      const int across = (x + shift) % kPeriod - kPeriod / 2;
      const int down = y % kPeriod - kPeriod / 2;
      const auto dx = static_cast<float>(across);
      const auto dy = static_cast<float>(down);
      const float inside = 18.0F - std::sqrt(dx * dx + dy * dy);
      pixel(tile, x, y) =
          std::clamp(inside * 0.5F + 0.5F, 0.1F, 0.9F) + 0.2F * (pixel(grain, x, y) - 0.5F);
    }
  return tile;
}

void paintDisc(Tile& tile, int x, int y, int radius, float shade) {
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      if (dx * dx + dy * dy > radius * radius) continue;
      const float light = static_cast<float>(dx + dy) / static_cast<float>(4 * radius);
      pixel(tile, x + dx, y + dy) = std::clamp(shade - 0.3F * light, 0.0F, 1.0F);
    }
}

/// Radii are distributed as r^-3, which makes the picture look similar at every scale.
Tile deadLeaves(std::uint64_t seed) {
  Tile tile(static_cast<std::size_t>(kSize) * kSize, 0.5F);
  constexpr int kDiscs = 9000;
  for (int i = 0; i < kDiscs; ++i) {
    Draw draw = rowDraw(seed, Texture::Leaves, 0, i);
    // The inverse of the cumulative distribution of r^-3 between 2.5 and 60 pixels.
    const double u = draw.unit();
    const double radius = 1.0 / std::sqrt(1.0 / 6.25 - u * (1.0 / 6.25 - 1.0 / 3600.0));
    paintDisc(tile, static_cast<int>(draw.integer(0, kMask)),
              static_cast<int>(draw.integer(0, kMask)), static_cast<int>(radius),
              static_cast<float>(draw.unit()));
  }
  return tile;
}

}  // namespace

TextureTiles::TextureTiles(std::uint64_t seed) {
  const auto tile = [this](Texture texture) -> Tile& {
    return m_tiles[static_cast<std::size_t>(texture)];
  };
  tile(Texture::Cloud) = octaves(seed, Texture::Cloud, 0.55F);
  tile(Texture::Grain) = octaves(seed, Texture::Grain, 0.85F);
  tile(Texture::Fur) = fur(seed);
  tile(Texture::Marble) = marble(tile(Texture::Cloud));
  tile(Texture::Cells) = cells(seed);
  tile(Texture::Brick) = bricks(seed, tile(Texture::Grain));
  tile(Texture::Stripes) = stripes(tile(Texture::Cloud));
  tile(Texture::Dots) = dots(tile(Texture::Grain));
  tile(Texture::Leaves) = deadLeaves(seed);
  tile(Texture::White) = whiteNoise(seed, Texture::White);
}

}  // namespace millrace::samples
