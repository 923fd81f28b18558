// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/data/image_view.h"
#include "tests/core/kernels/levels.h"

namespace millrace::tests {

/// u8 pixels of a test. There are gaps between the rows, so that a kernel that ignores the stride
/// fails.
struct Picture {
  Picture(int w, int h, int c, std::uint32_t seed = 7)
      : width(w), height(h), channels(c), stride(w * c + 5) {
    bytes = noise(static_cast<std::size_t>(stride * h), seed);
    // Hard edges, so that a cubic filter overshoots in both directions.
    for (std::size_t i = 0; i < bytes.size(); i += 5) bytes[i] = (i / 40) % 2 != 0 ? 255 : 0;
  }

  std::uint8_t& at(int x, int y, int c) {
    return bytes[static_cast<std::size_t>(y * stride + x * channels + c)];
  }
  int at(int x, int y, int c) const {
    return bytes[static_cast<std::size_t>(y * stride + x * channels + c)];
  }
  Size size() const { return {width, height}; }
  ImageView view() const { return {bytes.data(), width, height, channels, stride}; }
  MutableImageView edit() { return {bytes.data(), width, height, channels, stride}; }
  bool operator==(const Picture&) const = default;

  int width;
  int height;
  int channels;
  int stride;
  std::vector<std::uint8_t> bytes;
};

}  // namespace millrace::tests
