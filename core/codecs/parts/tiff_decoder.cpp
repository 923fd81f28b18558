// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/parts/part_decoders.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/codecs/cmyk_colours.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/parts/tiff_file.h"
#include "core/codecs/parts/tiff_form.h"
#include "core/codecs/pixel_rows.h"
#include "core/codecs/tiff_pages.h"

namespace millrace {
namespace {

/// Fax codes take one bit for an empty row and may omit more, so the format does not limit the
/// pixels per byte; DecodeLimits::pixels does.
constexpr std::int64_t kTiffPixelsPerByte = std::int64_t{1} << 28U;

class TiffCodec final : public Codec {
 public:
  explicit TiffCodec(const DecodeLimits& limits) : m_limits(limits) {}

  Result<ImageInfo> open(std::span<const std::byte> file) override;
  Result<DecodedImage> decode(const StoredRequest& request) override;
  bool decodesStored() const override { return true; }

 private:
  Status readPalette();
  Reductions reductions() const;
  std::span<const std::byte> profile() const;
  Error failure(std::uint32_t block, std::uint32_t row) const;
  Status readBlock(std::uint32_t column, std::uint32_t row, std::uint16_t plane, std::byte* to);
  Rect partOf(Rect region, std::uint32_t column, std::uint32_t row) const;
  Status decodeBlock(std::uint32_t column, std::uint32_t row, const StoredRequest& request);
  float number(const std::uint8_t* line, std::size_t index) const;
  Status decodeNumbers(std::uint32_t column, std::uint32_t row, Rect region);
  const std::uint8_t* colourRow(std::uint32_t first, int count, std::size_t line);
  const std::uint8_t* samplesAt(std::uint16_t plane, std::size_t line) const;
  unsigned sample(const std::uint8_t* line, std::size_t index) const;
  unsigned valueAt(const std::uint8_t* row, std::size_t index) const;
  std::uint8_t eightBits(unsigned value) const;
  Status toIndices(const std::uint8_t* row, int width, std::uint8_t* out) const;
  std::array<std::uint8_t, 4> rgbAt(const std::uint8_t* row, std::size_t x) const;
  std::array<std::uint8_t, 4> rgbaAt(const std::uint8_t* row, std::size_t x) const;
  Status toForm(const std::uint8_t* row, int width, PixelForm form, std::uint8_t* out) const;
  int channelsOf(PixelForm form) const;

  DecodeLimits m_limits;
  std::span<const std::byte> m_bytes;
  TiffFile m_file;
  TiffForm m_form;
  std::array<std::array<std::uint8_t, 3>, 256> m_palette{};
  std::uint16_t m_used = 1;  ///< samples of a pixel that the current request needs
  CmykColours m_cmyk;
  Buffer m_block;
  Buffer m_row;
  Buffer m_pixels;
};

Status TiffCodec::readPalette() {
  std::uint16_t* channels[3] = {};
  if (TIFFGetField(m_file.get(), TIFFTAG_COLORMAP, &channels[0], &channels[1], &channels[2]) != 1)
    return Error{"damaged TIFF: a palette is missing"};
  const std::size_t count = std::size_t{1} << m_form.bits;
  // Colours have 16 bits, but old encoders store 8-bit values; libtiff's tools detect them in this
  // way.
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
  MILLRACE_TRY(m_form.read(m_file.get()));
  ImageInfo info;
  info.format = "TIFF";
  info.storedSize = {static_cast<int>(m_form.width), static_cast<int>(m_form.height)};
  info.size = info.storedSize;
  info.storedChannels = m_form.samples;
  info.bitDepth = m_form.bits;
  if (m_form.onlyStored())
    info.onlyStored = fmt::format("it holds {}, which have no colours", m_form.numbersText());
  info.isPalette = m_form.isPalette();
  MILLRACE_TRY(checkPlausible(info.size, file.size(), m_limits, kTiffPixelsPerByte));
  const auto orientation = tiffField<std::uint16_t>(m_file.get(), TIFFTAG_ORIENTATION, 1);
  if (orientation >= 1 && orientation <= 8) info.orientation = orientation;
  if (m_form.compression == COMPRESSION_JPEG && m_form.photometric == PHOTOMETRIC_YCBCR)
    TIFFSetField(m_file.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  MILLRACE_TRY(m_form.readBlocks(m_file.get()));
  if (m_form.isPalette()) MILLRACE_TRY(readPalette());
  info.reduced = reductions();
  return info;
}

Reductions TiffCodec::reductions() const {
  TIFF* tiff = m_file.get();
  Reductions reduced;
  // Another directory may be a smaller copy of the page, or the page again.
  reduced.addIf(TIFFLastDirectory(tiff) == 0 && tiffPages(bytesOf(m_bytes), 2).size() > 1,
                Reduction::Pages);
  if (m_form.onlyStored()) return reduced;
  reduced.addIf(m_form.bits > 8, Reduction::Bits);
  reduced.addIf(m_form.alpha, Reduction::Alpha);
  reduced.addIf(m_form.samples > m_form.visible(), Reduction::Channels);
  const std::span<const std::byte> profile = this->profile();
  if (m_form.colours() == 4)
    reduced.addIf(!profile.empty(), Reduction::CmykProfile);
  else
    reduced.addIf(!isSrgbProfile({reinterpret_cast<const char*>(profile.data()), profile.size()}),
                  Reduction::Profile);
  return reduced;
}

std::span<const std::byte> TiffCodec::profile() const {
  std::uint32_t bytes = 0;
  void* profile = nullptr;
  if (TIFFGetField(m_file.get(), TIFFTAG_ICCPROFILE, &bytes, &profile) != 1) return {};
  return {static_cast<const std::byte*>(profile), bytes};
}

Error TiffCodec::failure(std::uint32_t block, std::uint32_t row) const {
  const std::uint64_t begin = TIFFGetStrileOffset(m_file.get(), block);
  const std::uint64_t bytes = TIFFGetStrileByteCount(m_file.get(), block);
  if (begin > m_bytes.size() || bytes > m_bytes.size() - begin)
    return truncatedAfter(m_bytes.size());
  const std::string& why = m_file.message();
  return {fmt::format("damaged TIFF: {} at row {} of {}", why.empty() ? "a strip is invalid" : why,
                      row, m_form.height)};
}

const std::uint8_t* TiffCodec::samplesAt(std::uint16_t plane, std::size_t line) const {
  return reinterpret_cast<const std::uint8_t*>(m_block.data()) + plane * m_form.blockBytes +
         line * m_form.lineBytes;
}

/// A sample of up to 16 bits. Samples follow each other without gaps, the highest bit first.
unsigned packedSample(const std::uint8_t* line, std::size_t index, std::size_t bits) {
  const std::size_t begin = index * bits;
  const std::size_t end = begin + bits;
  unsigned value = 0;
  for (std::size_t byte = begin / 8; 8 * byte < end; ++byte) value = value << 8U | line[byte];
  return value >> (7 - (end - 1) % 8) & ((1U << bits) - 1U);
}

/// In the range of the file's bit depth.
unsigned TiffCodec::sample(const std::uint8_t* line, std::size_t index) const {
  if (m_form.bits == 8) return line[index];
  if (m_form.bits == 16) {
    std::uint16_t value = 0;  // The library has already swapped its bytes.
    std::memcpy(&value, line + 2 * index, 2);
    return value;
  }
  return packedSample(line, index, m_form.bits);
}

/// The used samples of `count` pixels starting at `first` of a block's line, interleaved; two
/// bytes per sample for more than 8 bits.
const std::uint8_t* TiffCodec::colourRow(std::uint32_t first, int count, std::size_t line) {
  const std::size_t bytes = m_form.bits > 8 ? 2 : 1;
  const bool isPacked = m_form.bits != 8 && m_form.bits != 16;
  if (!isPacked && !m_form.planes && m_form.samples == m_used)
    return samplesAt(0, line) + first * m_used * bytes;
  auto* row = reinterpret_cast<std::uint8_t*>(
      m_row.reserve(static_cast<std::size_t>(count) * m_used * bytes));
  for (std::size_t c = 0; c < m_used; ++c) {
    const std::uint8_t* from = samplesAt(m_form.planes ? static_cast<std::uint16_t>(c) : 0, line);
    const std::size_t step = m_form.planes ? 1 : m_form.samples;
    for (std::size_t x = 0; x < static_cast<std::size_t>(count); ++x) {
      const unsigned value = sample(from, (first + x) * step + (m_form.planes ? 0 : c));
      const std::size_t at = x * m_used + c;
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
  if (form == PixelForm::Rgba) return 4;
  return form == PixelForm::Rgb || (form == PixelForm::Index && isColour) ? 3 : 1;
}

/// A sample of colourRow(), in the range of the file's bit depth.
unsigned TiffCodec::valueAt(const std::uint8_t* row, std::size_t index) const {
  if (m_form.bits <= 8) return row[index];
  std::uint16_t value = 0;
  std::memcpy(&value, row + 2 * index, 2);
  return value;
}

/// A value in the range of the file's bit depth as 8 bits, rounded.
std::uint8_t TiffCodec::eightBits(unsigned value) const {
  if (m_form.bits == 16) return narrowed(static_cast<std::uint16_t>(value));
  const unsigned most = (1U << m_form.bits) - 1U;
  return static_cast<std::uint8_t>((value * 255U + most / 2) / most);
}

Status TiffCodec::toIndices(const std::uint8_t* row, int width, std::uint8_t* out) const {
  for (int x = 0; x < width; ++x) {
    const unsigned value = valueAt(row, static_cast<std::size_t>(x));
    if (value > 255)
      return Error{
          fmt::format("the {}-bit value {} does not fit an 8-bit mask", m_form.bits, value)};
    out[x] = static_cast<std::uint8_t>(value);
  }
  return {};
}

/// A pixel of colourRow() as RGB; the fourth byte is left over from CMYK.
std::array<std::uint8_t, 4> TiffCodec::rgbAt(const std::uint8_t* row, std::size_t x) const {
  const std::size_t colours = m_form.colours();
  std::array<std::uint8_t, 4> colour{};
  if (m_form.isPalette()) {
    std::copy_n(m_palette[valueAt(row, x * m_used)].begin(), 3, colour.begin());
    return colour;
  }
  const unsigned most = (1U << m_form.bits) - 1U;
  for (std::size_t c = 0; c < colours; ++c) {
    unsigned value = valueAt(row, x * m_used + c);
    if (m_form.photometric == PHOTOMETRIC_MINISWHITE) value = most - value;
    colour[c] = eightBits(value);
  }
  if (colours == 1) colour[1] = colour[2] = colour[0];
  if (colours == 4) {
    for (std::uint8_t& ink : colour) ink = static_cast<std::uint8_t>(255U - ink);
    m_cmyk.toRgb(colour.data(), colour.data(), 1);
  }
  return colour;
}

/// rgbAt() with the pixel's alpha, by which it is divided if the file has multiplied it.
std::array<std::uint8_t, 4> TiffCodec::rgbaAt(const std::uint8_t* row, std::size_t x) const {
  std::array<std::uint8_t, 4> colour = rgbAt(row, x);
  colour[3] = 255;
  if (m_used == m_form.colours()) return colour;
  const unsigned alpha = eightBits(valueAt(row, x * m_used + m_form.colours()));
  for (std::size_t c = 0; c < 3 && m_form.premultiplied && alpha > 0; ++c)
    colour[c] = static_cast<std::uint8_t>(std::min((colour[c] * 255U + alpha / 2) / alpha, 255U));
  colour[3] = static_cast<std::uint8_t>(alpha);
  return colour;
}

/// Converts one row of colourRow() to the requested form.
Status TiffCodec::toForm(const std::uint8_t* row, int width, PixelForm form,
                         std::uint8_t* out) const {
  if (form == PixelForm::Index && m_form.colours() == 1) return toIndices(row, width, out);
  const bool isGrey = form == PixelForm::Grey;
  if (form == PixelForm::Rgba) {
    for (int x = 0; x < width; ++x)
      out = std::copy_n(rgbaAt(row, static_cast<std::size_t>(x)).begin(), 4, out);
    return {};
  }
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

/// Reads the strip or tile at this column and row.
Status TiffCodec::readBlock(std::uint32_t column, std::uint32_t row, std::uint16_t plane,
                            std::byte* to) {
  TIFF* tiff = m_file.get();
  const std::uint32_t block = m_form.tiles ? TIFFComputeTile(tiff, column, row, 0, plane)
                                           : TIFFComputeStrip(tiff, row, plane);
  const auto bytes = static_cast<tmsize_t>(m_form.blockBytes);
  // Bytes that a block does not set must not keep the previous block's values.
  std::memset(to, 0, m_form.blockBytes);
  const tmsize_t got = m_form.tiles ? TIFFReadEncodedTile(tiff, block, to, bytes)
                                    : TIFFReadEncodedStrip(tiff, block, to, bytes);
  if (got < 0) return failure(block, row);
  return {};
}

/// What the region has of the strip or tile at this column and row.
Rect TiffCodec::partOf(Rect region, std::uint32_t column, std::uint32_t row) const {
  const int left = std::max(region.x, static_cast<int>(column));
  const int right = static_cast<int>(std::min<std::uint32_t>(
      static_cast<std::uint32_t>(region.x + region.width), column + m_form.blockWidth));
  const int top = std::max(region.y, static_cast<int>(row));
  const int bottom = static_cast<int>(std::min<std::uint32_t>(
      static_cast<std::uint32_t>(region.y + region.height), row + m_form.blockHeight));
  return {left, top, right - left, bottom - top};
}

/// Decodes the strip or tile at this column and row and brings what the region has of it to its
/// place.
Status TiffCodec::decodeBlock(std::uint32_t column, std::uint32_t row,
                              const StoredRequest& request) {
  const std::uint16_t planes = m_form.planes ? m_used : std::uint16_t{1};
  std::byte* const memory = m_block.reserve(m_form.blockBytes * planes);
  for (std::uint16_t plane = 0; plane < planes; ++plane)
    MILLRACE_TRY(readBlock(column, row, plane, memory + plane * m_form.blockBytes));
  const Rect region = request.region;
  const Rect part = partOf(region, column, row);
  const int channels = channelsOf(request.form);
  const auto first = static_cast<std::uint32_t>(part.x) - column;
  for (int y = part.y; y < part.y + part.height; ++y) {
    const auto line = static_cast<std::size_t>(y) - row;
    std::uint8_t* out =
        reinterpret_cast<std::uint8_t*>(m_pixels.data()) +
        (std::ptrdiff_t{y - region.y} * region.width + (part.x - region.x)) * channels;
    MILLRACE_TRY(toForm(colourRow(first, part.width, line), part.width, request.form, out));
  }
  return {};
}

template <class T>
float numberAt(const std::uint8_t* line, std::size_t index) {
  T value{};  // The library has already swapped its bytes.
  std::memcpy(&value, line + index * sizeof(T), sizeof(T));
  return static_cast<float>(value);
}

/// A number of IEEE 754 binary16.
float floatOfHalf(unsigned bits) {
  const unsigned exponent = bits >> 10U & 0x1fU;
  const auto fraction = static_cast<float>(bits & 0x3ffU);
  const float sign = (bits & 0x8000U) != 0 ? -1.0F : 1.0F;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  if (exponent < 0x1fU) return sign * std::ldexp(fraction + 1024, static_cast<int>(exponent) - 25);
  return fraction > 0 ? std::numeric_limits<float>::quiet_NaN()
                      : sign * std::numeric_limits<float>::infinity();
}

/// A sample as the number that the file holds.
float TiffCodec::number(const std::uint8_t* line, std::size_t index) const {
  const bool isSigned = m_form.format == SAMPLEFORMAT_INT;
  switch (m_form.bits) {
    case 64: return numberAt<double>(line, index);
    case 32:
      if (m_form.format == SAMPLEFORMAT_IEEEFP) return numberAt<float>(line, index);
      return isSigned ? numberAt<std::int32_t>(line, index) : numberAt<std::uint32_t>(line, index);
    case 16:
      if (m_form.format == SAMPLEFORMAT_IEEEFP) return floatOfHalf(sample(line, index));
      return isSigned ? numberAt<std::int16_t>(line, index) : numberAt<std::uint16_t>(line, index);
    case 8: return isSigned ? numberAt<std::int8_t>(line, index) : static_cast<float>(line[index]);
    default: return static_cast<float>(sample(line, index));
  }
}

/// decodeBlock() for the numbers of all samples; separate planes one after the other.
Status TiffCodec::decodeNumbers(std::uint32_t column, std::uint32_t row, Rect region) {
  std::byte* const memory = m_block.reserve(m_form.blockBytes);
  const Rect part = partOf(region, column, row);
  const std::size_t samples = m_form.samples;
  const std::size_t inLine = m_form.planes ? 1 : samples;
  const std::size_t first = (static_cast<std::size_t>(part.x) - column) * inLine;
  const std::size_t step = samples / inLine;
  for (std::uint16_t plane = 0; plane < static_cast<std::uint16_t>(step); ++plane) {
    MILLRACE_TRY(readBlock(column, row, plane, memory));
    for (int y = part.y; y < part.y + part.height; ++y) {
      const std::uint8_t* line = samplesAt(0, static_cast<std::size_t>(y) - row);
      float* out =
          reinterpret_cast<float*>(m_pixels.data()) + plane +
          (static_cast<std::size_t>(y - region.y) * static_cast<std::size_t>(region.width) +
           static_cast<std::size_t>(part.x - region.x)) *
              samples;
      const std::size_t count = static_cast<std::size_t>(part.width) * inLine;
      for (std::size_t i = 0; i < count; ++i) out[i * step] = number(line, first + i);
    }
  }
  return {};
}

Result<DecodedImage> TiffCodec::decode(const StoredRequest& request) {
  const Rect region = request.region;
  const bool stored = request.form == PixelForm::Stored;
  m_used = request.form == PixelForm::Rgba ? m_form.visible() : m_form.colours();
  if (m_form.colours() == 4)
    MILLRACE_TRY(m_cmyk.setProfile(request.cmykProfile ? profile() : std::span<const std::byte>()));
  const int channels = stored ? m_form.samples : channelsOf(request.form);
  const std::ptrdiff_t stride = std::ptrdiff_t{region.width} * channels;
  std::byte* const memory =
      m_pixels.reserve(static_cast<std::size_t>(stride) * static_cast<std::size_t>(region.height) *
                       (stored ? sizeof(float) : 1));
  const auto x = static_cast<std::uint32_t>(region.x);
  const auto y = static_cast<std::uint32_t>(region.y);
  const std::uint32_t right = x + static_cast<std::uint32_t>(region.width);
  const std::uint32_t bottom = y + static_cast<std::uint32_t>(region.height);
  const int before = m_file.complaints();
  for (std::uint32_t row = y / m_form.blockHeight * m_form.blockHeight; row < bottom;
       row += m_form.blockHeight)
    for (std::uint32_t column = x / m_form.blockWidth * m_form.blockWidth; column < right;
         column += m_form.blockWidth)
      MILLRACE_TRY(stored ? decodeNumbers(column, row, region) : decodeBlock(column, row, request));
  DecodedImage image;
  if (stored)
    image.values = {reinterpret_cast<const float*>(memory), region.width, region.height, channels,
                    stride};
  else
    image.pixels = {reinterpret_cast<const std::uint8_t*>(memory), region.width, region.height,
                    channels, stride};
  image.region = {0, 0, static_cast<double>(region.width), static_cast<double>(region.height)};
  // libtiff fills in invalid fax codes and reports them as messages, not as errors.
  image.warnings = m_file.complaints() - before;
  return image;
}

/// From the library's own sentence: "LIBTIFF, Version 4.5.0", with its copyright on more lines.
std::string tiffVersion() {
  const std::string_view line = std::string_view(TIFFGetVersion());
  const std::size_t digits = std::min(line.find_first_of("0123456789"), line.size());
  const std::size_t end = std::min(line.find('\n', digits), line.size());
  return std::string(line.substr(digits, end - digits));
}

}  // namespace

CodecLibrary tiffLibrary() { return {"tiff", tiffVersion()}; }

std::unique_ptr<Codec> makeTiffDecoder(const DecodeLimits& limits) {
  return std::make_unique<TiffCodec>(limits);
}

}  // namespace millrace
