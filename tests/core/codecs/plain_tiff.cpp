// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codecs/plain_tiff.h"

#include <algorithm>

#include <tiffio.h>

#include "tests/support/real_data.h"
#include "tests/support/temporary_folder.h"

namespace millrace::tests {

namespace {

/// `width` pixels of a row starting at `left`, of one plane or of all, as stored in the file; zeros
/// outside the picture.
std::vector<std::uint8_t> packedRow(const Picture& picture, const PlainTiff& how, int left, int y,
                                    int width, int plane) {
  const int first = plane < 0 ? 0 : plane;
  const int count = plane < 0 ? picture.channels : 1;
  std::vector<std::uint8_t> row((std::size_t(width) * count * how.bits + 7) / 8);
  for (int x = 0; x < width; ++x)
    for (int c = 0; c < count; ++c) {
      const bool inside = left + x < picture.width && y < picture.height;
      const unsigned value = inside ? picture.at(left + x, y, first + c) : 0;
      const std::size_t i = std::size_t(x) * count + c;
      if (how.bits == 16) {
        row[2 * i] = row[2 * i + 1] = std::uint8_t(value);
      } else {
        const std::size_t bit = i * how.bits;
        row[bit / 8] |= std::uint8_t(value << (8 - how.bits - bit % 8));
      }
    }
  return row;
}

void writeRows(TIFF* tiff, const Picture& picture, const PlainTiff& how, int plane) {
  if (how.tile == 0) {
    for (int y = 0; y < picture.height; ++y) {
      auto row = packedRow(picture, how, 0, y, picture.width, plane);
      TIFFWriteScanline(tiff, row.data(), std::uint32_t(y), std::uint16_t(std::max(plane, 0)));
    }
    return;
  }
  for (int top = 0; top < picture.height; top += how.tile)
    for (int left = 0; left < picture.width; left += how.tile) {
      std::vector<std::uint8_t> tile;
      for (int y = top; y < top + how.tile; ++y) {
        const auto row = packedRow(picture, how, left, y, how.tile, plane);
        tile.insert(tile.end(), row.begin(), row.end());
      }
      TIFFWriteTile(tiff, tile.data(), std::uint32_t(left), std::uint32_t(top), 0,
                    std::uint16_t(std::max(plane, 0)));
    }
}

void setPalette(TIFF* tiff, const PlainTiff& how) {
  std::array<std::vector<std::uint16_t>, 3> channels;
  for (int c = 0; c < 3; ++c) {
    channels[c].resize(std::size_t(1) << how.bits);
    for (std::size_t i = 0; i < std::min(how.palette.size(), channels[c].size()); ++i)
      channels[c][i] = std::uint16_t(how.palette[i][c] << 8 | 17);
  }
  TIFFSetField(tiff, TIFFTAG_COLORMAP, channels[0].data(), channels[1].data(), channels[2].data());
}

void writePage(TIFF* tiff, const Picture& picture, const PlainTiff& how) {
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, picture.width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, picture.height);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, how.bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, picture.channels);
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, how.sampleFormat);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, how.photometric);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, how.compression);
  TIFFSetField(tiff, TIFFTAG_ORIENTATION, how.orientation);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG,
               how.planes ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
  if (how.alpha >= 0) {
    const auto kind = std::uint16_t(how.alpha);
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
  }
  if (!how.profile.empty())
    TIFFSetField(tiff, TIFFTAG_ICCPROFILE, std::uint32_t(how.profile.size()), how.profile.data());
  if (how.photometric == PHOTOMETRIC_PALETTE) setPalette(tiff, how);
  if (how.compression == COMPRESSION_JPEG && how.photometric == PHOTOMETRIC_YCBCR)
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  if (how.tile > 0) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, how.tile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, how.tile);
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, how.rowsPerStrip);
  }
  for (int plane = how.planes ? 0 : -1; plane < (how.planes ? picture.channels : 0); ++plane)
    writeRows(tiff, picture, how, plane);
}

}  // namespace

std::vector<std::byte> writePlainTiff(const Picture& picture, const PlainTiff& how) {
  return writePlainPages({picture}, how);
}

std::vector<std::byte> writePlainPages(const std::vector<Picture>& pages, const PlainTiff& how) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "picture.tif";
  TIFF* tiff = TIFFOpen(path.c_str(), how.mode);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const bool isSmaller =
        std::find(how.smaller.begin(), how.smaller.end(), i) != how.smaller.end();
    if (isSmaller) TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
    writePage(tiff, pages[i], how);
    if (i + 1 < pages.size()) TIFFWriteDirectory(tiff);
  }
  TIFFClose(tiff);
  return readFile(path.c_str());
}

}  // namespace millrace::tests
