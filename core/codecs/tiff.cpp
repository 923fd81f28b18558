// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// TIFF and BigTIFF by libtiff: the first picture of the file, grey, RGB, CMYK and palettes of up to
// 16 bits, in strips or tiles of any compression that the library has. Only strips and tiles that
// the region touches are decoded; alpha and colour profiles are not applied.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/pixel_rows.h"
#include "core/codecs/tiff_file.h"

namespace millrace {
namespace {

/// Fax codes take a bit for an empty row and more can be left out, so nothing in the format bounds
/// what a byte holds: DecodeLimits::pixels is what protects.
constexpr std::int64_t kTiffPixelsPerByte = std::int64_t{1} << 28U;
/// Of the strips or tiles that are decoded at once.
constexpr std::uint64_t kLargestBlock = std::uint64_t{1} << 30U;
/// Of a picture, strip or tile, in pixels: sums of two are numbers still.
constexpr std::uint32_t kLargestSide = std::numeric_limits<int>::max() / 8;

/// How the file keeps its pixels.
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

  bool isPalette() const { return photometric == PHOTOMETRIC_PALETTE; }
  /// Samples that make the colour: 1, 3, or 4 of CMYK.
  std::uint16_t colours() const {
    if (photometric == PHOTOMETRIC_SEPARATED) return 4;
    return photometric == PHOTOMETRIC_RGB || photometric == PHOTOMETRIC_YCBCR ? 3 : 1;
  }
  /// The others are never looked at.
  std::uint16_t planesRead() const { return planes ? colours() : 1; }
};

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
    default: return "colours of a kind that is not known";
  }
}

template <class T>
T field(TIFF* tiff, std::uint32_t tag, T otherwise) {
  T value = otherwise;
  return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : otherwise;
}

class TiffCodec final : public Codec {
 public:
  explicit TiffCodec(const DecodeLimits& limits) : m_limits(limits) {}

  Result<ImageInfo> open(std::span<const std::byte> file) override;
  Result<DecodedImage> decode(const StoredRequest& request) override;

 private:
  Status readForm();
  Status checkForm() const;
  Status readBlocks();
  Status readPalette();
  Error failure(std::uint32_t block, std::uint32_t row) const;
  Status decodeBlock(std::uint32_t column, std::uint32_t row, const StoredRequest& request);
  const std::uint8_t* colourRow(std::uint32_t first, int count, std::size_t line);
  const std::uint8_t* samplesAt(std::uint16_t plane, std::size_t line) const;
  unsigned sample(const std::uint8_t* line, std::size_t index) const;
  unsigned valueAt(const std::uint8_t* row, std::size_t index) const;
  Status toIndices(const std::uint8_t* row, int width, std::uint8_t* out) const;
  std::array<std::uint8_t, 4> rgbAt(const std::uint8_t* row, std::size_t x) const;
  Status toForm(const std::uint8_t* row, int width, PixelForm form, std::uint8_t* out) const;
  int channelsOf(PixelForm form) const;

  DecodeLimits m_limits;
  std::span<const std::byte> m_bytes;
  TiffFile m_file;
  TiffForm m_form;
  std::size_t m_blockBytes = 0;
  std::size_t m_lineBytes = 0;  ///< a row of a strip or tile
  std::array<std::array<std::uint8_t, 3>, 256> m_palette{};
  Buffer m_block;
  Buffer m_row;
  Buffer m_pixels;
};

Status TiffCodec::readForm() {
  TIFF* tiff = m_file.get();
  m_form = {};
  m_form.width = field<std::uint32_t>(tiff, TIFFTAG_IMAGEWIDTH, 0);
  m_form.height = field<std::uint32_t>(tiff, TIFFTAG_IMAGELENGTH, 0);
  m_form.bits = field<std::uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE, 1);
  m_form.samples = field<std::uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  m_form.compression = field<std::uint16_t>(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  m_form.planes = field<std::uint16_t>(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) ==
                  PLANARCONFIG_SEPARATE;
  if (TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &m_form.photometric) != 1)
    m_form.photometric = m_form.samples < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB;
  m_form.tiles = TIFFIsTiled(tiff) != 0;
  if (m_form.width == 0 || m_form.height == 0 || m_form.width > kLargestSide ||
      m_form.height > kLargestSide)
    return Error{
        fmt::format("damaged TIFF: a size of {} x {} pixels", m_form.width, m_form.height)};
  return checkForm();
}

Status TiffCodec::checkForm() const {
  const auto format = field<std::uint16_t>(m_file.get(), TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  const bool isNumber = format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID;
  const bool isJpeg = m_form.compression == COMPRESSION_JPEG;
  if (!isNumber)
    return Error{fmt::format("not supported yet: TIFF file with {} of {} bits",
                             format == SAMPLEFORMAT_IEEEFP ? "floating-point numbers"
                             : format == SAMPLEFORMAT_INT  ? "signed numbers"
                                                           : "complex numbers",
                             m_form.bits)};
  constexpr std::array<std::uint16_t, 5> kBits = {1, 2, 4, 8, 16};
  const bool isColour = m_form.colours() > 1;
  if (std::ranges::find(kBits, m_form.bits) == kBits.end() || (isColour && m_form.bits < 8) ||
      (m_form.isPalette() && m_form.bits > 8))
    return Error{"not supported yet: TIFF file with samples of " + counted(m_form.bits, "bit")};
  switch (m_form.photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_RGB:
    case PHOTOMETRIC_PALETTE:
    case PHOTOMETRIC_SEPARATED: break;
    case PHOTOMETRIC_YCBCR:
      if (isJpeg && m_form.bits == 8) break;
      [[fallthrough]];
    default:
      return Error{fmt::format("not supported yet: TIFF file with {}",
                               nameOfPhotometric(m_form.photometric))};
  }
  if (m_form.samples < m_form.colours())
    return Error{fmt::format("damaged TIFF: {} samples a pixel make no colour", m_form.samples)};
  if (TIFFIsCODECConfigured(m_form.compression) == 0)
    return Error{fmt::format("not supported yet: TIFF file of compression {}", m_form.compression)};
  return {};
}

/// What is decoded at once: a strip or a tile.
Status TiffCodec::readBlocks() {
  TIFF* tiff = m_file.get();
  if (m_form.tiles) {
    m_form.blockWidth = field<std::uint32_t>(tiff, TIFFTAG_TILEWIDTH, 0);
    m_form.blockHeight = field<std::uint32_t>(tiff, TIFFTAG_TILELENGTH, 0);
  } else {
    m_form.blockWidth = m_form.width;
    m_form.blockHeight =
        std::min(field<std::uint32_t>(tiff, TIFFTAG_ROWSPERSTRIP, m_form.height), m_form.height);
  }
  const std::uint64_t bytes = m_form.tiles ? TIFFTileSize64(tiff) : TIFFStripSize64(tiff);
  const std::uint64_t line = m_form.tiles ? TIFFTileRowSize64(tiff) : TIFFScanlineSize64(tiff);
  const std::uint64_t inLine = m_form.planes ? 1 : m_form.samples;
  const std::uint64_t least = (std::uint64_t{m_form.blockWidth} * inLine * m_form.bits + 7) / 8;
  if (m_form.blockWidth == 0 || m_form.blockHeight == 0 || m_form.blockWidth > kLargestSide ||
      m_form.blockHeight > kLargestSide || line < least || bytes == 0 ||
      bytes / line < m_form.blockHeight)
    return Error{"damaged TIFF: its strips or tiles have no size"};
  if (bytes > kLargestBlock / m_form.planesRead())
    return Error{fmt::format("its strips or tiles of {} x {} pixels are too large",
                             m_form.blockWidth, m_form.blockHeight)};
  m_blockBytes = static_cast<std::size_t>(bytes);
  m_lineBytes = static_cast<std::size_t>(line);
  return {};
}

Status TiffCodec::readPalette() {
  std::uint16_t* channels[3] = {};
  if (TIFFGetField(m_file.get(), TIFFTAG_COLORMAP, &channels[0], &channels[1], &channels[2]) != 1)
    return Error{"damaged TIFF: a palette is missing"};
  const std::size_t count = std::size_t{1} << m_form.bits;
  // Colours of 16 bits; old writers put 8 bits there, which libtiff's own tools tell like this.
  bool isWide = false;
  for (const std::uint16_t* channel : channels)
    isWide =
        isWide || std::any_of(channel, channel + count, [](auto value) { return value > 255; });
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      m_palette[i][c] = static_cast<std::uint8_t>(isWide ? channels[c][i] >> 8U : channels[c][i]);
  return {};
}

Result<ImageInfo> TiffCodec::open(std::span<const std::byte> file) {
  m_bytes = file;
  MILLRACE_TRY(m_file.open(file));
  MILLRACE_TRY(readForm());
  ImageInfo info;
  info.format = "TIFF";
  info.storedSize = {static_cast<int>(m_form.width), static_cast<int>(m_form.height)};
  info.size = info.storedSize;
  info.storedChannels = std::min<int>(m_form.samples, 4);
  info.bitDepth = m_form.bits;
  info.isPalette = m_form.isPalette();
  MILLRACE_TRY(checkPlausible(info.size, file.size(), m_limits, kTiffPixelsPerByte));
  const auto orientation = field<std::uint16_t>(m_file.get(), TIFFTAG_ORIENTATION, 1);
  if (orientation >= 1 && orientation <= 8) info.orientation = orientation;
  if (m_form.compression == COMPRESSION_JPEG && m_form.photometric == PHOTOMETRIC_YCBCR)
    TIFFSetField(m_file.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  MILLRACE_TRY(readBlocks());
  if (m_form.isPalette()) MILLRACE_TRY(readPalette());
  return info;
}

Error TiffCodec::failure(std::uint32_t block, std::uint32_t row) const {
  const std::uint64_t begin = TIFFGetStrileOffset(m_file.get(), block);
  const std::uint64_t bytes = TIFFGetStrileByteCount(m_file.get(), block);
  if (begin > m_bytes.size() || bytes > m_bytes.size() - begin)
    return truncatedAfter(m_bytes.size());
  const std::string& why = m_file.message();
  return {fmt::format("damaged TIFF: {} at row {} of {}",
                      why.empty() ? "a strip makes no sense" : why, row, m_form.height)};
}

const std::uint8_t* TiffCodec::samplesAt(std::uint16_t plane, std::size_t line) const {
  return reinterpret_cast<const std::uint8_t*>(m_block.data()) + plane * m_blockBytes +
         line * m_lineBytes;
}

/// In the range of the file's bits.
unsigned TiffCodec::sample(const std::uint8_t* line, std::size_t index) const {
  if (m_form.bits == 8) return line[index];
  if (m_form.bits == 16) {
    std::uint16_t value = 0;  // The library has turned its bytes.
    std::memcpy(&value, line + 2 * index, 2);
    return value;
  }
  const std::size_t perByte = 8U / m_form.bits;
  const auto shift = 8U - m_form.bits * (index % perByte + 1);
  return line[index / perByte] >> shift & ((1U << m_form.bits) - 1U);
}

/// The colour samples of `count` pixels from `first` of a block's line on, interleaved: bytes, of
/// 16 bits two a sample.
const std::uint8_t* TiffCodec::colourRow(std::uint32_t first, int count, std::size_t line) {
  const std::size_t colours = m_form.colours();
  const std::size_t bytes = m_form.bits == 16 ? 2 : 1;
  if (m_form.bits >= 8 && !m_form.planes && m_form.samples == colours)
    return samplesAt(0, line) + first * colours * bytes;
  auto* row = reinterpret_cast<std::uint8_t*>(
      m_row.reserve(static_cast<std::size_t>(count) * colours * bytes));
  for (std::size_t c = 0; c < colours; ++c) {
    const std::uint8_t* from = samplesAt(m_form.planes ? static_cast<std::uint16_t>(c) : 0, line);
    const std::size_t step = m_form.planes ? 1 : m_form.samples;
    for (std::size_t x = 0; x < static_cast<std::size_t>(count); ++x) {
      const unsigned value = sample(from, (first + x) * step + (m_form.planes ? 0 : c));
      const std::size_t at = x * colours + c;
      if (bytes == 1) {
        row[at] = static_cast<std::uint8_t>(value);
      } else {
        const auto wide = static_cast<std::uint16_t>(value);
        std::memcpy(row + 2 * at, &wide, 2);
      }
    }
  }
  return row;
}

int TiffCodec::channelsOf(PixelForm form) const {
  const bool isColour = m_form.colours() > 1;
  return form == PixelForm::Rgb || (form == PixelForm::Index && isColour) ? 3 : 1;
}

/// A sample of colourRow's, in the range of the file's bits.
unsigned TiffCodec::valueAt(const std::uint8_t* row, std::size_t index) const {
  if (m_form.bits != 16) return row[index];
  std::uint16_t value = 0;
  std::memcpy(&value, row + 2 * index, 2);
  return value;
}

Status TiffCodec::toIndices(const std::uint8_t* row, int width, std::uint8_t* out) const {
  for (int x = 0; x < width; ++x) {
    const unsigned value = valueAt(row, static_cast<std::size_t>(x));
    if (value > 255)
      return Error{fmt::format("the 16 bit value {} does not fit a mask of 8 bits", value)};
    out[x] = static_cast<std::uint8_t>(value);
  }
  return {};
}

/// A pixel of colourRow's as RGB; a fourth byte is left over from CMYK.
std::array<std::uint8_t, 4> TiffCodec::rgbAt(const std::uint8_t* row, std::size_t x) const {
  const std::size_t colours = m_form.colours();
  std::array<std::uint8_t, 4> colour{};
  if (m_form.isPalette()) {
    std::copy_n(m_palette[valueAt(row, x)].begin(), 3, colour.begin());
    return colour;
  }
  const unsigned most = (1U << m_form.bits) - 1U;
  for (std::size_t c = 0; c < colours; ++c) {
    unsigned value = valueAt(row, x * colours + c);
    if (m_form.photometric == PHOTOMETRIC_MINISWHITE) value = most - value;
    colour[c] = m_form.bits == 16 ? narrowed(static_cast<std::uint16_t>(value))
                                  : static_cast<std::uint8_t>(value * 255U / most);
  }
  if (colours == 1) colour[1] = colour[2] = colour[0];
  if (colours == 4) {
    for (std::uint8_t& ink : colour) ink = static_cast<std::uint8_t>(255U - ink);
    invertedCmykToRgb(colour.data(), colour.data(), 1);
  }
  return colour;
}

/// One row of colourRow's to what was asked for.
Status TiffCodec::toForm(const std::uint8_t* row, int width, PixelForm form,
                         std::uint8_t* out) const {
  if (form == PixelForm::Index && m_form.colours() == 1) return toIndices(row, width, out);
  const bool isGrey = form == PixelForm::Grey;
  if (m_form.bits == 8 && m_form.colours() == 3 && !isGrey) {
    std::memcpy(out, row, static_cast<std::size_t>(width) * 3);
    return {};
  }
  for (int x = 0; x < width; ++x) {
    const std::array<std::uint8_t, 4> rgb = rgbAt(row, static_cast<std::size_t>(x));
    if (isGrey)
      rgbToGrey(rgb.data(), out++, 1);
    else
      out = std::copy_n(rgb.begin(), 3, out);
  }
  return {};
}

/// Decodes the strip or tile at this column and row and brings what the region has of it to its
/// place.
Status TiffCodec::decodeBlock(std::uint32_t column, std::uint32_t row,
                              const StoredRequest& request) {
  TIFF* tiff = m_file.get();
  auto* memory =
      reinterpret_cast<std::uint8_t*>(m_block.reserve(m_blockBytes * m_form.planesRead()));
  for (std::uint16_t plane = 0; plane < m_form.planesRead(); ++plane) {
    const std::uint32_t block = m_form.tiles ? TIFFComputeTile(tiff, column, row, 0, plane)
                                             : TIFFComputeStrip(tiff, row, plane);
    const auto bytes = static_cast<tmsize_t>(m_blockBytes);
    std::uint8_t* to = memory + plane * m_blockBytes;
    // What a block leaves open must not be what another one left there.
    std::memset(to, 0, m_blockBytes);
    const tmsize_t got = m_form.tiles ? TIFFReadEncodedTile(tiff, block, to, bytes)
                                      : TIFFReadEncodedStrip(tiff, block, to, bytes);
    if (got < 0) return failure(block, row);
  }
  const Rect region = request.region;
  const int channels = channelsOf(request.form);
  const int left = std::max(region.x, static_cast<int>(column));
  const int right = static_cast<int>(std::min<std::uint32_t>(
      static_cast<std::uint32_t>(region.x + region.width), column + m_form.blockWidth));
  const int top = std::max(region.y, static_cast<int>(row));
  const int bottom = static_cast<int>(std::min<std::uint32_t>(
      static_cast<std::uint32_t>(region.y + region.height), row + m_form.blockHeight));
  for (int y = top; y < bottom; ++y) {
    const auto line = static_cast<std::size_t>(y) - row;
    const auto first = static_cast<std::uint32_t>(left) - column;
    std::uint8_t* out =
        reinterpret_cast<std::uint8_t*>(m_pixels.data()) +
        (std::ptrdiff_t{y - region.y} * region.width + (left - region.x)) * channels;
    MILLRACE_TRY(toForm(colourRow(first, right - left, line), right - left, request.form, out));
  }
  return {};
}

Result<DecodedImage> TiffCodec::decode(const StoredRequest& request) {
  const Rect region = request.region;
  const int channels = channelsOf(request.form);
  const std::ptrdiff_t stride = std::ptrdiff_t{region.width} * channels;
  auto* pixels = reinterpret_cast<std::uint8_t*>(
      m_pixels.reserve(static_cast<std::size_t>(stride) * static_cast<std::size_t>(region.height)));
  const auto x = static_cast<std::uint32_t>(region.x);
  const auto y = static_cast<std::uint32_t>(region.y);
  const std::uint32_t right = x + static_cast<std::uint32_t>(region.width);
  const std::uint32_t bottom = y + static_cast<std::uint32_t>(region.height);
  for (std::uint32_t row = y / m_form.blockHeight * m_form.blockHeight; row < bottom;
       row += m_form.blockHeight)
    for (std::uint32_t column = x / m_form.blockWidth * m_form.blockWidth; column < right;
         column += m_form.blockWidth)
      MILLRACE_TRY(decodeBlock(column, row, request));
  DecodedImage image;
  image.pixels = {pixels, region.width, region.height, channels, stride};
  image.region = {0, 0, static_cast<double>(region.width), static_cast<double>(region.height)};
  return image;
}

bool isTiff(std::span<const std::byte> file) {
  using namespace std::string_view_literals;
  return isAt(file, 0, "II*\0"sv) || isAt(file, 0, "MM\0*"sv) || isAt(file, 0, "II+\0"sv) ||
         isAt(file, 0, "MM\0+"sv);
}

}  // namespace

CodecEntry tiffCodec();
CodecEntry tiffCodec() {
  return {&isTiff, [](const DecodeLimits& limits) -> std::unique_ptr<Codec> {
            return std::make_unique<TiffCodec>(limits);
          }};
}

}  // namespace millrace
