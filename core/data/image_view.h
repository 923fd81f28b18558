// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace {

/// Width and height in pixels.
struct Size {
  int width = 0;
  int height = 0;
  bool operator==(const Size&) const = default;
};

/// A rectangle in whole pixels; x to the right, y down, from the top left pixel.
struct Rect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  Size size() const { return {width, height}; }
  bool operator==(const Rect&) const = default;
};

/// A rectangle in real coordinates: pixel i covers [i, i + 1).
struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
  bool operator==(const Box&) const = default;
};

/// Borrowed pixels: rows of `width * channels` interleaved values, `stride` values apart.
template <class Value>
struct BasicImageView {
  Value* data = nullptr;
  int width = 0;
  int height = 0;
  int channels = 0;
  std::ptrdiff_t stride = 0;

  Value* row(int y) const { return data + y * stride; }
  Size size() const { return {width, height}; }
};

using ImageView = BasicImageView<const std::uint8_t>;
using MutableImageView = BasicImageView<std::uint8_t>;
using ValueView = BasicImageView<const float>;
using MutableValueView = BasicImageView<float>;

/// The largest number of channels of a picture of floats; pictures of bytes have at most 4.
constexpr int kMostFloatChannels = 64;

inline ImageView readOnly(const MutableImageView& view) {
  return {view.data, view.width, view.height, view.channels, view.stride};
}

}  // namespace millrace
