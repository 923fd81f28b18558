// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/element.h"
#include "core/train/layer_views.h"

namespace millrace {

// Convolutions as functors for forEach() (core/cuda/launch.h), shared by GPU and host. Values are
// stored as `Element` says and summed in f32. Channels are last, so that neighbouring threads
// access neighbouring memory.

/// x: output channel, y: output pixel, z: batch row.
template <class Element>
struct ConvForward {
  using Stored = typename Element::Stored;
  ConvShape shape;
  const Stored* in;
  const Stored* weights;
  Stored* out;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    const auto row = static_cast<std::int32_t>(y) / shape.outWidth;
    const auto column = static_cast<std::int32_t>(y) % shape.outWidth;
    float sum = 0;
    for (std::int32_t r = 0; r < shape.kernel; ++r) {
      const std::int32_t inRow = row * shape.stride + r - shape.padding;
      if (inRow < 0 || inRow >= shape.inHeight) continue;
      for (std::int32_t s = 0; s < shape.kernel; ++s) {
        const std::int32_t inColumn = column * shape.stride + s - shape.padding;
        if (inColumn < 0 || inColumn >= shape.inWidth) continue;
        const Stored* const from = in + shape.inAt(z, inRow, inColumn);
        const Stored* const weight = weights + shape.weightAt(x, r, s);
        for (std::int32_t c = 0; c < shape.inChannels; ++c)
          sum += Element::read(from[c]) * Element::read(weight[c]);
      }
    }
    out[shape.outAt(z, row, column) + x] = Element::write(sum);
  }
};

/// x: input channel, y: input pixel, z: batch row.
template <class Element>
struct ConvBackwardData {
  using Stored = typename Element::Stored;
  ConvShape shape;
  const Stored* outGradient;
  const Stored* weights;
  Stored* inGradient;
  bool adds;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    const auto row = static_cast<std::int32_t>(y) / shape.inWidth;
    const auto column = static_cast<std::int32_t>(y) % shape.inWidth;
    float sum = 0;
    for (std::int32_t r = 0; r < shape.kernel; ++r) {
      const std::int32_t down = row + shape.padding - r;
      if (down < 0 || down % shape.stride != 0 || down / shape.stride >= shape.outHeight) continue;
      for (std::int32_t s = 0; s < shape.kernel; ++s) {
        const std::int32_t right = column + shape.padding - s;
        if (right < 0 || right % shape.stride != 0 || right / shape.stride >= shape.outWidth)
          continue;
        const Stored* const gradient =
            outGradient + shape.outAt(z, down / shape.stride, right / shape.stride);
        for (std::int32_t k = 0; k < shape.outChannels; ++k)
          sum += Element::read(gradient[k]) *
                 Element::read(weights[shape.weightAt(static_cast<std::uint32_t>(k), r, s) + x]);
      }
    }
    Stored& to = inGradient[shape.inAt(z, row, column) + x];
    to = Element::write(adds ? Element::read(to) + sum : sum);
  }
};

/// x: input channel, y: position in the kernel, z: output channel.
template <class Element>
struct ConvBackwardWeights {
  using Stored = typename Element::Stored;
  ConvShape shape;
  const Stored* in;
  const Stored* outGradient;
  Stored* weightGradient;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    const auto r = static_cast<std::int32_t>(y) / shape.kernel;
    const auto s = static_cast<std::int32_t>(y) % shape.kernel;
    float sum = 0;
    for (std::uint32_t n = 0; n < shape.rows; ++n)
      for (std::int32_t row = 0; row < shape.outHeight; ++row) {
        const std::int32_t inRow = row * shape.stride + r - shape.padding;
        if (inRow < 0 || inRow >= shape.inHeight) continue;
        for (std::int32_t column = 0; column < shape.outWidth; ++column) {
          const std::int32_t inColumn = column * shape.stride + s - shape.padding;
          if (inColumn < 0 || inColumn >= shape.inWidth) continue;
          sum += Element::read(in[shape.inAt(n, inRow, inColumn) + x]) *
                 Element::read(outGradient[shape.outAt(n, row, column) + z]);
        }
      }
    weightGradient[shape.weightAt(z, r, s) + x] = Element::write(sum);
  }
};

}  // namespace millrace
