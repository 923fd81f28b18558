// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tiff.h>

#include "tests/core/codecs/plain_jpeg.h"

namespace millrace::tests {

/// How writePlainTiff() stores a picture.
struct PlainTiff {
  int bits = 8;
  int photometric = PHOTOMETRIC_RGB;
  int compression = COMPRESSION_NONE;
  bool planes = false;
  int tile = 0;  ///< side of a tile, a multiple of 16; 0: strips
  int rowsPerStrip = 5;
  int orientation = 1;
  const char* mode = "w";  ///< libtiff's mode: "wl" and "wb" for the byte order, "w8" for BigTIFF
  int sampleFormat = SAMPLEFORMAT_UINT;
  int alpha = -1;  ///< the kind of the last channel, such as EXTRASAMPLE_UNASSALPHA
  std::vector<std::byte> profile{};
  std::vector<std::size_t> smaller{};  ///< pages that are marked as smaller copies
  std::vector<std::array<std::uint8_t, 3>> palette{};
};
/// Writes the picture's samples unchanged, or times 257 for 16 bits.
std::vector<std::byte> writePlainTiff(const Picture& picture, const PlainTiff& how);
std::vector<std::byte> writePlainPages(const std::vector<Picture>& pages, const PlainTiff& how);

}  // namespace millrace::tests
