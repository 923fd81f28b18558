// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/parts/part_decoders.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <webp/decode.h>

#include "core/base/little_endian.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/orientation.h"
#include "core/codecs/pixel_rows.h"
#include "core/codecs/webp_chunks.h"

namespace millrace {
namespace {

/// Lossless codes may take no bits at all, so only the format's side limit of 16 383 bounds the
/// pixels per byte; DecodeLimits::pixels protects.
constexpr std::int64_t kPixelsPerByte = std::int64_t{1} << 28U;
/// Smooth chroma upsampling uses the neighbours of a pair of pixels, and repeats the outermost one
/// at a cut. Cutting this far away, at an even position, gives the region the pixels of the whole
/// picture.
constexpr int kMargin = 4;
/// Of all frames that are drawn for one picture, as a multiple of DecodeLimits::pixels.
constexpr std::int64_t kMostDrawn = 16;

/// The orientation in the EXIF chunk of the container (WebP Container Specification, "Metadata").
int webpOrientation(std::span<const std::byte> file) {
  for (std::size_t at = kWebpHead; at + 8 <= file.size();) {
    const std::size_t size = littleEndian<std::uint32_t>(file.data() + at + 4);
    if (size > file.size() - at - 8) return 1;
    if (isAt(file, at, "EXIF")) {
      std::span<const std::byte> tiff = file.subspan(at + 8, size);
      if (isAt(tiff, 0, std::string_view("Exif\0\0", 6))) tiff = tiff.subspan(6);
      return exifOrientation(tiff);
    }
    at += 8 + size + size % 2;
  }
  return 1;
}

std::string_view reasonOf(VP8StatusCode code) {
  switch (code) {
    case VP8_STATUS_OUT_OF_MEMORY: return "not enough memory";
    case VP8_STATUS_UNSUPPORTED_FEATURE: return "a feature that libwebp does not support";
    case VP8_STATUS_BITSTREAM_ERROR: return "the data is invalid";
    default: return "libwebp rejects it";
  }
}

class WebpCodec final : public Codec {
 public:
  explicit WebpCodec(const DecodeLimits& limits) : m_limits(limits) {}

  Result<ImageInfo> open(std::span<const std::byte> file) override;
  Result<ImageInfo> openPicture(std::span<const std::byte> file, std::uint32_t picture) override;
  Result<DecodedImage> decode(const StoredRequest& request) override;

 private:
  Error failure(VP8StatusCode code) const;
  Status readHead(std::span<const std::byte> data);
  Result<ImageInfo> openFrames(std::uint32_t count);
  Status finishInfo(ImageInfo& info) const;
  Status draw();
  Result<MutableImageView> decodeData(Rect region, int channels);
  Rect withMargin(Rect region) const;
  const std::uint8_t* bytes() const { return reinterpret_cast<const std::uint8_t*>(m_data.data()); }

  DecodeLimits m_limits;
  std::span<const std::byte> m_file;
  std::span<const std::byte> m_data;   ///< what the library decodes: the file, or a frame
  std::vector<std::byte> m_made;       ///< a frame's file, if it had to be put together
  WebPBitstreamFeatures m_features{};  ///< of m_data
  Size m_canvas;
  std::vector<WebpFrame> m_frames;  ///< what is drawn on the canvas; empty: m_data is the picture
  bool m_isDrawn = false;
  AnimationCanvas m_drawn;
  Buffer m_pixels;
};

Error WebpCodec::failure(VP8StatusCode code) const {
  // The container states its length.
  const bool isCut = littleEndian<std::uint32_t>(m_file.data() + 4) > m_file.size() - 8;
  if (isCut || code == VP8_STATUS_NOT_ENOUGH_DATA || code == VP8_STATUS_SUSPENDED)
    return truncatedAfter(m_file.size());
  return {fmt::format("damaged WebP: {}", reasonOf(code))};
}

/// Makes `data` what the library decodes.
Status WebpCodec::readHead(std::span<const std::byte> data) {
  m_data = data;
  const VP8StatusCode code = WebPGetFeatures(bytes(), m_data.size(), &m_features);
  return code == VP8_STATUS_OK ? Status() : Status(failure(code));
}

Result<ImageInfo> WebpCodec::open(std::span<const std::byte> file) {
  m_file = file;
  m_frames.clear();
  MILLRACE_TRY(readHead(file));
  if (m_features.has_animation != 0) {
    MILLRACE_ASSIGN_OR_RETURN(ImageInfo info, openFrames(1));
    info.reduced.add(Reduction::Frames);
    return info;
  }
  ImageInfo info;
  info.storedSize = {m_features.width, m_features.height};
  info.reduced.addIf(m_features.has_alpha != 0, Reduction::Alpha);
  MILLRACE_TRY(finishInfo(info));
  return info;
}

Result<ImageInfo> WebpCodec::openPicture(std::span<const std::byte> file, std::uint32_t picture) {
  m_file = file;
  MILLRACE_TRY(readHead(file));
  return openFrames(picture + 1);
}

/// What is seen after so many frames of an animation.
Result<ImageInfo> WebpCodec::openFrames(std::uint32_t count) {
  m_isDrawn = false;
  m_canvas = {m_features.width, m_features.height};
  MILLRACE_ASSIGN_OR_RETURN(m_frames, webpFrames(m_file, count));
  if (m_frames.empty() && count == 1) return truncatedAfter(m_file.size());
  if (m_frames.size() < count)
    return Error{fmt::format("it has no frame {}; the file has changed", count - 1)};
  const Rect all{0, 0, m_canvas.width, m_canvas.height};
  ImageInfo info;
  info.storedSize = all.size();
  std::int64_t pixels = 0;
  bool clears = false;
  for (const WebpFrame& frame : m_frames) {
    const auto data = webpFileOf(frame, m_made);
    if (!data) return truncatedAfter(m_file.size());
    MILLRACE_TRY(readHead(*data));
    if (frame.step.place.size() != Size{m_features.width, m_features.height})
      return Error{"damaged WebP: a frame has another size than its head"};
    pixels += std::int64_t{m_features.width} * m_features.height;
    // A later frame of the same kind only changes what the first one covered.
    info.reduced.addIf(m_features.has_alpha != 0 && &frame == &m_frames.front(), Reduction::Alpha);
    info.reduced.addIf(m_features.has_alpha != 0 && !frame.step.blends, Reduction::Alpha);
    info.reduced.addIf(clears, Reduction::Alpha);
    clears = clears || frame.step.disposal == Disposal::Clear;
  }
  if (pixels > kMostDrawn * m_limits.pixels)
    return Error{fmt::format("{} frames have too many pixels to be drawn", m_frames.size())};
  info.reduced.addIf(m_frames.front().step.place != all, Reduction::Alpha);
  MILLRACE_TRY(finishInfo(info));
  if (m_frames.size() == 1 && m_frames.front().step.place == all) m_frames.clear();
  return info;
}

/// Everything but the size, and whether there is alpha.
Status WebpCodec::finishInfo(ImageInfo& info) const {
  info.format = "WebP";
  info.size = info.storedSize;
  info.storedChannels = info.reduced.has(Reduction::Alpha) ? 4 : 3;
  MILLRACE_TRY(checkPlausible(info.size, m_file.size(), m_limits, kPixelsPerByte));
  info.orientation = webpOrientation(m_file);
  if (const auto profile = webpChunk(m_file.subspan(kWebpHead), "ICCP"))
    info.reduced.addIf(
        !isSrgbProfile({reinterpret_cast<const char*>(profile->data()), profile->size()}),
        Reduction::Profile);
  return {};
}

Status WebpCodec::draw() {
  const std::size_t first = m_drawn.drawn(m_file, m_frames.size());
  if (first == 0) m_drawn.begin(m_canvas, {});
  for (std::size_t i = first; i < m_frames.size(); ++i) {
    const WebpFrame& frame = m_frames[i];
    const auto data = webpFileOf(frame, m_made);
    MILLRACE_CHECK(data.has_value(), "openFrames has found the frame's picture");
    m_data = *data;
    const Size size = frame.step.place.size();
    MILLRACE_ASSIGN_OR_RETURN(const MutableImageView pixels,
                              decodeData({0, 0, size.width, size.height}, 4));
    m_drawn.draw(frame.step, readOnly(pixels));
  }
  m_isDrawn = true;
  return {};
}

Rect WebpCodec::withMargin(Rect region) const {
  constexpr int kLossless = 2;
  if (m_features.format == kLossless) return region;
  const int left = std::max(region.x - kMargin, 0) / 2 * 2;
  const int top = std::max(region.y - kMargin, 0) / 2 * 2;
  const int right = std::min(region.x + region.width + kMargin, m_features.width);
  const int bottom = std::min(region.y + region.height + kMargin, m_features.height);
  return {left, top, right - left, bottom - top};
}

/// The part `cut` of m_data.
Result<MutableImageView> WebpCodec::decodeData(Rect cut, int channels) {
  const std::ptrdiff_t stride = std::ptrdiff_t{cut.width} * channels;
  const auto size = static_cast<std::size_t>(stride) * static_cast<std::size_t>(cut.height);
  auto* pixels = reinterpret_cast<std::uint8_t*>(m_pixels.reserve(size));
  WebPDecoderConfig config;
  MILLRACE_CHECK(WebPInitDecoderConfig(&config) != 0, "libwebp must match its header");
  config.options.use_cropping = 1;
  config.options.crop_left = cut.x;
  config.options.crop_top = cut.y;
  config.options.crop_width = cut.width;
  config.options.crop_height = cut.height;
  config.output.colorspace = channels == 4 ? MODE_RGBA : MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = {pixels, static_cast<int>(stride), size};
  const VP8StatusCode code = WebPDecode(bytes(), m_data.size(), &config);
  WebPFreeDecBuffer(&config.output);
  if (code != VP8_STATUS_OK) return failure(code);
  return MutableImageView{pixels, cut.width, cut.height, channels, stride};
}

Result<DecodedImage> WebpCodec::decode(const StoredRequest& request) {
  const Rect region = request.region;
  if (!m_frames.empty()) {
    if (!m_isDrawn) MILLRACE_TRY(draw());
    return m_drawn.part(region, request.form);
  }
  const Rect cut = withMargin(region);
  const bool grey = request.form == PixelForm::Grey;
  const int decoded = request.form == PixelForm::Rgba ? 4 : 3;
  MILLRACE_ASSIGN_OR_RETURN(const MutableImageView pixels, decodeData(cut, decoded));
  std::uint8_t* first = pixels.row(region.y - cut.y) + std::ptrdiff_t{region.x - cut.x} * decoded;
  if (grey)
    for (int y = 0; y < region.height; ++y)
      rgbToGrey(first + y * pixels.stride, first + y * pixels.stride, region.width);
  DecodedImage image;
  image.pixels = {first, region.width, region.height, grey ? 1 : decoded, pixels.stride};
  image.region = {0, 0, static_cast<double>(region.width), static_cast<double>(region.height)};
  return image;
}

/// The library's number has a byte for each part.
std::string webpVersion() {
  const auto version = static_cast<unsigned>(WebPGetDecoderVersion());
  return fmt::format("{}.{}.{}", version >> 16U, version >> 8U & 0xffU, version & 0xffU);
}

}  // namespace

CodecLibrary webpLibrary() { return {"webp", webpVersion()}; }

std::unique_ptr<Codec> makeWebpDecoder(const DecodeLimits& limits) {
  return std::make_unique<WebpCodec>(limits);
}

}  // namespace millrace
