// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/pad.h"

#include <algorithm>

#include "core/base/check.h"

namespace millrace {

namespace {

template <class Value>
void fillPixels(Value* out, int pixels, int channels, const Value* fill) {
  for (int i = 0; i < pixels; ++i) std::copy_n(fill, channels, out + i * channels);
}

/// Pads one row.
template <class Value>
void padRow(const Value* from, int width, int channels, int left, Border border, const Value* fill,
            Value* out, int outWidth) {
  const auto fillOutside = [&](int begin, int end) {
    for (int x = begin; x < end; ++x) {
      const std::int64_t i = borderIndex(x - left, width, border);
      std::copy_n(i < 0 ? fill : from + i * channels, channels, out + x * channels);
    }
  };
  fillOutside(0, left);
  std::copy_n(from, width * channels, out + left * channels);
  fillOutside(left + width, outWidth);
}

template <class Value>
void padPicture(const BasicImageView<const Value>& from, int left, int top, Border border,
                const Value* fill, const BasicImageView<Value>& to) {
  MILLRACE_CHECK(left >= 0 && top >= 0 && from.width <= to.width - left &&
                     from.height <= to.height - top && from.width > 0 && from.height > 0,
                 "the padded picture must be inside the result and not empty");
  for (int y = 0; y < to.height; ++y) {
    const std::int64_t row = borderIndex(y - top, from.height, border);
    if (row < 0)
      fillPixels(to.row(y), to.width, to.channels, fill);
    else
      padRow(from.row(static_cast<int>(row)), from.width, from.channels, left, border, fill,
             to.row(y), to.width);
  }
}

}  // namespace

void pad(ImageView from, int left, int top, Border border, const std::array<std::uint8_t, 4>& fill,
         MutableImageView to) {
  MILLRACE_CHECK(from.channels == to.channels && to.channels >= 1 && to.channels <= 4,
                 "padding needs 1 to 4 channels, the same in both pictures");
  padPicture(from, left, top, border, fill.data(), to);
}

void padValues(ValueView from, int left, int top, Border border,
               const std::array<float, kMostFloatChannels>& fill, MutableValueView to) {
  MILLRACE_CHECK(
      from.channels == to.channels && to.channels >= 1 && to.channels <= kMostFloatChannels,
      "padding floats needs 1 to 64 channels, the same in both pictures");
  padPicture(from, left, top, border, fill.data(), to);
}

}  // namespace millrace
