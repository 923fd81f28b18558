// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/kernels/element.h"
#include "core/train/layer_views.h"

namespace millrace {

// What layers do to values, as functors for forEach (core/cuda/launch.h): the same on a GPU and on
// the host. Values are stored as Element says and counted with in f32. Channels lie last, so that
// neighbouring threads touch neighbouring memory.

/// Channels that one thread takes, read and written at once.
template <class Element>
struct alignas(16) Lanes {
  static constexpr std::int32_t kCount = 8;
  typename Element::Stored v[kCount];
};

/// x: output channel, y: output pixel, z: row.
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

/// x: input channel, y: input pixel, z: row.
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

/// x: input channel, y: place in the kernel, z: output channel.
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

/// Sums of a chunk of pixels, relative to the first pixel, so that a large mean costs no digits.
/// x: chunk, and eight channels of it.
template <class Element>
struct NormSums {
  NormView view;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t, std::uint32_t) const {
    const auto* const in = static_cast<const Lanes<Element>*>(view.in);
    const std::uint32_t groups = view.groups();
    const std::uint32_t group = x % groups;
    const std::uint32_t chunk = x / groups;
    const Lanes<Element> origin = in[group];
    float sum[8] = {};
    float squares[8] = {};
    const std::int64_t end = view.chunkEnd(chunk);
    for (std::int64_t pixel = view.chunkBegin(chunk); pixel < end; ++pixel) {
      const Lanes<Element> value = in[pixel * groups + group];
      MILLRACE_UNROLL
      for (int i = 0; i < 8; ++i) {
        const float offset = Element::read(value.v[i]) - Element::read(origin.v[i]);
        sum[i] += offset;
        squares[i] += offset * offset;
      }
    }
    view.keep(group, chunk, sum, squares);
  }
};

/// Adds up the sums of several chunks, to what lies behind those of all. x: channel, y: part.
struct NormParts {
  NormView view;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t) const {
    const std::int64_t chunks = view.chunks;
    double first = 0;
    double second = 0;
    view.total(x, chunks * y / NormView::kParts, chunks * (y + 1) / NormView::kParts, first,
               second);
    float* const to = view.sums + (chunks + y) * 2 * view.channels + x;
    to[0] = static_cast<float>(first);
    to[view.channels] = static_cast<float>(second);
  }
};

/// Mean and one over the deviation. x: channel.
template <class Element>
struct NormMoments {
  NormView view;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t, std::uint32_t) const {
    constexpr double kEpsilon = 1e-5;
    double sum = 0;
    double squares = 0;
    view.total(x, 0, view.chunks, sum, squares);
    const auto count = static_cast<double>(view.pixels);
    const double offset = sum / count;
    const double variance = squares / count - offset * offset;
    const float origin = Element::read(static_cast<const typename Element::Stored*>(view.in)[x]);
    view.mean[x] = static_cast<float>(origin + offset);
    view.inverse[x] = static_cast<float>(1 / sqrt((variance > 0 ? variance : 0) + kEpsilon));
  }
};

/// x: pixel of the batch, and eight channels of it.
template <class Element>
struct NormForward {
  NormView view;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t at, std::uint32_t, std::uint32_t) const {
    const std::uint32_t first = at % view.groups() * 8;
    const Lanes<Element> value = static_cast<const Lanes<Element>*>(view.in)[at];
    Lanes<Element> skipped{};
    if (view.skip != nullptr) skipped = static_cast<const Lanes<Element>*>(view.skip)[at];
    Lanes<Element> made;
    MILLRACE_UNROLL
    for (int i = 0; i < 8; ++i) {
      const std::uint32_t c = first + static_cast<std::uint32_t>(i);
      float result = (Element::read(value.v[i]) - view.mean[c]) * view.inverse[c] * view.scale[c] +
                     view.shift[c];
      if (view.skip != nullptr) result += Element::read(skipped.v[i]);
      made.v[i] = Element::write(view.relu && !(result > 0) ? 0.0F : result);
    }
    static_cast<Lanes<Element>*>(view.out)[at] = made;
  }
};

/// The gradient in front of relu, and the value as the norm had it.
template <class Element>
MILLRACE_HOST_DEVICE inline float normGradient(const NormView& view, const Lanes<Element>& gradient,
                                               const Lanes<Element>& out, int i) {
  const bool cut = view.relu && !(Element::read(out.v[i]) > 0);
  return cut ? 0.0F : Element::read(gradient.v[i]);
}

/// Of a chunk: what goes to shift, and to scale. x: chunk, and eight channels of it.
template <class Element>
struct NormBackwardSums {
  NormView view;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t, std::uint32_t) const {
    const std::uint32_t groups = view.groups();
    const std::uint32_t group = x % groups;
    const std::uint32_t chunk = x / groups;
    const std::uint32_t first = group * 8;
    float shift[8] = {};
    float scale[8] = {};
    const std::int64_t end = view.chunkEnd(chunk);
    for (std::int64_t pixel = view.chunkBegin(chunk); pixel < end; ++pixel) {
      const std::int64_t at = pixel * groups + group;
      const Lanes<Element> value = static_cast<const Lanes<Element>*>(view.in)[at];
      const Lanes<Element> gradient = static_cast<const Lanes<Element>*>(view.outGradient)[at];
      const Lanes<Element> out = static_cast<const Lanes<Element>*>(view.out)[at];
      MILLRACE_UNROLL
      for (int i = 0; i < 8; ++i) {
        const std::uint32_t c = first + static_cast<std::uint32_t>(i);
        const float passed = normGradient<Element>(view, gradient, out, i);
        shift[i] += passed;
        scale[i] += passed * (Element::read(value.v[i]) - view.mean[c]) * view.inverse[c];
      }
    }
    view.keep(group, chunk, shift, scale);
  }
};

/// x: channel.
struct NormBackwardTotals {
  NormView view;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t, std::uint32_t) const {
    double shift = 0;
    double scale = 0;
    view.total(x, 0, view.chunks, shift, scale);
    view.shiftGradient[x] = static_cast<float>(shift);
    view.scaleGradient[x] = static_cast<float>(scale);
  }
};

/// x: pixel of the batch, and eight channels of it.
template <class Element>
struct NormBackward {
  NormView view;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t at, std::uint32_t, std::uint32_t) const {
    const std::uint32_t first = at % view.groups() * 8;
    const Lanes<Element> value = static_cast<const Lanes<Element>*>(view.in)[at];
    const Lanes<Element> gradient = static_cast<const Lanes<Element>*>(view.outGradient)[at];
    const Lanes<Element> out = static_cast<const Lanes<Element>*>(view.out)[at];
    Lanes<Element> skipped{};
    if (view.skipAdds) skipped = static_cast<const Lanes<Element>*>(view.skipGradient)[at];
    Lanes<Element> made;
    const float share = 1.0F / static_cast<float>(view.pixels);
    MILLRACE_UNROLL
    for (int i = 0; i < 8; ++i) {
      const std::uint32_t c = first + static_cast<std::uint32_t>(i);
      const float passed = normGradient<Element>(view, gradient, out, i);
      const float normed = (Element::read(value.v[i]) - view.mean[c]) * view.inverse[c];
      made.v[i] = Element::write(
          view.scale[c] * view.inverse[c] *
          (passed - share * (view.shiftGradient[c] + normed * view.scaleGradient[c])));
      skipped.v[i] = Element::write(view.skipAdds ? Element::read(skipped.v[i]) + passed : passed);
    }
    static_cast<Lanes<Element>*>(view.inGradient)[at] = made;
    if (view.skipGradient != nullptr) static_cast<Lanes<Element>*>(view.skipGradient)[at] = skipped;
  }
};

}  // namespace millrace
