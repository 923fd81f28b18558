// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <tiffio.h>

#include "core/base/result.h"

namespace millrace {

/// How the picture that a TIFF file is open at keeps its pixels.
struct TiffForm {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint16_t bits = 1;
  std::uint16_t samples = 1;  ///< a pixel, alpha and others included
  std::uint16_t photometric = PHOTOMETRIC_MINISBLACK;
  std::uint16_t compression = COMPRESSION_NONE;
  bool planes = false;  ///< each sample in strips or tiles of its own
  bool tiles = false;
  std::uint32_t blockWidth = 0;  ///< of a tile; a strip is as wide as the picture
  std::uint32_t blockHeight = 0;
  std::size_t blockBytes = 0;  ///< unpacked, of one plane where they are apart
  std::size_t lineBytes = 0;   ///< a row of it

  /// Refuses what this decoder does not take; the sentence names it.
  Status read(TIFF* tiff);
  /// The strips or tiles, once the library knows how their pixels are wanted.
  Status readBlocks(TIFF* tiff);

  bool isPalette() const { return photometric == PHOTOMETRIC_PALETTE; }
  /// Samples that make the colour: 1, 3, or 4 of CMYK.
  std::uint16_t colours() const {
    if (photometric == PHOTOMETRIC_SEPARATED) return 4;
    return photometric == PHOTOMETRIC_RGB || photometric == PHOTOMETRIC_YCBCR ? 3 : 1;
  }
  /// The others are never looked at.
  std::uint16_t planesRead() const { return planes ? colours() : 1; }

 private:
  Status check(TIFF* tiff) const;
};

/// A field of the picture, or what stands for it where the file has none.
template <class T>
T tiffField(TIFF* tiff, std::uint32_t tag, T otherwise) {
  T value = otherwise;
  return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : otherwise;
}

}  // namespace millrace
