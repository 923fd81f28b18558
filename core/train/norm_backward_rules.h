// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/element.h"
#include "core/train/layer_views.h"
#include "core/train/norm_rules.h"

namespace millrace {

// The backward pass of batch normalisation, as functors.

/// The largest value that is stored as 0.
template <class Element>
inline constexpr float kStoredAsZero = 0;
template <>
inline constexpr float kStoredAsZero<F16Element> = 0x1p-25F;
template <>
inline constexpr float kStoredAsZero<BF16Element> = 0x1p-134F;

/// What is needed of eight channels to go back through ReLU and the norm.
template <class Element>
struct NormPlace {
  const NormView& view;
  Eight mean, inverse, scale, shift;
  // Without a skip connection, whether the output was positive is recomputed instead of read.
  bool reads;

  MILLRACE_HOST_DEVICE NormPlace(const NormView& all, std::uint32_t first)
      : view(all),
        mean(eightOf(all.mean, first)),
        inverse(eightOf(all.inverse, first)),
        scale(eightOf(all.scale, first)),
        shift(eightOf(all.shift, first)),
        reads(all.relu && all.skip != nullptr) {}

  MILLRACE_HOST_DEVICE Lanes<Element> out(std::int64_t at) const {
    if (reads) return static_cast<const Lanes<Element>*>(view.out)[at];
    return {};
  }
  /// The gradient before ReLU; `offset`: the value minus the mean.
  MILLRACE_HOST_DEVICE float passed(const Lanes<Element>& gradient, const Lanes<Element>& out,
                                    float offset, int i) const {
    const float behind = Element::read(gradient.v[i]);
    const float counted = offset * inverse.v[i] * scale.v[i] + shift.v[i];
    const bool positive = reads ? Element::read(out.v[i]) > 0 : counted > kStoredAsZero<Element>;
    return view.relu && !positive ? 0.0F : behind;
  }
};

/// The sums of a chunk for shift and scale. x: chunk and group of eight channels.
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
    const NormPlace<Element> place(view, first);
    const std::int64_t end = view.chunkEnd(chunk);
    for (std::int64_t pixel = view.chunkBegin(chunk); pixel < end; ++pixel) {
      const std::int64_t at = pixel * groups + group;
      const Lanes<Element> value = static_cast<const Lanes<Element>*>(view.in)[at];
      const Lanes<Element> gradient = static_cast<const Lanes<Element>*>(view.outGradient)[at];
      const Lanes<Element> out = place.out(at);
      MILLRACE_UNROLL
      for (int i = 0; i < 8; ++i) {
        const float offset = Element::read(value.v[i]) - place.mean.v[i];
        const float passed = place.passed(gradient, out, offset, i);
        shift[i] += passed;
        scale[i] += passed * offset * place.inverse.v[i];
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

/// x: pixel of the batch and group of eight channels.
template <class Element>
struct NormBackward {
  NormView view;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t at, std::uint32_t, std::uint32_t) const {
    const std::uint32_t first = at % view.groups() * 8;
    const Lanes<Element> value = static_cast<const Lanes<Element>*>(view.in)[at];
    const Lanes<Element> gradient = static_cast<const Lanes<Element>*>(view.outGradient)[at];
    const NormPlace<Element> place(view, first);
    const Lanes<Element> out = place.out(at);
    Lanes<Element> skipped{};
    if (view.skipAdds) skipped = static_cast<const Lanes<Element>*>(view.skipGradient)[at];
    Lanes<Element> made;
    const float share = 1.0F / static_cast<float>(view.pixels);
    const Eight shiftGradient = eightOf(view.shiftGradient, first);
    const Eight scaleGradient = eightOf(view.scaleGradient, first);
    MILLRACE_UNROLL
    for (int i = 0; i < 8; ++i) {
      const float offset = Element::read(value.v[i]) - place.mean.v[i];
      const float passed = place.passed(gradient, out, offset, i);
      const float normed = offset * place.inverse.v[i];
      made.v[i] =
          Element::write(place.scale.v[i] * place.inverse.v[i] *
                         (passed - share * (shiftGradient.v[i] + normed * scaleGradient.v[i])));
      skipped.v[i] = Element::write(view.skipAdds ? Element::read(skipped.v[i]) + passed : passed);
    }
    static_cast<Lanes<Element>*>(view.inGradient)[at] = made;
    if (view.skipGradient != nullptr) static_cast<Lanes<Element>*>(view.skipGradient)[at] = skipped;
  }
};

}  // namespace millrace
