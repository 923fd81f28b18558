// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include <tiffio.h>

#include "core/data/image_view.h"
#include "tests/support/temporary_folder.h"

namespace millrace::tests {

/// How writeNumbers() stores a TIFF file.
struct NumbersTiff {
  const char* mode = "w";
  bool planes = false;
  int tile = 0;  ///< side of a tile, a multiple of 16; 0: strips of five rows
  int orientation = 1;
  int compression = COMPRESSION_NONE;
  int bits = 0;    ///< of a sample, packed without gaps; 0: as many as T has
  int format = 0;  ///< SAMPLEFORMAT_*; 0: that of T
};

/// Rows of samples of so many bits, the highest bit first; each row begins at a byte.
template <class T>
std::vector<std::uint8_t> packed(const std::vector<T>& samples, std::size_t inRow, int bits) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (i % inRow == 0) bytes.resize(bytes.size() + (inRow * std::size_t(bits) + 7) / 8);
    const std::size_t rowBytes = (inRow * std::size_t(bits) + 7) / 8;
    for (int b = 0; b < bits; ++b) {
      const std::size_t bit = i % inRow * std::size_t(bits) + std::size_t(b);
      if ((std::uint64_t(samples[i]) >> (bits - 1 - b) & 1U) != 0)
        bytes[i / inRow * rowBytes + bit / 8] |= std::uint8_t(0x80U >> (bit % 8));
    }
  }
  return bytes;
}

/// A TIFF file with these numbers, channels last, as samples of type T.
template <class T>
std::vector<std::byte> writeNumbers(const std::vector<T>& numbers, Size size, int channels,
                                    const NumbersTiff& how) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "numbers.tif";
  TIFF* tiff = TIFFOpen(path.c_str(), how.mode);
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, size.width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, size.height);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, how.bits > 0 ? how.bits : int(8 * sizeof(T)));
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, channels);
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT,
               how.format != 0               ? how.format
               : std::is_floating_point_v<T> ? SAMPLEFORMAT_IEEEFP
               : std::is_signed_v<T>         ? SAMPLEFORMAT_INT
                                             : SAMPLEFORMAT_UINT);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, how.compression);
  TIFFSetField(tiff, TIFFTAG_ORIENTATION, how.orientation);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG,
               how.planes ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
  const int side = how.tile;
  if (side > 0) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, side);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, side);
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 5);
  }
  const bool isPacked = how.bits > 0 && how.bits != int(8 * sizeof(T));
  const int planes = how.planes ? channels : 1;
  const int width = side > 0 ? side : size.width;
  const int height = side > 0 ? side : 1;
  for (int plane = 0; plane < planes; ++plane)
    for (int top = 0; top < size.height; top += height)
      for (int left = 0; left < size.width; left += width) {
        std::vector<T> block;
        for (int y = top; y < top + height; ++y)
          for (int x = left; x < left + width; ++x)
            for (int c = plane; c < (how.planes ? plane + 1 : channels); ++c)
              block.push_back(y < size.height && x < size.width
                                  ? numbers[std::size_t((y * size.width + x) * channels + c)]
                                  : T{});
        const auto inRow = std::size_t(how.planes ? width : width * channels);
        auto bits = isPacked ? packed(block, inRow, how.bits) : std::vector<std::uint8_t>();
        void* const data = isPacked ? static_cast<void*>(bits.data()) : block.data();
        if (side > 0)
          TIFFWriteTile(tiff, data, std::uint32_t(left), std::uint32_t(top), 0,
                        std::uint16_t(plane));
        else
          TIFFWriteScanline(tiff, data, std::uint32_t(top), std::uint16_t(plane));
      }
  TIFFClose(tiff);
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

}  // namespace millrace::tests
