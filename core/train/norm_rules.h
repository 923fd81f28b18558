// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/kernels/element.h"
#include "core/train/layer_views.h"

namespace millrace {

// Batch normalisation as functors, with storage and sums as in conv_rules.h; the backward pass is
// in norm_backward_rules.h.

/// The channels that one thread handles, loaded and stored as one vector.
template <class Element>
struct alignas(16) Lanes {
  static constexpr std::int32_t kCount = 8;
  typename Element::Stored v[kCount];
};

/// Eight floats loaded as one vector; parameters and moments of a layer are aligned for this.
struct alignas(16) Eight {
  float v[8];
};
MILLRACE_HOST_DEVICE inline Eight eightOf(const float* all, std::uint32_t first) {
  return *reinterpret_cast<const Eight*>(all + first);
}

/// Sums of a chunk of pixels, relative to the first pixel, so that a large mean does not cost
/// precision. x: chunk and group of eight channels.
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
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
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

/// Adds up the sums of several chunks and stores them after the sums of all chunks. x: channel, y:
/// part.
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

/// Mean and 1 / standard deviation. x: channel.
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

/// x: pixel of the batch and group of eight channels.
template <class Element>
struct NormForward {
  NormView view;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t at, std::uint32_t, std::uint32_t) const {
    const std::uint32_t first = at % view.groups() * 8;
    const Lanes<Element> value = static_cast<const Lanes<Element>*>(view.in)[at];
    Lanes<Element> skipped{};
    if (view.skip != nullptr) skipped = static_cast<const Lanes<Element>*>(view.skip)[at];
    const Eight mean = eightOf(view.mean, first);
    const Eight inverse = eightOf(view.inverse, first);
    const Eight scale = eightOf(view.scale, first);
    const Eight shift = eightOf(view.shift, first);
    Lanes<Element> made;
    MILLRACE_UNROLL
    for (int i = 0; i < 8; ++i) {
      float result =
          (Element::read(value.v[i]) - mean.v[i]) * inverse.v[i] * scale.v[i] + shift.v[i];
      if (view.skip != nullptr) result += Element::read(skipped.v[i]);
      made.v[i] = Element::write(view.relu && !(result > 0) ? 0.0F : result);
    }
    static_cast<Lanes<Element>*>(view.out)[at] = made;
  }
};

}  // namespace millrace
