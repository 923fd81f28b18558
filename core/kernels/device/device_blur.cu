// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/device/device_blur.h"

#include "core/cuda/launch.h"
#include "core/kernels/affine.h"
#include "core/kernels/colour/blur_rules.h"

namespace millrace {

namespace {

MILLRACE_HOST_DEVICE inline bool isInside(const DeviceBlurRow& row, std::int32_t channels,
                                          std::uint32_t x, std::uint32_t y) {
  return row.blurred != 0 && x < static_cast<std::uint32_t>(row.width * channels) &&
         y < static_cast<std::uint32_t>(row.height);
}

/// x: an element of a line, y: a line, z: a batch row.
struct BlurAcross {
  DeviceBlur blur;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    const DeviceBlurRow& row = blur.rows[z];
    if (!isInside(row, blur.channels, x, y)) return;
    const std::int64_t stride = std::int64_t{row.width} * blur.channels;
    const std::uint8_t* line = reinterpret_cast<const std::uint8_t*>(row.picture) + y * stride;
    const auto column = static_cast<std::int32_t>(x) / blur.channels;
    const auto channel = static_cast<std::int32_t>(x) % blur.channels;
    const float* weights = blur.weights + std::int64_t{z} * blur.taps;
    float sum = 0;
    for (std::int32_t k = 0; k < blur.taps; ++k) {
      const std::int64_t at =
          borderIndex(column + k - blur.taps / 2, row.width, Border::Reflect) * blur.channels;
      sum = addTap(sum, weights[k], static_cast<float>(line[at + channel]));
    }
    blur.scratch[row.sums + static_cast<std::uint64_t>(y * stride + x)] = sum;
  }
};

struct BlurDown {
  DeviceBlur blur;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    const DeviceBlurRow& row = blur.rows[z];
    if (!isInside(row, blur.channels, x, y)) return;
    const std::int64_t stride = std::int64_t{row.width} * blur.channels;
    const float* sums = blur.scratch + row.sums + x;
    const float* weights = blur.weights + std::int64_t{z} * blur.taps;
    float sum = 0;
    for (std::int32_t k = 0; k < blur.taps; ++k)
      sum = addTap(sum, weights[k],
                   sums[borderIndex(static_cast<std::int32_t>(y) + k - blur.taps / 2, row.height,
                                    Border::Reflect) *
                        stride]);
    reinterpret_cast<std::uint8_t*>(row.picture)[y * stride + x] = blurredByte(sum);
  }
};

}  // namespace

Status launchBlur(Stream& stream, const DeviceBlur& blur) {
  const Extent extent{static_cast<std::uint32_t>(blur.width * blur.channels),
                      static_cast<std::uint32_t>(blur.height),
                      static_cast<std::uint32_t>(blur.rowCount)};
  MILLRACE_TRY(forEach(stream, "blur across", extent, BlurAcross{blur}));
  return forEach(stream, "blur down", extent, BlurDown{blur});
}

}  // namespace millrace
