// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "core/data/filter.h"
#include "core/kernels/host_device.h"

namespace millrace {

/// One axis of a resize: region [low, high) of the input is resampled to `size` pixels, of which
/// `count` starting at `first` are needed.
struct AxisSpec {
  double low = 0;
  double high = 0;
  int size = 0;
  int first = 0;
  int count = 0;
  bool flip = false;  ///< output i is pixel first + count - 1 - i
  Filter filter = Filter::Bilinear;
  bool antialias = true;
  bool operator==(const AxisSpec&) const = default;
};

/// The rules of AxisWeights (resample_weights.h) for one output, shared by CPU and device: Pillow's
/// precompute_coeffs (src/libImaging/Resample.c).

/// Pillow's PRECISION_BITS for 8 bits per channel: 32 - 8 (pixel) - 2 (overshoot).
inline constexpr int kResampleBits = 22;

/// The range of inputs of an output.
struct AxisTaps {
  std::int32_t first = 0;
  std::int32_t count = 1;
};

/// Whether it is a copy: a region of whole pixels to as many outputs.
MILLRACE_HOST_DEVICE inline bool isCopy(const AxisSpec& spec) {
  return spec.low == std::floor(spec.low) && spec.high - spec.low == spec.size;
}
/// Whether every output is one input pixel: a copy or nearest.
MILLRACE_HOST_DEVICE inline bool isSingle(const AxisSpec& spec) {
  return isCopy(spec) || spec.filter == Filter::Nearest;
}

/// The input of pixel x if isSingle().
MILLRACE_HOST_DEVICE inline int singleInput(const AxisSpec& spec, int x) {
  const int low = static_cast<int>(std::floor(spec.low));
  const int last = static_cast<int>(std::ceil(spec.high)) - 1;
  const double scale = (spec.high - spec.low) / spec.size;
  const int pixel =
      low + (isCopy(spec) ? x : static_cast<int>(std::floor(spec.low - low + (x + 0.5) * scale)));
  return pixel < low ? low : pixel > last ? last : pixel;
}

/// What all outputs of an axis share. Relative to the region's first whole pixel, so that cropping
/// first gives the same bits.
struct AxisScale {
  int origin = 0;
  int inputs = 0;
  double low = 0;
  double scale = 1;
  double support = 1;
  double inverse = 1;
  Filter filter = Filter::Bilinear;
};

MILLRACE_HOST_DEVICE inline double supportOf(Filter filter, double scale, bool antialias) {
  const double wide = antialias && scale > 1.0 ? scale : 1.0;
  return (filter == Filter::Bicubic ? 2.0 : 1.0) * wide;
}

MILLRACE_HOST_DEVICE inline AxisScale axisScale(const AxisSpec& spec) {
  AxisScale axis;
  axis.origin = static_cast<int>(std::floor(spec.low));
  axis.inputs = static_cast<int>(std::ceil(spec.high)) - axis.origin;
  axis.low = spec.low - axis.origin;
  axis.scale = (spec.high - spec.low) / spec.size;
  axis.support = supportOf(spec.filter, axis.scale, spec.antialias);
  axis.inverse = 1.0 / (spec.antialias && axis.scale > 1.0 ? axis.scale : 1.0);
  axis.filter = spec.filter;
  return axis;
}

MILLRACE_HOST_DEVICE inline double centreOf(const AxisScale& axis, int x) {
  return axis.low + (x + 0.5) * axis.scale;
}

/// Relative to the origin.
MILLRACE_HOST_DEVICE inline AxisTaps tapsAround(const AxisScale& axis, double centre) {
  const int from = static_cast<int>(centre - axis.support + 0.5);
  const int to = static_cast<int>(centre + axis.support + 0.5);
  const int first = from < 0 ? 0 : from;
  return {first, (to > axis.inputs ? axis.inputs : to) - first};
}

MILLRACE_HOST_DEVICE inline double bilinearAt(double x) {
  const double far = x < 0 ? -x : x;
  return far < 1.0 ? 1.0 - far : 0.0;
}

/// Keys' cubic convolution with a = -0.5; the terms are in Pillow's order.
MILLRACE_HOST_DEVICE inline double bicubicAt(double x) {
  constexpr double a = -0.5;
  const double far = x < 0 ? -x : x;
  if (far < 1.0) return ((a + 2.0) * far - (a + 3.0)) * far * far + 1;
  if (far < 2.0) return (((far - 5) * far + 8) * far - 4) * a;
  return 0.0;
}

/// The weight before division by the sum; `input` is relative to the origin.
MILLRACE_HOST_DEVICE inline double rawWeight(const AxisScale& axis, double centre, int input) {
  const double place = (input - centre + 0.5) * axis.inverse;
  return axis.filter == Filter::Bicubic ? bicubicAt(place) : bilinearAt(place);
}

/// In units of 1 / 2^kResampleBits, rounded half away from zero.
MILLRACE_HOST_DEVICE inline std::int32_t fixedWeight(double weight) {
  const double scaled = weight * (1 << kResampleBits);
  return static_cast<std::int32_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

/// Converts a sum of bytes times fixed weights to a byte: Pillow's clip8. `sum` started with
/// kHalfWeight.
inline constexpr std::int32_t kHalfWeight = 1 << (kResampleBits - 1);
MILLRACE_HOST_DEVICE inline std::uint8_t byteOfSum(std::int32_t sum) {
  const std::int32_t value = sum >> kResampleBits;
  return static_cast<std::uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
}

}  // namespace millrace
