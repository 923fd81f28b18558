// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/parts/part_decoders.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <webp/decode.h>

#include "core/base/little_endian.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/orientation.h"
#include "core/codecs/pixel_rows.h"

namespace millrace {
namespace {

/// Lossless codes may take no bits at all, so only the format's side limit of 16 383 bounds the
/// pixels per byte; DecodeLimits::pixels protects.
constexpr std::int64_t kPixelsPerByte = std::int64_t{1} << 28U;
/// Smooth chroma upsampling uses the neighbours of a pair of pixels, and repeats the outermost one
/// at a cut. Cutting this far away, at an even position, gives the region the pixels of the whole
/// picture.
constexpr int kMargin = 4;
constexpr std::size_t kRiffHead = 12;

/// The orientation in the EXIF chunk of the container (WebP Container Specification, "Metadata").
int webpOrientation(std::span<const std::byte> file) {
  for (std::size_t at = kRiffHead; at + 8 <= file.size();) {
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

/// The content of the first chunk of this name; nullopt if there is none before the file ends. A
/// chunk that goes on after the end is cut.
std::optional<std::span<const std::byte>> webpChunk(std::span<const std::byte> chunks,
                                                    std::string_view name) {
  for (std::size_t at = 0; at + 8 <= chunks.size();) {
    const std::size_t left = chunks.size() - at - 8;
    const std::size_t size = littleEndian<std::uint32_t>(chunks.data() + at + 4);
    if (isAt(chunks, at, name)) return chunks.subspan(at + 8, std::min(size, left));
    if (size > left) break;
    at += 8 + size + size % 2;
  }
  return std::nullopt;
}

/// A file of these chunks.
std::span<const std::byte> withAlpha(std::span<const std::byte> picture,
                                     std::span<const std::byte> alpha, Size size,
                                     std::vector<std::byte>& memory) {
  memory.clear();
  const auto number = [&memory](std::size_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) memory.push_back(std::byte(value >> 8U * i & 0xffU));
  };
  const auto name = [&memory](std::string_view text) {
    for (const char letter : text) memory.push_back(static_cast<std::byte>(letter));
  };
  const auto chunk = [&](std::string_view title, std::span<const std::byte> content) {
    name(title);
    number(content.size(), 4);
    memory.insert(memory.end(), content.begin(), content.end());
    if (content.size() % 2 != 0) number(0, 1);
  };
  constexpr std::size_t kExtendedChunk = 18;
  constexpr std::size_t kAlphaFlag = 0x10;
  const auto padded = [](std::size_t bytes) { return 8 + bytes + bytes % 2; };
  name("RIFF");
  number(4 + kExtendedChunk + padded(alpha.size()) + padded(picture.size()), 4);
  name("WEBPVP8X");
  number(10, 4);
  number(kAlphaFlag, 4);
  number(static_cast<std::size_t>(size.width) - 1, 3);
  number(static_cast<std::size_t>(size.height) - 1, 3);
  chunk("ALPH", alpha);
  chunk("VP8 ", picture);
  return memory;
}

/// The first frame of an animation as a separate file in `memory`; the library's decoder refuses
/// animations. "WebP Container Specification", "Animation".
Result<std::span<const std::byte>> firstFrame(std::span<const std::byte> file, Size canvas,
                                              std::vector<std::byte>& memory) {
  constexpr std::size_t kFrameHead = 16;
  const auto frame = webpChunk(file.subspan(kRiffHead), "ANMF");
  if (!frame || frame->size() < kFrameHead) return truncatedAfter(file.size());
  const auto number = [&frame](std::size_t at) {
    return std::to_integer<int>((*frame)[at]) | std::to_integer<int>((*frame)[at + 1]) << 8 |
           std::to_integer<int>((*frame)[at + 2]) << 16;
  };
  if (number(0) != 0 || number(3) != 0 || number(6) + 1 != canvas.width ||
      number(9) + 1 != canvas.height)
    return Error{
        "not supported yet: animated WebP file whose first frame does not cover the picture"};
  const std::span<const std::byte> chunks = frame->subspan(kFrameHead);
  if (const auto data = webpChunk(chunks, "VP8L")) return *data;
  const auto data = webpChunk(chunks, "VP8 ");
  if (!data) return truncatedAfter(file.size());
  const auto alpha = webpChunk(chunks, "ALPH");
  return alpha ? withAlpha(*data, *alpha, canvas, memory) : *data;
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
  Result<DecodedImage> decode(const StoredRequest& request) override;

 private:
  Error failure(VP8StatusCode code) const;
  Rect withMargin(Rect region) const;
  /// What the library decodes: the file, or the first frame of an animation.
  const std::uint8_t* bytes() const { return reinterpret_cast<const std::uint8_t*>(m_data.data()); }

  DecodeLimits m_limits;
  std::span<const std::byte> m_file;
  std::span<const std::byte> m_data;
  std::vector<std::byte> m_frame;  ///< an animation's first one, if it had to be put together
  WebPBitstreamFeatures m_features{};
  Buffer m_pixels;
};

Error WebpCodec::failure(VP8StatusCode code) const {
  // The container states its length.
  const bool isCut = littleEndian<std::uint32_t>(m_file.data() + 4) > m_file.size() - 8;
  if (isCut || code == VP8_STATUS_NOT_ENOUGH_DATA || code == VP8_STATUS_SUSPENDED)
    return truncatedAfter(m_file.size());
  return {fmt::format("damaged WebP: {}", reasonOf(code))};
}

Result<ImageInfo> WebpCodec::open(std::span<const std::byte> file) {
  m_file = file;
  m_data = file;
  VP8StatusCode code = WebPGetFeatures(bytes(), m_data.size(), &m_features);
  if (code != VP8_STATUS_OK) return failure(code);
  ImageInfo info;
  info.format = "WebP";
  info.storedSize = {m_features.width, m_features.height};
  info.size = info.storedSize;
  if (m_features.has_animation != 0) {
    MILLRACE_ASSIGN_OR_RETURN(m_data, firstFrame(file, info.size, m_frame));
    code = WebPGetFeatures(bytes(), m_data.size(), &m_features);
    if (code != VP8_STATUS_OK) return failure(code);
    if (info.size != Size{m_features.width, m_features.height})
      return Error{"damaged WebP: its first frame has another size than its head"};
    info.reduced.add(Reduction::Frames);
  }
  const bool hasAlpha = m_features.has_alpha != 0;
  info.storedChannels = hasAlpha ? 4 : 3;
  info.reduced.addIf(hasAlpha, Reduction::Alpha);
  MILLRACE_TRY(checkPlausible(info.size, file.size(), m_limits, kPixelsPerByte));
  info.orientation = webpOrientation(file);
  if (const auto profile = webpChunk(file.subspan(kRiffHead), "ICCP"))
    info.reduced.addIf(
        !isSrgbProfile({reinterpret_cast<const char*>(profile->data()), profile->size()}),
        Reduction::Profile);
  return info;
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

Result<DecodedImage> WebpCodec::decode(const StoredRequest& request) {
  const Rect region = request.region;
  const Rect cut = withMargin(region);
  const bool grey = request.form == PixelForm::Grey;
  const int decoded = request.form == PixelForm::Rgba ? 4 : 3;
  const std::ptrdiff_t stride = std::ptrdiff_t{cut.width} * decoded;
  const auto size = static_cast<std::size_t>(stride) * static_cast<std::size_t>(cut.height);
  auto* pixels = reinterpret_cast<std::uint8_t*>(m_pixels.reserve(size));
  WebPDecoderConfig config;
  MILLRACE_CHECK(WebPInitDecoderConfig(&config) != 0, "libwebp must match its header");
  config.options.use_cropping = 1;
  config.options.crop_left = cut.x;
  config.options.crop_top = cut.y;
  config.options.crop_width = cut.width;
  config.options.crop_height = cut.height;
  config.output.colorspace = decoded == 4 ? MODE_RGBA : MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = {pixels, static_cast<int>(stride), size};
  const VP8StatusCode code = WebPDecode(bytes(), m_data.size(), &config);
  WebPFreeDecBuffer(&config.output);
  if (code != VP8_STATUS_OK) return failure(code);

  std::uint8_t* first =
      pixels + (region.y - cut.y) * stride + std::ptrdiff_t{region.x - cut.x} * decoded;
  if (grey)
    for (int y = 0; y < region.height; ++y)
      rgbToGrey(first + y * stride, first + y * stride, region.width);
  DecodedImage image;
  image.pixels = {first, region.width, region.height, grey ? 1 : decoded, stride};
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
