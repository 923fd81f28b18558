// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// PNG: the built-in decoder if it supports the file (core/codecs/png), else libspng, with the same
// pixels. Rows are decoded in order up to the region's last row; interlaced files are decoded
// whole. Of an animation the still picture is used, or the chosen frame (png/animated_png). Gamma
// and transparency are not applied.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/orientation.h"
#include "core/codecs/pixel_rows.h"
#include "core/codecs/png/animated_png.h"
#include "core/codecs/png/row_decoder.h"
#include "core/codecs/spng_context.h"

namespace millrace {
namespace {

/// Deflate produces at most 1 032 bytes from one byte, and a byte holds up to 8 pixels.
constexpr std::int64_t kBytesPerByte = 1032;
/// Interlaced images must be held whole, with up to 8 bytes per pixel.
constexpr std::size_t kInterlacedBytes = std::size_t{1} << 30U;
/// The limit of one uncompressed text or profile chunk, and of all of them together.
constexpr std::size_t kChunkBytes = std::size_t{16} << 20U;

int channelsOf(const spng_ihdr& head) {
  switch (head.color_type) {
    case SPNG_COLOR_TYPE_TRUECOLOR: return 3;
    case SPNG_COLOR_TYPE_GRAYSCALE_ALPHA: return 2;
    case SPNG_COLOR_TYPE_TRUECOLOR_ALPHA: return 4;
    default: return 1;
  }
}

bool isColour(const spng_ihdr& head) {
  return head.color_type == SPNG_COLOR_TYPE_TRUECOLOR ||
         head.color_type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA;
}

/// The format in which the library returns a row, and how it is converted.
struct RowPlan {
  int format = SPNG_FMT_RGB8;
  std::size_t rowBytes = 0;  ///< As returned by the library.
  int channels = 3;          ///< Of the result.
  enum class Step { None, GreyFromRgb, Unpack, TakeFirst, Narrow, Widen } step = Step::None;
  std::size_t valueBytes() const { return step == Step::Widen ? sizeof(float) : 1; }
  /// Of the library's calls.
  int flags() const { return channels == 4 && step != Step::Widen ? SPNG_DECODE_TRNS : 0; }
};

RowPlan planRows(const spng_ihdr& head, PixelForm form) {
  using Step = RowPlan::Step;
  const std::size_t width = head.width;
  const auto stored = static_cast<std::size_t>(channelsOf(head));
  const bool colour = isColour(head);
  const bool palette = head.color_type == SPNG_COLOR_TYPE_INDEXED;
  if (form == PixelForm::Stored)
    return {SPNG_FMT_PNG, (width * stored * head.bit_depth + 7) / 8, static_cast<int>(stored),
            Step::Widen};
  if (form == PixelForm::Rgba)
    return head.bit_depth == 16 ? RowPlan{SPNG_FMT_RGBA16, width * 8, 4, Step::Narrow}
                                : RowPlan{SPNG_FMT_RGBA8, width * 4, 4, Step::None};
  const int channels = form == PixelForm::Rgb || (form == PixelForm::Index && colour) ? 3 : 1;
  if (head.bit_depth == 16) return {SPNG_FMT_PNG, width * stored * 2, channels, Step::Narrow};
  if (channels == 3) return {SPNG_FMT_RGB8, width * 3, 3, Step::None};
  if (form == PixelForm::Grey && (colour || palette))
    return {SPNG_FMT_RGB8, width * 3, 1, Step::GreyFromRgb};
  if (stored == 2) return {SPNG_FMT_PNG, width * 2, 1, Step::TakeFirst};
  if (form == PixelForm::Grey) return {SPNG_FMT_G8, width, 1, Step::None};
  if (head.bit_depth == 8) return {SPNG_FMT_PNG, width, 1, Step::None};
  return {SPNG_FMT_PNG, (width * head.bit_depth + 7) / 8, 1, Step::Unpack};
}

class PngCodec final : public Codec {
 public:
  explicit PngCodec(const DecodeLimits& limits) : m_limits(limits) {}

  Result<ImageInfo> open(std::span<const std::byte> file) override;
  Result<ImageInfo> openPicture(std::span<const std::byte> file, std::uint32_t picture) override;
  Result<DecodedImage> decode(const StoredRequest& request) override;
  bool decodesStored() const override { return !m_isFrame; }

 private:
  Result<ImageInfo> openByLibrary();
  Reductions reductions() const;
  Result<DecodedImage> decodeByLibrary(const StoredRequest& request);
  Status begin(std::span<const std::byte> file);
  Status decodeRows(const RowPlan& plan, Rect region, PixelForm form);
  void fillRows(const RowPlan& plan, Rect region, int first);
  Status decodeInterlaced(const RowPlan& plan, Rect region, PixelForm form);
  Status finishRow(const RowPlan& plan, const std::uint8_t* row, Rect region, PixelForm form,
                   int y);
  Status narrowRow(const std::uint8_t* row, Rect region, PixelForm form, std::uint8_t* out) const;
  const std::uint8_t* unpacked(const std::uint8_t* row);
  void widenRow(const std::uint8_t* row, Rect region, float* out);
  Error failure(int code, int row) const;
  int width() const { return static_cast<int>(m_head.width); }

  DecodeLimits m_limits;
  std::unique_ptr<png::AnimatedPng> m_frames;  // Created for the first frame that is chosen.
  bool m_isFrame = false;                      // The open picture is one.
  png::RowDecoder m_own;
  DecodeRoute m_route = DecodeRoute::HeadPng;  // Of the open file, according to its header.
  std::span<const std::byte> m_file;
  SpngContext m_context;
  bool m_isFresh = false;         // The library has read the header, nothing is decoded yet.
  bool m_fillsTruncated = false;  // Of the current request.
  bool m_filled = false;          // The file ended early.
  spng_ihdr m_head{};
  Buffer m_pixels;
  Buffer m_scratch;
  Buffer m_closed;  ///< png::closedData()
};

Error PngCodec::failure(int code, int row) const {
  // The library reports EOF for a buffer that ends, and for a stream that ends before its rows.
  if (code == SPNG_IO_EOF || code == SPNG_EOF) return truncatedAfter(m_file.size());
  if (row < 0) return {fmt::format("damaged PNG: {}", spng_strerror(code))};
  return {fmt::format("damaged PNG: {} at row {} of {}", spng_strerror(code), row, m_head.height)};
}

Status PngCodec::begin(std::span<const std::byte> file) {
  m_context.reset(spng_ctx_new(0));
  if (!m_context) return Error{"not enough memory for a PNG decoder"};
  spng_set_chunk_limits(m_context.get(), kChunkBytes, kChunkBytes);
  // The copy that png::closedData() makes has no valid checksum at its end.
  if (file.data() != m_file.data())
    spng_set_crc_action(m_context.get(), SPNG_CRC_USE, SPNG_CRC_USE);
  spng_set_png_buffer(m_context.get(), file.data(), file.size());
  if (const int code = spng_get_ihdr(m_context.get(), &m_head); code != 0) return failure(code, -1);
  return {};
}

/// Rejects sizes that a file with this many bytes cannot have.
Status checkSize(const ImageInfo& info, std::size_t bytes, const DecodeLimits& limits) {
  const std::int64_t bitsPerPixel = info.storedChannels * info.bitDepth;
  return checkPlausible(info.size, bytes, limits,
                        std::max<std::int64_t>(kBytesPerByte * 8 / bitsPerPixel, 1));
}

Result<ImageInfo> PngCodec::open(std::span<const std::byte> file) {
  m_file = file;
  m_isFrame = false;
  m_isFresh = false;
  m_context.reset();
  m_route = m_own.open(file);
  if (m_route != DecodeRoute::OwnPng || m_own.head().hasMore) return openByLibrary();
  const png::Head& head = m_own.head();
  ImageInfo info;
  info.format = "PNG";
  info.storedSize = {head.width, head.height};
  info.size = info.storedSize;
  info.storedChannels = head.channels();
  info.bitDepth = head.bitDepth;
  info.isPalette = head.colour == png::ColourType::Palette;
  info.reduced.addIf(head.channels() % 2 == 0 || head.hasTransparency, Reduction::Alpha);
  MILLRACE_TRY(checkSize(info, file.size(), m_limits));
  return info;
}

Result<ImageInfo> PngCodec::openPicture(std::span<const std::byte> file, std::uint32_t picture) {
  MILLRACE_ASSIGN_OR_RETURN(ImageInfo info, open(file));
  if (!m_frames)
    m_frames = std::make_unique<png::AnimatedPng>(std::make_unique<PngCodec>(m_limits));
  MILLRACE_TRY(m_frames->open(file, picture, info));
  m_isFrame = true;
  return info;
}

/// What is lost of a file, by the chunks before its picture.
Reductions PngCodec::reductions() const {
  Reductions reduced;
  reduced.addIf(m_head.bit_depth > 8, Reduction::Bits);
  reduced.addIf(channelsOf(m_head) % 2 == 0, Reduction::Alpha);
  constexpr std::size_t kFirst = 8;
  png::Chunk chunk;
  for (std::size_t at = kFirst; png::chunkAt(m_file, at, chunk); at = chunk.end + 4) {
    if (chunk.type == png::chunkType("IDAT")) break;
    reduced.addIf(chunk.type == png::chunkType("acTL"), Reduction::Frames);
    reduced.addIf(chunk.type == png::chunkType("tRNS"), Reduction::Alpha);
    // The profile is compressed, its name is not.
    const std::string_view name(reinterpret_cast<const char*>(chunk.data.data()),
                                std::min<std::size_t>(chunk.data.size(), 80));
    reduced.addIf(
        chunk.type == png::chunkType("iCCP") && name.find("sRGB") == std::string_view::npos,
        Reduction::Profile);
  }
  return reduced;
}

Result<ImageInfo> PngCodec::openByLibrary() {
  MILLRACE_TRY(begin(m_file));
  ImageInfo info;
  info.format = "PNG";
  info.storedSize = {static_cast<int>(m_head.width), static_cast<int>(m_head.height)};
  info.size = info.storedSize;
  info.storedChannels = channelsOf(m_head);
  info.bitDepth = m_head.bit_depth;
  info.isPalette = m_head.color_type == SPNG_COLOR_TYPE_INDEXED;
  MILLRACE_TRY(checkSize(info, m_file.size(), m_limits));
  // Reads all chunks before the picture.
  spng_exif exif{};
  const int code = spng_get_exif(m_context.get(), &exif);
  if (code == 0)
    info.orientation = exifOrientation(std::as_bytes(std::span(exif.data, exif.length)));
  else if (code != SPNG_ECHUNKAVAIL)
    return failure(code, -1);
  info.reduced = reductions();
  m_isFresh = true;
  return info;
}

/// Converts 16-bit samples of the region's columns to the requested form.
Status PngCodec::narrowRow(const std::uint8_t* row, Rect region, PixelForm form,
                           std::uint8_t* out) const {
  const bool withAlpha = form == PixelForm::Rgba;
  const auto channels = withAlpha ? 4 : static_cast<std::size_t>(channelsOf(m_head));
  const bool colour = withAlpha || isColour(m_head);
  for (int x = 0; x < region.width; ++x) {
    std::uint16_t sample[4];
    std::memcpy(sample, row + static_cast<std::size_t>(region.x + x) * channels * 2, channels * 2);
    if (!colour) sample[1] = sample[2] = sample[0];
    if (form == PixelForm::Index && !colour) {
      if (sample[0] > 255)
        return Error{fmt::format("the 16-bit value {} does not fit an 8-bit mask", sample[0])};
      *out++ = static_cast<std::uint8_t>(sample[0]);
      continue;
    }
    std::uint8_t rgb[3];
    for (int c = 0; c < 3; ++c) rgb[c] = narrowed(sample[c]);
    if (form == PixelForm::Grey) {
      rgbToGrey(rgb, out++, 1);
    } else {
      out = std::copy_n(rgb, 3, out);
      if (withAlpha) *out++ = narrowed(sample[3]);
    }
  }
  return {};
}

/// The region's columns with the numbers of the file.
void PngCodec::widenRow(const std::uint8_t* row, Rect region, float* out) {
  const auto channels = static_cast<std::size_t>(channelsOf(m_head));
  const std::size_t first = static_cast<std::size_t>(region.x) * channels;
  const std::size_t count = static_cast<std::size_t>(region.width) * channels;
  if (m_head.bit_depth == 16) {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint16_t value = 0;
      std::memcpy(&value, row + 2 * (first + i), sizeof(value));
      out[i] = value;
    }
    return;
  }
  if (m_head.bit_depth < 8) row = unpacked(row);
  std::copy_n(row + first, count, out);
}

/// Samples of fewer than 8 bits as bytes; a region may start inside a byte, so it is the whole row.
const std::uint8_t* PngCodec::unpacked(const std::uint8_t* row) {
  const std::size_t packed = (m_head.width * std::size_t{m_head.bit_depth} + 7) / 8;
  auto* const samples = reinterpret_cast<std::uint8_t*>(m_scratch.data()) + packed;
  unpackBits(row, m_head.bit_depth, samples, width());
  return samples;
}

/// Converts row `y` of the region from the library's `row` and stores it in m_pixels.
Status PngCodec::finishRow(const RowPlan& plan, const std::uint8_t* row, Rect region,
                           PixelForm form, int y) {
  using Step = RowPlan::Step;
  const auto stride =
      static_cast<std::size_t>(region.width) * static_cast<std::size_t>(plan.channels);
  auto* out = reinterpret_cast<std::uint8_t*>(m_pixels.data()) +
              static_cast<std::size_t>(y) * stride * plan.valueBytes();
  const auto left = static_cast<std::size_t>(region.x);
  switch (plan.step) {
    case Step::None:
      std::memcpy(out, row + left * static_cast<std::size_t>(plan.channels), stride);
      return {};
    case Step::GreyFromRgb: rgbToGrey(row + left * 3, out, region.width); return {};
    case Step::TakeFirst:
      for (std::size_t x = 0; x < stride; ++x) out[x] = row[(left + x) * 2];
      return {};
    case Step::Unpack: std::memcpy(out, unpacked(row) + left, stride); return {};
    case Step::Narrow: return narrowRow(row, region, form, out);
    case Step::Widen: widenRow(row, region, reinterpret_cast<float*>(out)); return {};
  }
  return {};
}

/// The region's rows from `first` on, which the file does not hold.
void PngCodec::fillRows(const RowPlan& plan, Rect region, int first) {
  constexpr int kGrey = 128;
  const auto stride =
      static_cast<std::size_t>(region.width) * static_cast<std::size_t>(plan.channels);
  std::memset(m_pixels.data() + static_cast<std::size_t>(first) * stride, kGrey,
              static_cast<std::size_t>(region.height - first) * stride);
  if (plan.channels == 4) {
    auto* const pixels = reinterpret_cast<std::uint8_t*>(m_pixels.data());
    for (std::size_t i = static_cast<std::size_t>(first) * stride + 3;
         i < static_cast<std::size_t>(region.height) * stride; i += 4)
      pixels[i] = 255;
  }
  m_filled = true;
}

Status PngCodec::decodeRows(const RowPlan& plan, Rect region, PixelForm form) {
  auto* scratch = reinterpret_cast<std::uint8_t*>(
      m_scratch.reserve(plan.rowBytes + static_cast<std::size_t>(width())));
  int code = spng_decode_image(m_context.get(), nullptr, 0, plan.format,
                               SPNG_DECODE_PROGRESSIVE | plan.flags());
  if (code != 0) return failure(code, -1);
  const bool inPlace = plan.step == RowPlan::Step::None && region.width == width();
  auto* out = reinterpret_cast<std::uint8_t*>(m_pixels.data());
  for (int y = 0; y < region.y + region.height; ++y) {
    const bool wanted = y >= region.y;
    std::uint8_t* row =
        wanted && inPlace ? out + static_cast<std::size_t>(y - region.y) * plan.rowBytes : scratch;
    code = spng_decode_row(m_context.get(), row, plan.rowBytes);
    if (m_fillsTruncated && (code == SPNG_IO_EOF || code == SPNG_EOF)) {
      fillRows(plan, region, std::max(y - region.y, 0));
      return {};
    }
    if (code != 0 && code != SPNG_EOI) return failure(code, y);
    if (wanted && !inPlace) MILLRACE_TRY(finishRow(plan, row, region, form, y - region.y));
  }
  return {};
}

Status PngCodec::decodeInterlaced(const RowPlan& plan, Rect region, PixelForm form) {
  const std::size_t bytes = plan.rowBytes * m_head.height;
  if (bytes > kInterlacedBytes)
    return Error{fmt::format("an interlaced PNG of {} x {} pixels is too large", m_head.width,
                             m_head.height)};
  // The start of the scratch memory belongs to finishRow().
  auto* head = reinterpret_cast<std::uint8_t*>(
      m_scratch.reserve(plan.rowBytes + static_cast<std::size_t>(width()) + bytes));
  std::uint8_t* whole = head + plan.rowBytes + static_cast<std::size_t>(width());
  // The library ors the bits of packed samples into the memory.
  std::memset(whole, 0, bytes);
  const int code = spng_decode_image(m_context.get(), whole, bytes, plan.format, plan.flags());
  if (code != 0) return failure(code, -1);
  for (int y = 0; y < region.height; ++y) {
    const std::uint8_t* stored = whole + static_cast<std::size_t>(region.y + y) * plan.rowBytes;
    MILLRACE_TRY(finishRow(plan, stored, region, form, y));
  }
  return {};
}

Result<DecodedImage> PngCodec::decode(const StoredRequest& request) {
  if (m_isFrame) return m_frames->decode(request);
  DecodeRoute route = m_route;
  const bool ownForm = request.form != PixelForm::Stored && request.form != PixelForm::Rgba;
  if (route == DecodeRoute::OwnPng && (!request.ownDecoder || !ownForm))
    route = DecodeRoute::AskedPng;
  if (route == DecodeRoute::OwnPng) {
    DecodedImage image;
    route = m_own.decode(request, image);
    image.route = route;
    if (route == DecodeRoute::OwnPng) return image;
  }
  Result<DecodedImage> image = decodeByLibrary(request);
  if (image) image->route = route;
  return image;
}

Result<DecodedImage> PngCodec::decodeByLibrary(const StoredRequest& request) {
  m_fillsTruncated = request.fillTruncated && request.form != PixelForm::Stored;
  const auto closed =
      m_fillsTruncated ? png::closedData(m_file, m_closed) : std::span<const std::byte>();
  if (!closed.empty())
    MILLRACE_TRY(begin(closed));
  else if (!m_isFresh)
    MILLRACE_TRY(begin(m_file));
  m_isFresh = false;
  m_filled = false;
  const Rect region = request.region;
  const RowPlan plan = planRows(m_head, request.form);
  const auto stride =
      static_cast<std::size_t>(region.width) * static_cast<std::size_t>(plan.channels);
  auto* pixels = reinterpret_cast<std::uint8_t*>(
      m_pixels.reserve(stride * static_cast<std::size_t>(region.height) * plan.valueBytes()));
  MILLRACE_TRY(m_head.interlace_method == SPNG_INTERLACE_NONE
                   ? decodeRows(plan, region, request.form)
                   : decodeInterlaced(plan, region, request.form));
  m_context.reset();
  DecodedImage image;
  if (request.form == PixelForm::Stored)
    image.values = {reinterpret_cast<const float*>(pixels), region.width, region.height,
                    plan.channels, static_cast<std::ptrdiff_t>(stride)};
  else
    image.pixels = {pixels, region.width, region.height, plan.channels,
                    static_cast<std::ptrdiff_t>(stride)};
  image.region = {0, 0, static_cast<double>(region.width), static_cast<double>(region.height)};
  image.warnings = m_filled ? 1 : 0;
  return image;
}

bool isPng(std::span<const std::byte> file) { return isAt(file, 0, "\x89PNG\r\n\x1a\n"); }

}  // namespace

CodecEntry pngCodec();
CodecEntry pngCodec() {
  return {"PNG",
          {"png"},
          {"spng", spng_version_string()},
          &isPng,
          [](const DecodeLimits& limits) -> std::unique_ptr<Codec> {
            return std::make_unique<PngCodec>(limits);
          },
          {&png::countFrames}};
}

}  // namespace millrace
