// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// BMP: 1, 4, 8, 16, 24 and 32 bits, palettes, bit masks and run-length codes, following Microsoft's
// "Bitmap Storage" and, for headers of 12 bytes, OS/2's. No commonly used library returns palette
// indices. Only the region's rows are read.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text/text.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/pixel_rows.h"

namespace millrace {
namespace {

constexpr std::size_t kFileHead = 14;
/// Two bytes of a run make at most 255 pixels.
constexpr std::int64_t kPixelsPerRunByte = 128;

enum class BmpCode : std::uint32_t { None = 0, Runs8 = 1, Runs4 = 2, Masks = 3, AlphaMasks = 6 };

/// The bits of a colour in a pixel of 16 or 32 bits.
struct BitField {
  unsigned shift = 0;
  unsigned bits = 0;

  std::uint8_t of(std::uint32_t pixel) const {
    if (bits == 0) return 0;
    const std::uint64_t most = (std::uint64_t{1} << bits) - 1;
    return static_cast<std::uint8_t>(((pixel >> shift & most) * 255 + most / 2) / most);
  }
};

std::optional<BitField> bitField(std::uint32_t mask) {
  if (mask == 0) return BitField{};
  const auto shift = static_cast<unsigned>(std::countr_zero(mask));
  const auto bits = static_cast<unsigned>(std::popcount(mask));
  if (mask >> shift != (std::uint64_t{1} << bits) - 1) return std::nullopt;
  return BitField{shift, bits};
}

struct BmpHead {
  int width = 0;
  int height = 0;
  bool topDown = false;
  unsigned bits = 0;
  BmpCode code = BmpCode::None;
  std::uint32_t colours = 0;      ///< entries of the palette according to the header; 0: as many as
                                  ///< fit
  std::size_t size = 0;           ///< of the header after the file header
  std::size_t pixels = 0;         ///< offset of the first stored row
  std::array<BitField, 3> rgb{};  ///< for 16 and 32 bits
  BitField alpha{};               ///< without bits if there is none

  bool isPalette() const { return bits <= 8; }
  bool isCoded() const { return code == BmpCode::Runs8 || code == BmpCode::Runs4; }
  std::size_t stride() const { return (static_cast<std::size_t>(width) * bits + 31) / 32 * 4; }
  /// The offset of a displayed row, relative to `pixels`.
  std::size_t stored(int y) const { return static_cast<std::size_t>(topDown ? y : height - 1 - y); }
};

class BmpCodec final : public Codec {
 public:
  explicit BmpCodec(const DecodeLimits& limits) : m_limits(limits) {}

  Result<ImageInfo> open(std::span<const std::byte> file) override;
  Result<DecodedImage> decode(const StoredRequest& request) override;

 private:
  Status readHead();
  Status checkBits() const;
  Status readMasks();
  Status readAlphaMask();
  void readPalette();
  Status unpackRuns();
  Result<const std::uint8_t*> rowAt(int y);
  void indicesOf(const std::uint8_t* row, Rect region, std::uint8_t* out) const;
  void rgbOf(const std::uint8_t* row, Rect region, int step, std::uint8_t* out);
  template <class T>
  T at(std::size_t place) const {
    return littleEndian<T>(m_file.data() + place);
  }

  DecodeLimits m_limits;
  std::span<const std::byte> m_file;
  BmpHead m_head;
  std::array<std::array<std::uint8_t, 3>, 256> m_palette{};
  bool m_isUnpacked = false;
  Buffer m_indices;  ///< for run-length codes: the displayed rows, one byte per pixel
  Buffer m_row;
  Buffer m_pixels;
};

Status BmpCodec::readHead() {
  m_head = {};
  if (m_file.size() < kFileHead + 12) return truncatedAfter(m_file.size());
  m_head.pixels = at<std::uint32_t>(10);
  m_head.size = at<std::uint32_t>(kFileHead);
  constexpr std::array<std::size_t, 7> kSizes = {12, 40, 52, 56, 64, 108, 124};
  if (std::ranges::find(kSizes, m_head.size) == kSizes.end())
    return Error{fmt::format("not supported yet: BMP file with a header of {} bytes", m_head.size)};
  if (m_file.size() < kFileHead + m_head.size) return truncatedAfter(m_file.size());
  std::int64_t height = 0;
  if (m_head.size == 12) {
    m_head.width = at<std::uint16_t>(18);
    height = at<std::uint16_t>(20);
    m_head.bits = at<std::uint16_t>(24);
  } else {
    m_head.width = at<std::int32_t>(18);
    height = at<std::int32_t>(22);
    m_head.bits = at<std::uint16_t>(28);
    m_head.code = static_cast<BmpCode>(at<std::uint32_t>(30));
    m_head.colours = at<std::uint32_t>(46);
  }
  constexpr std::int64_t kLargestSide = std::int64_t{1} << 28U;
  m_head.topDown = height < 0;
  height = height < 0 ? -height : height;
  if (m_head.width <= 0 || height == 0 || m_head.width > kLargestSide || height > kLargestSide)
    return Error{fmt::format("damaged BMP: a size of {} x {} pixels", m_head.width, height)};
  m_head.height = static_cast<int>(height);
  return checkBits();
}

Status BmpCodec::checkBits() const {
  constexpr std::array<unsigned, 6> kBits = {1, 4, 8, 16, 24, 32};
  const auto code = static_cast<std::uint32_t>(m_head.code);
  if (std::ranges::find(kBits, m_head.bits) == kBits.end())
    return Error{
        fmt::format("not supported yet: BMP file with {} per pixel", counted(m_head.bits, "bit"))};
  bool fits = false;
  switch (m_head.code) {
    case BmpCode::None: fits = true; break;
    case BmpCode::Runs8: fits = m_head.bits == 8 && !m_head.topDown; break;
    case BmpCode::Runs4: fits = m_head.bits == 4 && !m_head.topDown; break;
    // In OS/2 headers of 64 bytes, 3 is a fax code.
    case BmpCode::Masks:
    case BmpCode::AlphaMasks:
      fits = (m_head.bits == 16 || m_head.bits == 32) && m_head.size != 64;
      break;
  }
  if (!fits)
    return Error{fmt::format("not supported yet: BMP file with compression {} and {} bits", code,
                             m_head.bits)};
  return {};
}

Status BmpCodec::readMasks() {
  if (m_head.bits != 16 && m_head.bits != 32) return {};
  std::array<std::uint32_t, 3> masks = {0xff0000, 0xff00, 0xff};
  if (m_head.bits == 16) masks = {0x7c00, 0x3e0, 0x1f};
  if (m_head.code != BmpCode::None) {
    // After a header of 40 bytes, or inside a longer one: the same offset.
    constexpr std::size_t kMasks = kFileHead + 40;
    if (m_file.size() < kMasks + 12) return truncatedAfter(m_file.size());
    for (std::size_t c = 0; c < 3; ++c) masks[c] = at<std::uint32_t>(kMasks + 4 * c);
  }
  for (std::size_t c = 0; c < 3; ++c) {
    const std::optional<BitField> field = bitField(masks[c]);
    if (!field) return Error{fmt::format("damaged BMP: invalid bit mask {:08x}", masks[c])};
    m_head.rgb[c] = *field;
  }
  return readAlphaMask();
}

/// Headers of 56 bytes or more have one; the masks after a header of 40 bytes with the code for it.
Status BmpCodec::readAlphaMask() {
  constexpr std::size_t kMask = kFileHead + 52;
  const bool hasOne =
      m_head.code == BmpCode::AlphaMasks || (m_head.code == BmpCode::Masks && m_head.size >= 56);
  if (!hasOne) return {};
  if (m_file.size() < kMask + 4) return truncatedAfter(m_file.size());
  const std::optional<BitField> field = bitField(at<std::uint32_t>(kMask));
  if (!field) return Error{"damaged BMP: invalid bit mask of alpha"};
  m_head.alpha = *field;
  return {};
}

/// Entries that the file does not contain are black.
void BmpCodec::readPalette() {
  m_palette = {};
  const std::size_t most = std::size_t{1} << m_head.bits;
  const std::size_t bytes = m_head.size == 12 ? 3 : 4;
  const std::size_t begin = kFileHead + m_head.size;
  const std::size_t end =
      std::min(m_head.pixels > begin ? m_head.pixels : m_file.size(), m_file.size());
  std::size_t count = m_head.colours == 0 ? most : std::min<std::size_t>(m_head.colours, most);
  count = std::min(count, (end - begin) / bytes);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      m_palette[i][c] = std::to_integer<std::uint8_t>(m_file[begin + i * bytes + 2 - c]);
}

Result<ImageInfo> BmpCodec::open(std::span<const std::byte> file) {
  m_file = file;
  m_isUnpacked = false;
  MILLRACE_TRY(readHead());
  ImageInfo info;
  info.format = "BMP";
  info.storedSize = {m_head.width, m_head.height};
  info.size = info.storedSize;
  info.storedChannels = m_head.isPalette() ? 1 : (m_head.alpha.bits > 0 ? 4 : 3);
  info.bitDepth = m_head.isPalette() ? static_cast<int>(m_head.bits) : 8;
  info.isPalette = m_head.isPalette();
  const std::int64_t perByte = m_head.isCoded() ? kPixelsPerRunByte : std::max(8 / m_head.bits, 1U);
  MILLRACE_TRY(checkPlausible(info.size, file.size(), m_limits, perByte));
  MILLRACE_TRY(readMasks());
  if (m_head.isPalette()) readPalette();
  info.reduced.addIf(m_head.alpha.bits > 0, Reduction::Alpha);
  return info;
}

/// Decodes run-length codes of 8 and 4 bits. Skipped pixels have index 0; runs beyond the end of a
/// row are cut.
Status BmpCodec::unpackRuns() {
  const auto width = static_cast<std::size_t>(m_head.width);
  const auto height = static_cast<std::size_t>(m_head.height);
  auto* indices = reinterpret_cast<std::uint8_t*>(m_indices.reserve(width * height));
  std::memset(indices, 0, width * height);
  const bool narrow = m_head.code == BmpCode::Runs4;
  std::size_t x = 0;
  std::size_t y = 0;  // as stored: from the bottom
  const auto put = [&](std::uint8_t index) {
    if (x < width) indices[(height - 1 - y) * width + x] = index;
    ++x;
  };
  std::size_t i = m_head.pixels;
  while (y < height) {
    if (i > m_file.size() || m_file.size() - i < 2) return truncatedAfter(m_file.size());
    const auto count = at<std::uint8_t>(i);
    const auto value = at<std::uint8_t>(i + 1);
    i += 2;
    if (count > 0) {
      for (unsigned n = 0; n < count; ++n)
        put(!narrow ? value : static_cast<std::uint8_t>(n % 2 == 0 ? value >> 4U : value & 15U));
    } else if (value == 0) {
      x = 0;
      ++y;
    } else if (value == 1) {
      break;
    } else if (value == 2) {
      if (m_file.size() - i < 2) return truncatedAfter(m_file.size());
      x += at<std::uint8_t>(i);
      y += at<std::uint8_t>(i + 1);
      i += 2;
    } else {
      const std::size_t bytes = narrow ? (value + 1U) / 2U : value;
      if (m_file.size() - i < bytes) return truncatedAfter(m_file.size());
      for (unsigned n = 0; n < value; ++n) {
        const auto byte = at<std::uint8_t>(i + (narrow ? n / 2 : n));
        put(!narrow ? byte : static_cast<std::uint8_t>(n % 2 == 0 ? byte >> 4U : byte & 15U));
      }
      i += (bytes + 1) / 2 * 2;
    }
  }
  m_isUnpacked = true;
  return {};
}

/// A row as stored; for run-length codes one byte per pixel.
Result<const std::uint8_t*> BmpCodec::rowAt(int y) {
  if (m_head.isCoded())
    return reinterpret_cast<const std::uint8_t*>(m_indices.data()) +
           static_cast<std::size_t>(y) * static_cast<std::size_t>(m_head.width);
  const std::size_t begin = m_head.pixels + m_head.stored(y) * m_head.stride();
  // Some encoders omit the padding of the last row.
  const std::size_t bytes = (static_cast<std::size_t>(m_head.width) * m_head.bits + 7) / 8;
  if (begin > m_file.size() || m_file.size() - begin < bytes) return truncatedAfter(m_file.size());
  return reinterpret_cast<const std::uint8_t*>(m_file.data()) + begin;
}

void BmpCodec::indicesOf(const std::uint8_t* row, Rect region, std::uint8_t* out) const {
  if (m_head.bits == 8 || m_head.isCoded()) {
    std::copy_n(row + region.x, region.width, out);
    return;
  }
  const int perByte = static_cast<int>(8 / m_head.bits);
  const unsigned mask = (1U << m_head.bits) - 1U;
  for (int x = 0; x < region.width; ++x) {
    const int at = region.x + x;
    const auto shift = m_head.bits * static_cast<unsigned>(perByte - 1 - at % perByte);
    out[x] = static_cast<std::uint8_t>(row[at / perByte] >> shift & mask);
  }
}

/// `step`: 3, or 4 with alpha.
void BmpCodec::rgbOf(const std::uint8_t* row, Rect region, int step, std::uint8_t* out) {
  const auto width = static_cast<std::size_t>(region.width);
  const auto left = static_cast<std::size_t>(region.x);
  if (m_head.isPalette()) {
    auto* indices = reinterpret_cast<std::uint8_t*>(m_row.reserve(width));
    indicesOf(row, region, indices);
    for (std::size_t x = 0; x < width; ++x)
      out = std::copy_n(m_palette[indices[x]].begin(), 3, out);
    return;
  }
  if (m_head.bits == 24) {
    for (std::size_t x = 0; x < width; ++x, out += 3)
      for (std::size_t c = 0; c < 3; ++c) out[c] = row[(left + x) * 3 + 2 - c];
    return;
  }
  const std::size_t bytes = m_head.bits / 8;
  for (std::size_t x = 0; x < width; ++x, out += step) {
    std::uint32_t pixel = 0;
    std::memcpy(&pixel, row + (left + x) * bytes, bytes);
    for (std::size_t c = 0; c < 3; ++c) out[c] = m_head.rgb[c].of(pixel);
    if (step == 4) out[3] = m_head.alpha.of(pixel);
  }
}

Result<DecodedImage> BmpCodec::decode(const StoredRequest& request) {
  const Rect region = request.region;
  const bool asIndex = request.form == PixelForm::Index && m_head.isPalette();
  const bool asGrey = request.form == PixelForm::Grey;
  if (m_head.isCoded() && !m_isUnpacked) MILLRACE_TRY(unpackRuns());
  // Only files with alpha are decoded to Rgba.
  const int colours = request.form == PixelForm::Rgba && m_head.alpha.bits > 0 ? 4 : 3;
  const int channels = asIndex || asGrey ? 1 : colours;
  const std::ptrdiff_t stride = std::ptrdiff_t{region.width} * channels;
  // Grey is computed in place of the colours, so one more row is needed.
  auto* pixels = reinterpret_cast<std::uint8_t*>(
      m_pixels.reserve(static_cast<std::size_t>(stride) * static_cast<std::size_t>(region.height) +
                       static_cast<std::size_t>(region.width) * 3));
  for (int y = 0; y < region.height; ++y) {
    const Result<const std::uint8_t*> row = rowAt(region.y + y);
    if (!row) return row.error();
    std::uint8_t* out = pixels + y * stride;
    if (asIndex) {
      indicesOf(*row, region, out);
      continue;
    }
    rgbOf(*row, region, colours, out);
    if (asGrey) rgbToGrey(out, out, region.width);
  }
  DecodedImage image;
  image.pixels = {pixels, region.width, region.height, channels, stride};
  image.region = {0, 0, static_cast<double>(region.width), static_cast<double>(region.height)};
  return image;
}

/// "BM" alone is the beginning of too many other files.
bool isBmp(std::span<const std::byte> file) {
  if (!isAt(file, 0, "BM")) return false;
  if (file.size() < kFileHead + 4) return true;
  const auto size = littleEndian<std::uint32_t>(file.data() + kFileHead);
  return size >= 12 && size <= 1024;
}

}  // namespace

CodecEntry bmpCodec();
CodecEntry bmpCodec() {
  return {"BMP", {"bmp"}, {}, &isBmp, [](const DecodeLimits& limits) -> std::unique_ptr<Codec> {
            return std::make_unique<BmpCodec>(limits);
          }};
}

}  // namespace millrace
