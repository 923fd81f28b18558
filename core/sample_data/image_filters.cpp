// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/sample_data/image_filters.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/check.h"
#include "core/sample_data/shape.h"

namespace millrace::samples {
namespace {

constexpr int kChannels = 3;

std::uint8_t rounded(float value) {
  return static_cast<std::uint8_t>(std::clamp(value + 0.5F, 0.0F, 255.0F));
}

float cubic(float x) {
  x = std::abs(x);
  if (x < 1) return (1.5F * x - 2.5F) * x * x + 1.0F;
  if (x < 2) return ((-0.5F * x + 2.5F) * x - 4.0F) * x + 2.0F;
  return 0;
}

/// The weights of the 4 * ratio pixels around an output pixel; equal for all, because the ratio is
/// whole.
std::vector<float> cubicWeights(int ratio) {
  std::vector<float> weights(static_cast<std::size_t>(4 * ratio));
  float sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float offset = static_cast<float>(i) + 0.5F - 2.0F * static_cast<float>(ratio);
    sum += weights[i] = cubic(offset / static_cast<float>(ratio));
  }
  for (float& weight : weights) weight /= sum;
  return weights;
}

/// The maximum distance over which a blur spreads a pixel.
constexpr int kReach = 24;

struct Tap {
  int dx = 0;
  int dy = 0;
  float weight = 0;
};

class PointSpread {
 public:
  void add(float x, float y) {
    const int left = static_cast<int>(std::floor(x));
    const int top = static_cast<int>(std::floor(y));
    const float right = x - static_cast<float>(left);
    const float below = y - static_cast<float>(top);
    at(left, top) += (1 - right) * (1 - below);
    at(left + 1, top) += right * (1 - below);
    at(left, top + 1) += (1 - right) * below;
    at(left + 1, top + 1) += right * below;
    m_sum += 1;
  }
  std::vector<Tap> taps() const {
    std::vector<Tap> taps;
    for (int dy = -kReach; dy <= kReach; ++dy)
      for (int dx = -kReach; dx <= kReach; ++dx)
        if (const float weight = m_grid[index(dx, dy)]; weight > 0)
          taps.push_back({dx, dy, weight / m_sum});
    return taps;
  }

 private:
  static constexpr int kSide = 2 * kReach + 1;
  static std::size_t index(int x, int y) {
    return static_cast<std::size_t>((std::clamp(y, -kReach, kReach) + kReach) * kSide +
                                    std::clamp(x, -kReach, kReach) + kReach);
  }
  float& at(int x, int y) { return m_grid[index(x, y)]; }

  std::vector<float> m_grid = std::vector<float>(std::size_t{kSide} * kSide);
  float m_sum = 0;
};

std::vector<Tap> cameraPath(Draw& draw, float reach) {
  PointSpread spread;
  constexpr int kSteps = 64;
  auto turns = static_cast<float>(draw.unit());
  const auto bend = static_cast<float>(draw.uniform(-0.3, 0.3)) / kSteps;
  const float step = reach / kSteps;
  float x = -0.5F * reach * cosineOfTurns(turns);
  float y = -0.5F * reach * sineOfTurns(turns);
  for (int i = 0; i < kSteps; ++i) {
    spread.add(x, y);
    x += step * cosineOfTurns(turns);
    y += step * sineOfTurns(turns);
    turns += bend;
  }
  return spread.taps();
}

std::vector<Tap> disc(float diameter) {
  PointSpread spread;
  const float radius = diameter * 0.5F;
  for (float y = -radius; y <= radius; y += 0.5F)
    for (float x = -radius; x <= radius; x += 0.5F)
      if (x * x + y * y <= radius * radius) spread.add(x, y);
  return spread.taps();
}

/// The image with kReach more columns on each side that repeat its outermost pixels.
std::vector<std::uint8_t> widened(ImageView image) {
  std::vector<std::uint8_t> wide;
  wide.reserve(static_cast<std::size_t>((image.width + 2 * kReach) * image.height * kChannels));
  for (int y = 0; y < image.height; ++y)
    for (int x = -kReach; x < image.width + kReach; ++x) {
      const std::uint8_t* pixel = image.row(y) + std::clamp(x, 0, image.width - 1) * kChannels;
      wide.insert(wide.end(), pixel, pixel + kChannels);
    }
  return wide;
}

}  // namespace

std::vector<std::uint8_t> downscaled(ImageView image, int ratio) {
  MILLRACE_CHECK(
      image.channels == kChannels && image.width % ratio == 0 && image.height % ratio == 0,
      "downscaled needs RGB and a size that is a multiple of the ratio");
  const std::vector<float> weights = cubicWeights(ratio);
  const int taps = static_cast<int>(weights.size());
  const int width = image.width / ratio;
  const int height = image.height / ratio;
  const int rowSize = image.width * kChannels;
  std::vector<std::uint8_t> small(static_cast<std::size_t>(width * height * kChannels));
  std::vector<float> column(static_cast<std::size_t>(rowSize));
  for (int y = 0; y < height; ++y) {
    std::fill(column.begin(), column.end(), 0.0F);
    for (int k = 0; k < taps; ++k) {
      const int line = std::clamp(y * ratio + ratio / 2 - taps / 2 + k, 0, image.height - 1);
      const std::uint8_t* row = image.row(line);
      const float weight = weights[static_cast<std::size_t>(k)];
      for (int i = 0; i < rowSize; ++i) column[static_cast<std::size_t>(i)] += weight * row[i];
    }
    for (int x = 0; x < width * kChannels; ++x) {
      float sum = 0;
      for (int k = 0; k < taps; ++k) {
        const int at =
            std::clamp(x / kChannels * ratio + ratio / 2 - taps / 2 + k, 0, image.width - 1);
        sum += weights[static_cast<std::size_t>(k)] *
               column[static_cast<std::size_t>(at * kChannels + x % kChannels)];
      }
      small[static_cast<std::size_t>(y * width * kChannels + x)] = rounded(sum);
    }
  }
  return small;
}

std::vector<std::uint8_t> blurred(ImageView image, Draw& draw, float reach) {
  MILLRACE_CHECK(image.channels == kChannels, "blurred needs RGB");
  const std::vector<Tap> taps = draw.bernoulli(0.75) ? cameraPath(draw, reach) : disc(reach * 0.6F);
  const int rowSize = image.width * kChannels;
  const std::vector<std::uint8_t> wide = widened(image);
  const int wideRow = rowSize + 2 * kReach * kChannels;
  std::vector<std::uint8_t> result(static_cast<std::size_t>(image.height * rowSize));
  std::vector<float> sums(static_cast<std::size_t>(rowSize));
  for (int y = 0; y < image.height; ++y) {
    std::fill(sums.begin(), sums.end(), 0.0F);
    for (const Tap& tap : taps) {
      const int line = std::clamp(y + tap.dy, 0, image.height - 1);
      const std::uint8_t* row = wide.data() + line * wideRow + (kReach + tap.dx) * kChannels;
      for (int i = 0; i < rowSize; ++i) sums[static_cast<std::size_t>(i)] += tap.weight * row[i];
    }
    std::transform(sums.begin(), sums.end(), result.begin() + y * rowSize, rounded);
  }
  return result;
}

}  // namespace millrace::samples
