// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/pass/pixel_pass_spec.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"

namespace millrace {

FloatImageView FloatImageView::hwc(const float* data, Size size, int channels) {
  return {data,     size.width, size.height,
          channels, channels,   static_cast<std::ptrdiff_t>(size.width) * channels,
          1};
}

FloatImageView FloatImageView::chw(const float* data, Size size, int channels) {
  return {data,
          size.width,
          size.height,
          channels,
          1,
          size.width,
          static_cast<std::ptrdiff_t>(size.width) * size.height};
}

PixelPassSpec wholeImage(Size image, Size size) {
  PixelPassSpec spec;
  spec.source = {0, 0, static_cast<double>(image.width), static_cast<double>(image.height)};
  spec.resized = size;
  spec.cut = {0, 0, size.width, size.height};
  return spec;
}

std::size_t outputBytes(Size cut, int channels, const OutputForm& form) {
  return static_cast<std::size_t>(cut.width) * static_cast<std::size_t>(cut.height) *
         static_cast<std::size_t>(channels) * sizeOf(form.dtype);
}

void checkPixelPass(int channels, DType from, const PixelPassSpec& spec, const OutputForm& form) {
  const Box& box = spec.source;
  const Rect& cut = spec.cut;
  MILLRACE_CHECK(channels >= 1 && channels <= (from == DType::U8 ? 4 : kMostFloatChannels),
                 "a pixel pass takes 1 to 4 channels of bytes, 1 to 64 of floats");
  MILLRACE_CHECK(box.left < box.right && box.top < box.bottom, "the region must not be empty");
  MILLRACE_CHECK(cut.x >= 0 && cut.y >= 0 && cut.width > 0 && cut.height > 0 &&
                     cut.width <= spec.resized.width - cut.x &&
                     cut.height <= spec.resized.height - cut.y,
                 "the cut must be inside the resized region and not empty");
  MILLRACE_CHECK(form.layout != Layout::Plain, "the result must be hwc or chw");
  const bool isFloat =
      form.dtype == DType::F32 || form.dtype == DType::F16 || form.dtype == DType::BF16;
  MILLRACE_CHECK(isFloat || form.dtype == (from == DType::U8 ? DType::U8 : DType::U16),
                 "the result must be f32, f16 or bf16, or u8 from bytes, or u16 from floats");
  MILLRACE_CHECK(form.dtype != DType::U8 || !form.normalise, "u8 cannot be normalised");
}

namespace {

struct Span {
  int low = 0;
  int high = 0;
};

Span neededRegion(const AxisSpec& axis, double sample) {
  const double scale = (axis.high - axis.low) / axis.size;
  const double own = scale / sample;
  // A tap reaches as far as the filter, plus to the end of its sample, which is no larger than an
  // output at this scale, even if the input was shrunk.
  const double reach =
      sample * (filterReach(axis.filter, own, axis.antialias) + std::max(own, 1.0));
  const double low = axis.low + axis.first * scale - reach;
  const double high = axis.low + (axis.first + axis.count) * scale + reach;
  return {static_cast<int>(std::floor(std::max(low, axis.low))),
          static_cast<int>(std::ceil(std::min(high, axis.high)))};
}

}  // namespace

Rect neededRegion(const PixelPassSpec& spec, double sample) {
  const Span x = neededRegion(horizontalAxis(spec), sample);
  const Span y = neededRegion(verticalAxis(spec), sample);
  return {x.low, y.low, x.high - x.low, y.high - y.low};
}

AxisSpec horizontalAxis(const PixelPassSpec& spec) {
  return {spec.source.left, spec.source.right, spec.resized.width, spec.cut.x,
          spec.cut.width,   spec.flipX,        spec.filter,        spec.antialias};
}

AxisSpec verticalAxis(const PixelPassSpec& spec) {
  return {spec.source.top, spec.source.bottom, spec.resized.height, spec.cut.y, spec.cut.height,
          false,           spec.filter,        spec.antialias};
}

}  // namespace millrace
