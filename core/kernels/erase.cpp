// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/erase.h"

#include <algorithm>
#include <cstring>

#include "core/base/check.h"

namespace millrace {

namespace {

void checkInside(const MutableImageView& image, Rect rect) {
  MILLRACE_CHECK(rect.x >= 0 && rect.y >= 0 && rect.width >= 0 && rect.height >= 0 &&
                     rect.width <= image.width - rect.x && rect.height <= image.height - rect.y,
                 "the erased rectangle must be inside the image");
}

}  // namespace

void eraseWithColour(MutableImageView image, Rect rect, const std::array<std::uint8_t, 4>& colour) {
  checkInside(image, rect);
  MILLRACE_CHECK(image.channels >= 1 && image.channels <= 4, "needs 1 to 4 channels");
  for (int y = rect.y; y < rect.y + rect.height; ++y) {
    std::uint8_t* at = image.row(y) + rect.x * image.channels;
    for (int x = 0; x < rect.width; ++x, at += image.channels)
      std::copy_n(colour.data(), image.channels, at);
  }
}

void eraseWithNoise(MutableImageView image, Rect rect, Draw& draw) {
  checkInside(image, rect);
  const int count = rect.width * image.channels;
  for (int y = rect.y; y < rect.y + rect.height; ++y) {
    std::uint8_t* row = image.row(y) + rect.x * image.channels;
    for (int i = 0; i < count; i += 4) {
      const std::uint32_t bits = draw.bits();
      for (int k = 0; k < std::min(4, count - i); ++k)
        row[i + k] = static_cast<std::uint8_t>(bits >> (8 * k));
    }
  }
}

}  // namespace millrace
