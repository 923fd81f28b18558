// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/element.h"
#include "core/train/step_views.h"

namespace millrace {

// The parts of a training step other than convolutions, norms and the loss, as functors for
// forEach().

/// x: element of a picture row (width x channels), y: picture row, z: batch row.
template <class From, class Element>
struct LoadPictures {
  PictureView from;
  typename Element::Stored* to;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    const std::int32_t channel = static_cast<std::int32_t>(x) % from.channels;
    const std::int32_t column = static_cast<std::int32_t>(x) / from.channels;
    const auto row = static_cast<std::int32_t>(y);
    const std::int64_t at =
        from.planar ? (std::int64_t{channel} * from.height + row) * from.width + column
                    : (std::int64_t{row} * from.width + column) * from.channels + channel;
    const auto* const data = reinterpret_cast<const typename From::Stored*>(
        static_cast<const char*>(from.data) + z * from.rowBytes);
    constexpr float kFactor = sizeof(typename From::Stored) == 1 ? 1.0F / 255 : 1.0F;
    to[(std::int64_t{z} * from.height + row) * from.width * from.channels + x] =
        Element::write(From::read(data[at]) * kFactor);
  }
};

/// Mean over the pixels. x: channel, y: row.
template <class Element>
struct PoolForward {
  const typename Element::Stored* in;
  float* out;
  std::int64_t pixels;
  std::int32_t channels;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t) const {
    float sum = 0;
    for (std::int64_t p = 0; p < pixels; ++p)
      sum += Element::read(in[(y * pixels + p) * channels + x]);
    out[std::int64_t{y} * channels + x] = sum / static_cast<float>(pixels);
  }
};

/// x: channel, y: pixel, z: row.
template <class Element>
struct PoolBackward {
  const float* outGradient;
  typename Element::Stored* inGradient;
  std::int64_t pixels;
  std::int32_t channels;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    inGradient[(z * pixels + y) * channels + x] =
        Element::write(outGradient[std::int64_t{z} * channels + x] / static_cast<float>(pixels));
  }
};

/// Adds the bias to each row of the logits. x: class, y: row.
struct AddBias {
  const float* bias;
  float* logits;
  std::int64_t classes;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t) const {
    logits[y * classes + x] += bias[x];
  }
};

/// Sums over the rows; each part handles some of them. x: class, y: part.
struct SumOfRows {
  const float* from;  ///< rows x classes
  float* to;          ///< parts x classes
  std::uint32_t rows;
  std::uint32_t parts;
  std::int64_t classes;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t) const {
    const std::uint64_t end = std::uint64_t{rows} * (y + 1) / parts;
    float sum = 0;
    for (std::uint64_t n = std::uint64_t{rows} * y / parts; n < end; ++n)
      sum += from[static_cast<std::int64_t>(n) * classes + x];
    to[y * classes + x] = sum;
  }
};

/// A matrix product of f32 for use without a library: out[y][x] = sum over i of a[y][i] * b[i][x],
/// with strides for each matrix.
struct MatrixProduct {
  const float* a;
  std::int64_t aRow;
  std::int64_t aColumn;
  const float* b;
  std::int64_t bRow;
  std::int64_t bColumn;
  float* out;
  std::int64_t columns;
  std::int64_t inner;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t) const {
    float sum = 0;
    for (std::int64_t i = 0; i < inner; ++i)
      sum += a[y * aRow + i * aColumn] * b[i * bRow + x * bColumn];
    out[y * columns + x] = sum;
  }
};

/// Divides every gradient by the loss scale; those of convolutions are converted from 16 bits. x:
/// parameter.
template <class Element>
struct GatherGradients {
  ParameterView view;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t, std::uint32_t) const {
    const bool apart = view.convGradients != nullptr && x < view.convCount;
    const float gradient =
        apart ? Element::read(static_cast<const typename Element::Stored*>(view.convGradients)[x])
              : view.gradients[x];
    view.gradients[x] = gradient / view.state->lossScale;
  }
};

/// Several threads may write, but all write the same value. x: parameter.
struct CheckGradients {
  ParameterView view;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t, std::uint32_t) const {
    constexpr std::uint32_t kExponent = 0x7f800000U;
    if ((sameBits<std::uint32_t>(view.gradients[x]) & kExponent) == kExponent)
      view.state->notFinite = 1;
  }
};

/// x: parameter.
template <class Element>
struct UpdateParameters {
  ParameterView view;
  UpdateRule rule;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t, std::uint32_t) const {
    if (view.state->notFinite == 0) {
      const float gradient = view.gradients[x] + rule.weightDecay * view.parameters[x];
      view.momenta[x] = rule.momentum * view.momenta[x] + gradient;
      view.parameters[x] -= rule.learningRate * view.momenta[x];
    }
    if (view.copies != nullptr && x < view.convCount)
      static_cast<typename Element::Stored*>(view.copies)[x] = Element::write(view.parameters[x]);
  }
};

/// After the update. x: always 0.
struct EndStep {
  TrainingState* state;
  UpdateRule rule;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t, std::uint32_t, std::uint32_t) const {
    constexpr float kMostScale = 16777216.0F;
    if (state->notFinite != 0) {
      ++state->skipped;
      state->goodSteps = 0;
      if (rule.growAfter > 0 && state->lossScale > 1) state->lossScale /= 2;
    } else if (++state->goodSteps == rule.growAfter) {
      state->goodSteps = 0;
      if (state->lossScale < kMostScale) state->lossScale *= 2;
    }
  }
};

}  // namespace millrace
