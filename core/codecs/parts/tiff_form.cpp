// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/parts/tiff_form.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

/// The limit for the strips or tiles that are decoded at once.
constexpr std::uint64_t kLargestBlock = std::uint64_t{1} << 30U;

bool isOneOf(std::uint16_t bits, std::initializer_list<std::uint16_t> some) {
  return std::ranges::find(some, bits) != some.end();
}
/// The limit for a side of a picture, strip or tile in pixels: sums of two cannot overflow.
constexpr std::uint32_t kLargestSide = std::numeric_limits<int>::max() / 8;

std::string_view nameOfPhotometric(std::uint16_t photometric) {
  switch (photometric) {
    case PHOTOMETRIC_MASK: return "a transparency mask";
    case PHOTOMETRIC_YCBCR: return "YCbCr that is not JPEG";
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICCLAB:
    case PHOTOMETRIC_ITULAB: return "Lab colours";
    case PHOTOMETRIC_LOGL:
    case PHOTOMETRIC_LOGLUV: return "logarithmic luminance";
    case PHOTOMETRIC_CFA: return "a raw colour filter array";
    default: return "an unknown colour model";
  }
}

}  // namespace

Status TiffForm::read(TIFF* tiff) {
  *this = {};
  width = tiffField<std::uint32_t>(tiff, TIFFTAG_IMAGEWIDTH, 0);
  height = tiffField<std::uint32_t>(tiff, TIFFTAG_IMAGELENGTH, 0);
  bits = tiffField<std::uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE, 1);
  samples = tiffField<std::uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  format = tiffField<std::uint16_t>(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  compression = tiffField<std::uint16_t>(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  planes = tiffField<std::uint16_t>(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) ==
           PLANARCONFIG_SEPARATE;
  if (TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric) != 1)
    photometric = samples < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB;
  tiles = TIFFIsTiled(tiff) != 0;
  std::uint16_t others = 0;
  std::uint16_t* kinds = nullptr;
  if (TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &others, &kinds) == 1 && others > 0) {
    premultiplied = kinds[0] == EXTRASAMPLE_ASSOCALPHA;
    alpha = (premultiplied || kinds[0] == EXTRASAMPLE_UNASSALPHA) && samples > colours();
  }
  if (width == 0 || height == 0 || width > kLargestSide || height > kLargestSide)
    return Error{fmt::format("damaged TIFF: a size of {} x {} pixels", width, height)};
  return check();
}

std::string TiffForm::numbersText() const {
  return fmt::format("{} of {}",
                     isUnsigned()                    ? "unsigned numbers"
                     : format == SAMPLEFORMAT_IEEEFP ? "floating-point numbers"
                     : format == SAMPLEFORMAT_INT    ? "signed numbers"
                                                     : "complex numbers",
                     counted(bits, "bit"));
}

bool TiffForm::hasKnownNumbers() const {
  if (format == SAMPLEFORMAT_IEEEFP) return !isPalette() && isOneOf(bits, {16, 32, 64});
  if (format == SAMPLEFORMAT_INT) return !isPalette() && isOneOf(bits, {8, 16, 32});
  if (!isUnsigned()) return false;
  if (isPalette()) return isOneOf(bits, {1, 2, 4, 8});
  return (bits >= 1 && bits <= 16) || bits == 32;
}

Status TiffForm::check() const {
  const bool isJpeg = compression == COMPRESSION_JPEG;
  if (!hasKnownNumbers()) return Error{"not supported yet: TIFF file with " + numbersText()};
  switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_RGB:
    case PHOTOMETRIC_PALETTE:
    case PHOTOMETRIC_SEPARATED: break;
    case PHOTOMETRIC_YCBCR:
      if (isJpeg && bits == 8) break;
      [[fallthrough]];
    default:
      return Error{
          fmt::format("not supported yet: TIFF file with {}", nameOfPhotometric(photometric))};
  }
  if (samples < colours())
    return Error{
        fmt::format("damaged TIFF: {} samples per pixel are not enough for a colour", samples)};
  if (TIFFIsCODECConfigured(compression) == 0)
    return Error{fmt::format("not supported yet: TIFF file with compression {}", compression)};
  return {};
}

Status TiffForm::readBlocks(TIFF* tiff) {
  if (tiles) {
    blockWidth = tiffField<std::uint32_t>(tiff, TIFFTAG_TILEWIDTH, 0);
    blockHeight = tiffField<std::uint32_t>(tiff, TIFFTAG_TILELENGTH, 0);
  } else {
    blockWidth = width;
    blockHeight = std::min(tiffField<std::uint32_t>(tiff, TIFFTAG_ROWSPERSTRIP, height), height);
  }
  const std::uint64_t bytes = tiles ? TIFFTileSize64(tiff) : TIFFStripSize64(tiff);
  const std::uint64_t line = tiles ? TIFFTileRowSize64(tiff) : TIFFScanlineSize64(tiff);
  const std::uint64_t inLine = planes ? 1 : samples;
  const std::uint64_t least = (std::uint64_t{blockWidth} * inLine * bits + 7) / 8;
  if (blockWidth == 0 || blockHeight == 0 || blockWidth > kLargestSide ||
      blockHeight > kLargestSide || line < least || bytes == 0 || bytes / line < blockHeight)
    return Error{"damaged TIFF: its strips or tiles have no size"};
  if (bytes > kLargestBlock / planesRead())
    return Error{fmt::format("its strips or tiles of {} x {} pixels are too large", blockWidth,
                             blockHeight)};
  blockBytes = static_cast<std::size_t>(bytes);
  lineBytes = static_cast<std::size_t>(line);
  return {};
}

}  // namespace millrace
