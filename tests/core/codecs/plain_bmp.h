// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/core/codecs/plain_jpeg.h"

namespace millrace::tests {

/// A BMP file written byte by byte, following Microsoft's "Bitmap Storage".
struct PlainBmp {
  int width = 0;
  int height = 0;  ///< negative: the top row comes first
  int bits = 24;
  int code = 0;
  int head = 40;
  std::vector<std::uint32_t> masks{};
  std::vector<std::array<std::uint8_t, 3>> palette{};
  std::vector<std::uint8_t> data{};

  std::vector<std::byte> file() const;
};

/// Rows with `bits` bits per value, bottom-up or top-down, each padded to four bytes.
std::vector<std::uint8_t> bmpRows(const Picture& values, int bits, bool topDown);

/// A BMP with 24 bits per pixel.
PlainBmp colourBmp(const Picture& picture, bool topDown, int head = 40);

}  // namespace millrace::tests
