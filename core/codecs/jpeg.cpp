// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// JPEG: the built-in decoder if it supports the file (core/codecs/jpeg), else libjpeg-turbo, with
// the same pixels. Only the rows and columns that a region needs are decoded, at a DCT scale of 1,
// 2, 4 or 8 (other scales have no vector code).
#include <algorithm>

#include <fmt/format.h>

#include "core/codecs/cmyk_colours.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/jpeg/baseline_decoder.h"
#include "core/codecs/jpeg_reader.h"
#include "core/codecs/pixel_rows.h"

namespace millrace {
namespace {

/// Smooth ("fancy") upsampling of chroma reads one chroma sample, that is up to two pixels, past a
/// pixel; at a cut edge it repeats the last one instead. Cutting this many pixels further away
/// gives the region the pixels of a whole decode.
constexpr int kMarginColumns = 4;

/// The minimum number of bits per 8 x 8 block is one, in the DC scan of a progressive file, and a
/// component may have a quarter of the blocks on each axis. Arithmetic codes go far below one bit.
constexpr std::int64_t kHuffmanPixelsPerByte = 2000;
constexpr std::int64_t kArithmeticPixelsPerByte = 10000;

/// The region in whole pixels of the scaled image.
struct ScaledRegion {
  int left, top, right, bottom;
};

ScaledRegion scaledRegion(Rect region, int scale) {
  const auto up = [scale](int value) { return (value + scale - 1) / scale; };
  return {region.x / scale, region.y / scale, up(region.x + region.width),
          up(region.y + region.height)};
}

/// jpeg_crop_scanline of 2.1.5 ignores that a scaled decode may keep chroma at a finer DCT scale
/// than luma. Up to 2 x 2 sampling such chroma needs no upsampling and the result is correct.
bool cutsColumnsRightly(const jpeg_decompress_struct& decoder, int scale) {
  return scale == 1 || (decoder.max_h_samp_factor <= 2 && decoder.max_v_samp_factor <= 2);
}

/// The decoder's settings, and where its rows go.
struct Plan {
  ScaledRegion region;
  int firstColumn = 0;  // Of the decoder's rows, in the scaled image.
  int columns = 0;      // Of the decoder's rows.
  int decoderChannels = 0;
  int channels = 0;
};

class JpegCodec final : public Codec {
 public:
  explicit JpegCodec(const DecodeLimits& limits) : m_limits(limits), m_reader(limits) {}

  Result<ImageInfo> open(std::span<const std::byte> file) override;
  Result<DecodedImage> decode(const StoredRequest& request) override;

 private:
  Result<ImageInfo> openByLibrary();
  Result<DecodedImage> decodeByLibrary(const StoredRequest& request);
  Status start(const StoredRequest& request, int scale);
  Status cutColumns(Plan& plan, int scale);
  Status readRows(const Plan& plan);
  void readRowsInPlace(const Plan& plan);
  void readRowsFromCmyk(const Plan& plan);

  DecodeLimits m_limits;
  jpeg::BaselineDecoder m_own;
  DecodeRoute m_route = DecodeRoute::Head;  // Of the open file, according to its header.
  JpegReader m_reader;
  std::span<const std::byte> m_file;
  bool m_isFresh = false;  // The library has read the header, nothing is decoded yet.
  Buffer m_pixels;
  Buffer m_cmykRow;
  CmykColours m_cmyk;
};

Result<ImageInfo> JpegCodec::open(std::span<const std::byte> file) {
  m_file = file;
  m_isFresh = false;
  m_route = m_own.open(file);
  if (m_route != DecodeRoute::Own) return openByLibrary();
  ImageInfo info;
  info.format = "JPEG";
  info.route = m_route;
  info.storedSize = {m_own.head().width, m_own.head().height};
  info.size = info.storedSize;
  info.storedChannels = m_own.head().components;
  MILLRACE_TRY(checkPlausible(info.size, file.size(), m_limits, kHuffmanPixelsPerByte));
  info.orientation = jpegOrientation(file);
  info.reduced.addIf(hasOtherJpegProfile(file), Reduction::Profile);
  return info;
}

Result<ImageInfo> JpegCodec::openByLibrary() {
  MILLRACE_TRY(m_reader.open(m_file));
  const jpeg_decompress_struct& head = m_reader.decoder();
  ImageInfo info;
  info.format = "JPEG";
  info.route = m_route;
  info.storedSize = {static_cast<int>(head.image_width), static_cast<int>(head.image_height)};
  info.size = info.storedSize;
  info.storedChannels = head.num_components;
  MILLRACE_TRY(checkPlausible(info.size, m_file.size(), m_limits,
                              head.arith_code ? kArithmeticPixelsPerByte : kHuffmanPixelsPerByte));
  if (head.num_components != 1 && head.num_components != 3 && head.num_components != 4)
    return Error{fmt::format("JPEG with {} components is not supported, only 1, 3 and 4",
                             head.num_components)};
  info.orientation = jpegOrientation(m_file);
  if (head.num_components == 4)
    info.reduced.addIf(!jpegProfile(m_file).empty(), Reduction::CmykProfile);
  else
    info.reduced.addIf(hasOtherJpegProfile(m_file), Reduction::Profile);
  m_isFresh = true;
  return info;
}

Status JpegCodec::start(const StoredRequest& request, int scale) {
  if (!m_isFresh) MILLRACE_TRY(m_reader.open(m_file));
  m_isFresh = false;
  jpeg_decompress_struct& decoder = m_reader.decoder();
  decoder.scale_num = 1;
  decoder.scale_denom = static_cast<unsigned>(scale);
  decoder.dct_method = JDCT_ISLOW;
  // Block smoothing of incomplete progressive files needs neighbours outside the region.
  decoder.do_block_smoothing = FALSE;
  const bool isGrey = decoder.num_components == 1 && request.form != PixelForm::Rgb;
  if (decoder.num_components == 4)
    decoder.out_color_space = JCS_CMYK;
  else
    decoder.out_color_space = isGrey || request.form == PixelForm::Grey ? JCS_GRAYSCALE : JCS_RGB;
  return m_reader.guarded([&decoder] { jpeg_start_decompress(&decoder); });
}

Status JpegCodec::cutColumns(Plan& plan, int scale) {
  jpeg_decompress_struct& decoder = m_reader.decoder();
  const int width = static_cast<int>(decoder.output_width);
  plan.columns = width;
  const int left = std::max(0, plan.region.left - kMarginColumns);
  const int right = std::min(width, plan.region.right + kMarginColumns);
  if (right - left == width || !cutsColumnsRightly(decoder, scale)) return {};
  JDIMENSION first = static_cast<JDIMENSION>(left);
  JDIMENSION columns = static_cast<JDIMENSION>(right - left);
  MILLRACE_TRY(m_reader.guarded([&] { jpeg_crop_scanline(&decoder, &first, &columns); }));
  plan.firstColumn = static_cast<int>(first);
  plan.columns = static_cast<int>(columns);
  return {};
}

void JpegCodec::readRowsInPlace(const Plan& plan) {
  jpeg_decompress_struct& decoder = m_reader.decoder();
  const auto stride =
      static_cast<std::size_t>(plan.columns) * static_cast<std::size_t>(plan.channels);
  auto* first = reinterpret_cast<JSAMPROW>(m_pixels.data());
  constexpr int kRows = 8;
  JSAMPROW rows[kRows];
  int row = plan.region.top;
  while (row < plan.region.bottom) {
    const int count = std::min(kRows, plan.region.bottom - row);
    for (int i = 0; i < count; ++i)
      rows[i] = first + static_cast<std::size_t>(row - plan.region.top + i) * stride;
    row += static_cast<int>(jpeg_read_scanlines(&decoder, rows, static_cast<JDIMENSION>(count)));
  }
}

void JpegCodec::readRowsFromCmyk(const Plan& plan) {
  jpeg_decompress_struct& decoder = m_reader.decoder();
  auto* cmyk = reinterpret_cast<JSAMPROW>(m_cmykRow.data());
  auto* out = reinterpret_cast<std::uint8_t*>(m_pixels.data());
  for (int row = plan.region.top; row < plan.region.bottom; ++row) {
    jpeg_read_scanlines(&decoder, &cmyk, 1);
    if (plan.channels == 3) {
      m_cmyk.toRgb(cmyk, out, plan.columns);
    } else {
      m_cmyk.toRgb(cmyk, cmyk, plan.columns);
      rgbToGrey(cmyk, out, plan.columns);
    }
    out += static_cast<std::ptrdiff_t>(plan.columns) * plan.channels;
  }
}

Status JpegCodec::readRows(const Plan& plan) {
  const auto pixels = static_cast<std::size_t>(plan.columns) *
                      static_cast<std::size_t>(plan.region.bottom - plan.region.top);
  m_pixels.reserve(pixels * static_cast<std::size_t>(plan.channels));
  if (plan.decoderChannels == 4) m_cmykRow.reserve(static_cast<std::size_t>(plan.columns) * 4);
  return m_reader.guarded([this, &plan] {
    const auto above = static_cast<JDIMENSION>(plan.region.top);
    if (above > 0) jpeg_skip_scanlines(&m_reader.decoder(), above);
    if (plan.decoderChannels == 4)
      readRowsFromCmyk(plan);
    else
      readRowsInPlace(plan);
  });
}

Result<DecodedImage> JpegCodec::decode(const StoredRequest& request) {
  DecodeRoute route = m_route;
  if (route == DecodeRoute::Own && !request.ownDecoder) route = DecodeRoute::Asked;
  if (route == DecodeRoute::Own) {
    DecodedImage image;
    route = m_own.decode(request, image);
    image.route = route;
    if (route == DecodeRoute::Own) return image;
  }
  Result<DecodedImage> image = decodeByLibrary(request);
  if (image) image->route = route;
  return image;
}

Result<DecodedImage> JpegCodec::decodeByLibrary(const StoredRequest& request) {
  const int scale = request.scale;
  m_reader.fillTruncated(request.fillTruncated);
  MILLRACE_TRY(start(request, scale));
  Plan plan;
  plan.region = scaledRegion(request.region, scale);
  plan.decoderChannels = m_reader.decoder().output_components;
  plan.channels =
      plan.decoderChannels == 4 ? (request.form == PixelForm::Grey ? 1 : 3) : plan.decoderChannels;
  if (plan.decoderChannels == 4)
    MILLRACE_TRY(
        m_cmyk.setProfile(request.cmykProfile ? jpegProfile(m_file) : std::vector<std::byte>()));
  MILLRACE_TRY(cutColumns(plan, scale));
  MILLRACE_TRY(readRows(plan));
  if (m_reader.isIncomplete()) return truncatedAfter(m_file.size());

  DecodedImage image;
  const int left = plan.region.left - plan.firstColumn;
  const auto* first = reinterpret_cast<const std::uint8_t*>(m_pixels.data());
  image.pixels = {first + static_cast<std::ptrdiff_t>(left) * plan.channels,
                  plan.region.right - plan.region.left, plan.region.bottom - plan.region.top,
                  plan.channels, static_cast<std::ptrdiff_t>(plan.columns) * plan.channels};
  const Rect asked = request.region;
  const double step = scale;
  image.region = {asked.x / step - plan.region.left, asked.y / step - plan.region.top,
                  (asked.x + asked.width) / step - plan.region.left,
                  (asked.y + asked.height) / step - plan.region.top};
  image.scale = scale;
  image.warnings = m_reader.warnings();
  m_reader.close();
  return image;
}

std::string turboVersion() {
#define MILLRACE_TEXT_OF(x) #x
#define MILLRACE_TEXT(x) MILLRACE_TEXT_OF(x)
  return MILLRACE_TEXT(LIBJPEG_TURBO_VERSION);
#undef MILLRACE_TEXT
#undef MILLRACE_TEXT_OF
}

bool isJpeg(std::span<const std::byte> file) {
  return file.size() >= 3 && file[0] == std::byte{0xff} && file[1] == std::byte{0xd8} &&
         file[2] == std::byte{0xff};
}

}  // namespace

CodecEntry jpegCodec();
CodecEntry jpegCodec() {
  return {"JPEG",
          {"jpg", "jpeg", "jpe", "jfif"},
          {"libjpeg-turbo", turboVersion()},
          &isJpeg,
          [](const DecodeLimits& limits) -> std::unique_ptr<Codec> {
            return std::make_unique<JpegCodec>(limits);
          }};
}

}  // namespace millrace
