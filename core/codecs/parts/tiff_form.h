// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <tiffio.h>

#include "core/base/result.h"

namespace millrace {

/// How the current picture of a TIFF file stores its pixels.
struct TiffForm {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint16_t bits = 1;
  std::uint16_t format = SAMPLEFORMAT_UINT;
  std::uint16_t samples = 1;  ///< per pixel, including alpha and others
  std::uint16_t photometric = PHOTOMETRIC_MINISBLACK;
  std::uint16_t compression = COMPRESSION_NONE;
  bool planes = false;  ///< each sample has separate strips or tiles
  bool tiles = false;
  bool alpha = false;            ///< transparency follows the colour
  bool premultiplied = false;    ///< colours are multiplied by it
  std::uint32_t blockWidth = 0;  ///< of a tile; a strip is as wide as the picture
  std::uint32_t blockHeight = 0;
  std::size_t blockBytes = 0;  ///< uncompressed; of one plane if they are separate
  std::size_t lineBytes = 0;   ///< of one row

  /// Reads the fields. Rejects what this decoder does not support in any form; the error names it.
  Status read(TIFF* tiff);
  /// Reads the sizes of strips or tiles, after the wanted pixel format was set.
  Status readBlocks(TIFF* tiff);

  bool isPalette() const { return photometric == PHOTOMETRIC_PALETTE; }
  bool isUnsigned() const { return format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID; }
  /// Whether only the numbers can be had: no rule makes colours of them.
  bool onlyStored() const { return !isUnsigned() || bits > 16; }
  /// "floating-point numbers of 32 bits".
  std::string numbersText() const;
  /// The number of samples that make the colour: 1, 3, or 4 for CMYK.
  std::uint16_t colours() const {
    if (photometric == PHOTOMETRIC_SEPARATED) return 4;
    return photometric == PHOTOMETRIC_RGB || photometric == PHOTOMETRIC_YCBCR ? 3 : 1;
  }
  /// The samples that a pixel with its transparency has: those of the colour, and alpha.
  std::uint16_t visible() const { return static_cast<std::uint16_t>(colours() + (alpha ? 1 : 0)); }
  /// The number of planes that are read at most; the others are ignored.
  std::uint16_t planesRead() const { return planes ? visible() : 1; }

 private:
  bool hasKnownNumbers() const;
  Status check() const;
};

/// A field of the picture, or `otherwise` if the file does not have it.
template <class T>
T tiffField(TIFF* tiff, std::uint32_t tag, T otherwise) {
  T value = otherwise;
  return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : otherwise;
}

}  // namespace millrace
