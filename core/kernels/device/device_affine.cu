// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/device/device_affine.h"

#include "core/base/check.h"
#include "core/cuda/launch.h"
#include "core/kernels/affine_rules.h"

namespace millrace {

namespace {

/// x and y: a pixel, z: a batch row.
template <int kChannels>
struct WarpPixels {
  DeviceAffine affine;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    const DeviceAffineRow& row = affine.rows[z];
    if (x >= static_cast<std::uint32_t>(row.width) || y >= static_cast<std::uint32_t>(row.height))
      return;
    const std::int64_t stride = std::int64_t{row.width} * kChannels;
    const AffineReader reader{reinterpret_cast<const std::uint8_t*>(row.source),
                              row.width,
                              row.height,
                              kChannels,
                              stride,
                              affine.border,
                              row.fill};
    const AffineWalk walk = walkOf(row.map, affine.nearest, static_cast<int>(y));
    const std::int64_t atX = walk.x + x * walk.stepX;
    const std::int64_t atY = walk.y + x * walk.stepY;
    std::uint8_t* out =
        reinterpret_cast<std::uint8_t*>(row.out) + y * stride + std::int64_t{x} * kChannels;
    if (affine.nearest)
      warpNearest<kChannels>(reader, atX, atY, out);
    else
      warpBilinear<kChannels>(reader, atX, atY, out);
  }
};

template <int kChannels>
Status warp(Stream& stream, const DeviceAffine& affine) {
  return forEach(
      stream, "affine",
      {static_cast<std::uint32_t>(affine.width), static_cast<std::uint32_t>(affine.height),
       static_cast<std::uint32_t>(affine.rowCount)},
      WarpPixels<kChannels>{affine});
}

}  // namespace

Status launchAffine(Stream& stream, const DeviceAffine& affine) {
  switch (affine.channels) {
    case 1: return warp<1>(stream, affine);
    case 2: return warp<2>(stream, affine);
    case 3: return warp<3>(stream, affine);
    case 4: return warp<4>(stream, affine);
    default: MILLRACE_CHECK(false, "an affine map takes 1 to 4 channels");
  }
}

}  // namespace millrace
