// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/warp/grid_sample.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/kernels/colour/colour_rules.h"
#include "core/kernels/warp/grid_rows.h"

namespace millrace {

namespace {

template <int kChannels>
void takePixels(const ImageView& from, const std::int32_t* columns, const std::int32_t* rows,
                std::size_t count, const std::uint8_t* fill, std::uint8_t* out) {
  const auto width = static_cast<std::uint32_t>(from.width);
  const auto height = static_cast<std::uint32_t>(from.height);
  for (std::size_t i = 0; i < count; ++i, out += kChannels) {
    const bool inside = static_cast<std::uint32_t>(columns[i]) < width &&
                        static_cast<std::uint32_t>(rows[i]) < height;
    const std::uint8_t* pixel = inside ? from.row(rows[i]) + columns[i] * kChannels : fill;
    for (int c = 0; c < kChannels; ++c) out[c] = pixel[c];
  }
}

std::uint8_t toByte(float value) {
  return static_cast<std::uint8_t>(std::clamp(std::nearbyint(value), 0.0F, 255.0F));
}

/// The four pixels around a place and their weights.
struct Corners {
  const std::uint8_t* pixels[4];  ///< nullptr: outside
  float weights[4];

  float sum(int channel) const {
    float total = valueOf(0, channel) * weights[0];
    for (int k = 1; k < 4; ++k) total = fusedSum(valueOf(k, channel), weights[k], total);
    return total;
  }
  /// The share of the picture, which the fill makes up to 1. Inside it is about 1, because weights
  /// are rounded.
  float share() const {
    float total = pixels[0] == nullptr ? 0.0F : weights[0];
    for (int k = 1; k < 4; ++k)
      if (pixels[k] != nullptr) total += weights[k];
    return total;
  }

 private:
  float valueOf(int k, int channel) const {
    return pixels[k] == nullptr ? 0.0F : static_cast<float>(pixels[k][channel]);
  }
};

Corners cornersAt(const ImageView& from, std::int32_t x, std::int32_t y, float right, float down) {
  const float left = 1.0F - right;
  const float up = 1.0F - down;
  Corners corners{{}, {left * up, right * up, left * down, right * down}};
  for (int k = 0; k < 4; ++k) {
    const int column = x + k % 2;
    const int row = y + k / 2;
    const bool inside = column >= 0 && column < from.width && row >= 0 && row < from.height;
    corners.pixels[k] = inside ? from.row(row) + column * from.channels : nullptr;
  }
  return corners;
}

/// Pixel i of the row, wherever it is.
void blendPixel(const GridBlend& blend, std::size_t i, std::uint8_t* out) {
  const Corners corners =
      cornersAt(blend.from, blend.columns[i], blend.rows[i], blend.right[i], blend.down[i]);
  const float share = blend.fill == nullptr ? 1 : corners.share();
  const auto channels = static_cast<std::size_t>(blend.from.channels);
  for (std::size_t c = 0; c < channels; ++c) {
    float value = corners.sum(static_cast<int>(c));
    if (blend.fill != nullptr) {
      const auto outside = static_cast<float>(blend.fill[c]);
      value = (value - outside) * share + outside;
    }
    out[i * channels + c] = toByte(value);
  }
}

}  // namespace

void GridSampler::row(const ImageView& from, const float* x, const float* y, std::size_t count,
                      const GridSampling& rule, std::uint8_t* out) {
  MILLRACE_CHECK(from.channels >= 1 && from.channels <= 4, "pictures have 1 to 4 channels");
  m_columns.resize(std::max(m_columns.size(), count));
  m_rows.resize(m_columns.size());
  constexpr std::array<std::uint8_t, 4> kBlack{};
  const std::array<std::uint8_t, 4>& fill = rule.fill ? *rule.fill : kBlack;
  if (rule.nearest) {
    nearestPixels(x, count, from.width, m_columns.data());
    nearestPixels(y, count, from.height, m_rows.data());
    const auto take = from.channels == 1   ? takePixels<1>
                      : from.channels == 2 ? takePixels<2>
                      : from.channels == 3 ? takePixels<3>
                                           : takePixels<4>;
    return take(from, m_columns.data(), m_rows.data(), count, fill.data(), out);
  }
  m_right.resize(m_columns.size());
  m_down.resize(m_columns.size());
  pixelsBefore(x, count, from.width, m_columns.data(), m_right.data());
  pixelsBefore(y, count, from.height, m_rows.data(), m_down.data());
  const GridBlend blend{from,           m_columns.data(), m_rows.data(),
                        m_right.data(), m_down.data(),    rule.fill ? fill.data() : nullptr};
  const bool joins = from.channels >= 3;
  for (std::size_t i = joins ? blendInside(blend, 0, count, out) : 0; i < count;) {
    blendPixel(blend, i, out);
    ++i;
    if (joins) i = blendInside(blend, i, count, out);
  }
}

void CentredWarp::run(const ImageView& from, const CentredMap& map, const GridSampling& rule,
                      MutableImageView to) {
  MILLRACE_CHECK(from.size() == to.size() && from.channels == to.channels,
                 "a map around the centre keeps the size");
  const auto width = static_cast<std::size_t>(from.width);
  for (std::vector<float>* each : {&m_acrossX, &m_acrossY, &m_x, &m_y})
    each->resize(std::max(each->size(), width));
  // The places are normalised before they are computed, with torchvision's roundings.
  const auto halfWidth = static_cast<float>(0.5 * from.width);
  const auto halfHeight = static_cast<float>(0.5 * from.height);
  const auto normalised = [](double value, float half) { return static_cast<float>(value) / half; };
  for (std::size_t i = 0; i < width; ++i) {
    const auto column = static_cast<float>(static_cast<double>(i) - (from.width - 1) * 0.5);
    m_acrossX[i] = column * normalised(map.xx, halfWidth);
    m_acrossY[i] = column * normalised(map.yx, halfHeight);
  }
  for (int y = 0; y < to.height; ++y) {
    const auto row = static_cast<float>(y - (from.height - 1) * 0.5);
    addToPlaces(m_acrossX.data(), row * normalised(map.xy, halfWidth),
                normalised(map.x0, halfWidth), width, m_x.data());
    addToPlaces(m_acrossY.data(), row * normalised(map.yy, halfHeight),
                normalised(map.y0, halfHeight), width, m_y.data());
    m_sampler.row(from, m_x.data(), m_y.data(), width, rule, to.row(y));
  }
}

}  // namespace millrace
