// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <openjpeg.h>

#include "core/codecs/cmyk_colours.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/parts/jpeg2000_head.h"
#include "core/codecs/parts/part_decoders.h"
#include "core/codecs/parts/whole_picture.h"
#include "core/codecs/pixel_rows.h"

namespace millrace {
namespace {

// One type to the compiler: opj_codec_t and opj_stream_t are both a pointer to void.
struct FreeJpeg2000Codec {
  void operator()(opj_codec_t* codec) const { opj_destroy_codec(codec); }
};
struct FreeJpeg2000Stream {
  void operator()(opj_stream_t* stream) const { opj_stream_destroy(stream); }
};
struct FreeJpeg2000Image {
  void operator()(opj_image_t* image) const { opj_image_destroy(image); }
};

/// A file in memory as the library's stream.
struct Jpeg2000Bytes {
  std::span<const std::byte> file;
  std::size_t at = 0;
  bool ended = false;  ///< bytes after the end were requested

  static OPJ_SIZE_T read(void* to, OPJ_SIZE_T bytes, void* self) {
    auto& from = *static_cast<Jpeg2000Bytes*>(self);
    const std::size_t count = std::min<std::size_t>(bytes, from.file.size() - from.at);
    if (count == 0) {
      from.ended = true;
      return static_cast<OPJ_SIZE_T>(-1);
    }
    std::memcpy(to, from.file.data() + from.at, count);
    from.at += count;
    return count;
  }
  static OPJ_OFF_T skip(OPJ_OFF_T bytes, void* self) {
    auto& from = *static_cast<Jpeg2000Bytes*>(self);
    const OPJ_OFF_T left = static_cast<OPJ_OFF_T>(from.file.size() - from.at);
    from.ended = from.ended || bytes > left;
    if (bytes < 0 || left == 0) return -1;
    from.at += static_cast<std::size_t>(std::min(bytes, left));
    return std::min(bytes, left);
  }
  static OPJ_BOOL seek(OPJ_OFF_T to, void* self) {
    auto& from = *static_cast<Jpeg2000Bytes*>(self);
    if (to < 0 || static_cast<std::uint64_t>(to) > from.file.size()) return OPJ_FALSE;
    from.at = static_cast<std::size_t>(to);
    return OPJ_TRUE;
  }
};

class Jpeg2000Codec final : public Codec {
 public:
  explicit Jpeg2000Codec(const DecodeLimits& limits) : m_limits(limits) {}

  Result<ImageInfo> open(std::span<const std::byte> file) override;
  Result<DecodedImage> decode(const StoredRequest& request) override;
  bool decodesStored() const override { return true; }

 private:
  static void note(const char* message, void* self);
  Status begin(bool paletteIndices);
  Status checkChannels() const;
  bool endsEarly() const;
  Error failure() const;
  Status decodeArea(Rect region);
  Status toPicture(Rect region, PixelForm form);
  Result<DecodedImage> numbers(Rect region);
  int numberAt(const opj_image_comp_t& channel, int x, int y) const;
  int valueAt(const opj_image_comp_t& channel, int x, int y) const;
  std::uint8_t byteAt(const opj_image_comp_t& channel, int x, int y) const;
  void rgbAt(int x, int y, std::uint8_t* rgb) const;
  bool isGrey() const { return m_image->numcomps < 3; }
  bool hasAlpha() const { return m_head.channels == 2 || (m_head.channels == 4 && !m_head.isCmyk); }

  DecodeLimits m_limits;
  Jpeg2000Bytes m_bytes;
  Jpeg2000Head m_head;
  std::unique_ptr<opj_stream_t, FreeJpeg2000Stream> m_stream;
  std::unique_ptr<opj_codec_t, FreeJpeg2000Codec> m_codec;
  std::unique_ptr<opj_image_t, FreeJpeg2000Image> m_image;
  bool m_isFresh = false;  ///< the library has read the head, nothing is decoded yet
  std::string m_message;   ///< the library's first error
  WholePicture m_picture;  ///< the region
  CmykColours m_cmyk;
  Buffer m_numbers;  ///< of the region
};

void Jpeg2000Codec::note(const char* message, void* self) {
  std::string& first = static_cast<Jpeg2000Codec*>(self)->m_message;
  if (!first.empty()) return;
  first = message;
  while (!first.empty() && (first.back() == '\n' || first.back() == '.')) first.pop_back();
}

/// Whether the end of the file is missing. The library finds that mostly by comparing lengths, and
/// does not read there.
bool Jpeg2000Codec::endsEarly() const {
  const std::span<const std::byte> file = m_bytes.file;
  if (m_bytes.ended) return true;
  return m_head.isBare ? !isAt(file, file.size() - 2, "\xff\xd9") : endsInsideBox(file);
}

Error Jpeg2000Codec::failure() const {
  if (endsEarly()) return truncatedAfter(m_bytes.file.size());
  return {
      fmt::format("damaged JPEG 2000: {}", m_message.empty() ? "OpenJPEG rejects it" : m_message)};
}

/// Reads the head. `paletteIndices`: a palette is not applied.
Status Jpeg2000Codec::begin(bool paletteIndices) {
  m_image.reset();
  m_message.clear();
  m_bytes.at = 0;
  m_bytes.ended = false;
  m_codec.reset(opj_create_decompress(m_head.isBare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2));
  constexpr std::size_t kMostAtOnce = std::size_t{1} << 20U;
  m_stream.reset(
      opj_stream_create(std::clamp<std::size_t>(m_bytes.file.size(), 1024, kMostAtOnce), OPJ_TRUE));
  if (!m_codec || !m_stream) return Error{"not enough memory for a JPEG 2000 decoder"};
  opj_stream_set_read_function(m_stream.get(), &Jpeg2000Bytes::read);
  opj_stream_set_skip_function(m_stream.get(), &Jpeg2000Bytes::skip);
  opj_stream_set_seek_function(m_stream.get(), &Jpeg2000Bytes::seek);
  opj_stream_set_user_data(m_stream.get(), &m_bytes, nullptr);
  opj_stream_set_user_data_length(m_stream.get(), m_bytes.file.size());
  opj_set_error_handler(m_codec.get(), &Jpeg2000Codec::note, this);
  opj_dparameters_t how{};
  opj_set_default_decoder_parameters(&how);
  if (paletteIndices) how.flags |= OPJ_DPARAMETERS_IGNORE_PCLR_CMAP_CDEF_FLAG;
  opj_image_t* image = nullptr;
  const bool isRead = opj_setup_decoder(m_codec.get(), &how) != OPJ_FALSE &&
                      opj_read_header(m_stream.get(), m_codec.get(), &image) != OPJ_FALSE;
  m_image.reset(image);
  if (!isRead || !m_image) return failure();
  return checkChannels();
}

Status Jpeg2000Codec::checkChannels() const {
  const std::uint32_t used = std::min(m_image->numcomps, 4U);
  if (used == 0) return Error{"damaged JPEG 2000: it has no channels"};
  if (m_image->color_space == OPJ_CLRSPC_EYCC)
    return Error{"not supported yet: JPEG 2000 file with e-YCC colours"};
  for (std::uint32_t c = 0; c < used; ++c) {
    const opj_image_comp_t& channel = m_image->comps[c];
    if (channel.prec < 1 || channel.prec > 16)
      return Error{
          fmt::format("not supported yet: JPEG 2000 file with samples of {} bits", channel.prec)};
    const bool isFull = channel.dx == 1 && channel.dy == 1;
    const bool isHalf = channel.dx >= 1 && channel.dx <= 2 && channel.dy >= 1 && channel.dy <= 2;
    if (c == 0 ? !isFull : !isHalf)
      return Error{
          fmt::format("not supported yet: JPEG 2000 file with a channel at 1/{} x 1/{} of the size",
                      channel.dx, channel.dy)};
  }
  return {};
}

Result<ImageInfo> Jpeg2000Codec::open(std::span<const std::byte> file) {
  m_bytes.file = file;
  m_isFresh = false;
  MILLRACE_TRY(m_head.read(file, m_limits));
  MILLRACE_TRY(begin(false));
  m_isFresh = true;
  ImageInfo info;
  info.format = "JPEG 2000";
  info.storedSize = m_head.size;
  info.size = info.storedSize;
  info.storedChannels = m_head.channels;
  info.bitDepth = static_cast<int>(m_image->comps[0].prec);
  info.reduced.addIf(info.bitDepth > 8, Reduction::Bits);
  info.reduced.addIf(hasAlpha(), Reduction::Alpha);
  info.reduced.addIf(m_head.channels > 4, Reduction::Channels);
  const std::string_view profile(reinterpret_cast<const char*>(m_head.profile.data()),
                                 m_head.profile.size());
  if (m_head.isCmyk)
    info.reduced.addIf(!profile.empty(), Reduction::CmykProfile);
  else
    info.reduced.addIf(!isSrgbProfile(profile), Reduction::Profile);
  return info;
}

/// Decodes at least the region, from an even place so that channels at half the size keep theirs.
Status Jpeg2000Codec::decodeArea(Rect region) {
  const auto begin = [](std::uint32_t edge, int offset) {
    const std::uint32_t at = edge + static_cast<std::uint32_t>(offset);
    return static_cast<OPJ_INT32>(std::max(at - at % 2, edge));
  };
  const auto end = [](std::uint32_t edge, int offset) {
    return static_cast<OPJ_INT32>(edge + static_cast<std::uint32_t>(offset));
  };
  const bool isDecoded =
      opj_set_decode_area(m_codec.get(), m_image.get(), begin(m_head.left, region.x),
                          begin(m_head.top, region.y), end(m_head.left, region.x + region.width),
                          end(m_head.top, region.y + region.height)) != OPJ_FALSE &&
      opj_decode(m_codec.get(), m_stream.get(), m_image.get()) != OPJ_FALSE;
  if (!isDecoded) return failure();
  const std::uint32_t used = std::min(m_image->numcomps, 4U);
  for (std::uint32_t c = 0; c < used; ++c) {
    const opj_image_comp_t& channel = m_image->comps[c];
    if (channel.data == nullptr || channel.w == 0 || channel.h == 0 || channel.prec < 1 ||
        channel.prec > 16)
      return Error{"damaged JPEG 2000: a channel has no data"};
  }
  return used == 0 ? Status(Error{"damaged JPEG 2000: it has no channels"}) : Status();
}

/// The sample that covers this pixel of the picture, as the file has it.
int Jpeg2000Codec::numberAt(const opj_image_comp_t& channel, int x, int y) const {
  const auto place = [](std::uint32_t edge, int offset, std::uint32_t step, std::uint32_t first,
                        std::uint32_t count) {
    const std::int64_t at =
        (std::int64_t{edge} + offset) / std::max(step, 1U) - std::int64_t{first};
    return static_cast<std::size_t>(std::clamp<std::int64_t>(at, 0, std::int64_t{count} - 1));
  };
  const std::size_t column = place(m_head.left, x, channel.dx, channel.x0, channel.w);
  const std::size_t row = place(m_head.top, y, channel.dy, channel.y0, channel.h);
  return channel.data[row * channel.w + column];
}

/// The same from 0 up, as colours are.
int Jpeg2000Codec::valueAt(const opj_image_comp_t& channel, int x, int y) const {
  const int value = numberAt(channel, x, y);
  const int most = (1 << channel.prec) - 1;
  return std::clamp(channel.sgnd != 0 ? value + (1 << (channel.prec - 1)) : value, 0, most);
}

std::uint8_t Jpeg2000Codec::byteAt(const opj_image_comp_t& channel, int x, int y) const {
  const int value = valueAt(channel, x, y);
  if (channel.prec == 8) return static_cast<std::uint8_t>(value);
  const int most = (1 << channel.prec) - 1;
  return static_cast<std::uint8_t>((value * 255 + most / 2) / most);
}

/// ITU-R BT.601 with the full range, as in JFIF.
std::array<std::uint8_t, 3> rgbOfYcc(int luma, int blue, int red) {
  const auto level = [](double value) {
    return static_cast<std::uint8_t>(std::clamp(value + 0.5, 0.0, 255.0));
  };
  const double b = blue - 128;
  const double r = red - 128;
  return {level(luma + 1.402 * r), level(luma - 0.344136 * b - 0.714136 * r),
          level(luma + 1.772 * b)};
}

void Jpeg2000Codec::rgbAt(int x, int y, std::uint8_t* rgb) const {
  const opj_image_comp_t* channels = m_image->comps;
  std::array<std::uint8_t, 4> colour{};
  const bool hasInks = m_head.isCmyk && m_image->numcomps > 3;
  for (std::size_t c = 0; c < (hasInks ? 4U : 3U); ++c) colour[c] = byteAt(channels[c], x, y);
  if (hasInks) {
    for (std::uint8_t& ink : colour) ink = static_cast<std::uint8_t>(255U - ink);
    m_cmyk.toRgb(colour.data(), rgb, 1);
    return;
  }
  // Codestreams do not name their colours; channels at half the size are chroma.
  const bool isYcc = m_image->color_space == OPJ_CLRSPC_SYCC || channels[1].dx > 1;
  if (isYcc) {
    const auto converted = rgbOfYcc(colour[0], colour[1], colour[2]);
    std::copy(converted.begin(), converted.end(), rgb);
  } else {
    std::copy_n(colour.begin(), 3, rgb);
  }
}

Status Jpeg2000Codec::toPicture(Rect region, PixelForm form) {
  const std::uint32_t colours = isGrey() ? 1 : 3;
  const bool withAlpha = form == PixelForm::Rgba && hasAlpha() && m_image->numcomps > colours;
  std::uint8_t* out =
      m_picture.reserve(region.size(), static_cast<int>(colours) + (withAlpha ? 1 : 0));
  for (int y = region.y; y < region.y + region.height; ++y)
    for (int x = region.x; x < region.x + region.width; ++x) {
      const opj_image_comp_t& first = m_image->comps[0];
      if (!isGrey())
        rgbAt(x, y, out);
      else if (form != PixelForm::Index)
        *out = byteAt(first, x, y);
      else if (const int value = valueAt(first, x, y); value <= 255)
        *out = static_cast<std::uint8_t>(value);
      else
        return Error{fmt::format("the 16-bit value {} does not fit an 8-bit mask", value)};
      out += colours;
      if (withAlpha) *out++ = byteAt(m_image->comps[colours], x, y);
    }
  return {};
}

Result<DecodedImage> Jpeg2000Codec::numbers(Rect region) {
  const std::size_t channels = m_image->numcomps;
  for (std::size_t c = 0; c < channels; ++c) {
    const opj_image_comp_t& channel = m_image->comps[c];
    if (channel.dx != 1 || channel.dy != 1)
      return Error{"not supported yet: the numbers of a JPEG 2000 file with channels at half size"};
    if (channel.data == nullptr || channel.w == 0 || channel.h == 0)
      return Error{"damaged JPEG 2000: a channel has no data"};
  }
  const std::size_t pixels =
      static_cast<std::size_t>(region.width) * static_cast<std::size_t>(region.height);
  auto* const values =
      reinterpret_cast<float*>(m_numbers.reserve(pixels * channels * sizeof(float)));
  float* out = values;
  for (int y = region.y; y < region.y + region.height; ++y)
    for (int x = region.x; x < region.x + region.width; ++x)
      for (std::size_t c = 0; c < channels; ++c)
        *out++ = static_cast<float>(numberAt(m_image->comps[c], x, y));
  DecodedImage image;
  image.values = {values, region.width, region.height, static_cast<int>(channels),
                  std::ptrdiff_t{region.width} * static_cast<std::ptrdiff_t>(channels)};
  image.region = {0, 0, static_cast<double>(region.width), static_cast<double>(region.height)};
  return image;
}

Result<DecodedImage> Jpeg2000Codec::decode(const StoredRequest& request) {
  const bool unconverted = request.form == PixelForm::Index || request.form == PixelForm::Stored;
  const bool paletteIndices = unconverted && m_head.channels == 1;
  if (!m_isFresh || paletteIndices) MILLRACE_TRY(begin(paletteIndices));
  m_isFresh = false;
  if (m_head.isCmyk)
    MILLRACE_TRY(
        m_cmyk.setProfile(request.cmykProfile ? m_head.profile : std::span<const std::byte>()));
  MILLRACE_TRY(decodeArea(request.region));
  if (request.form == PixelForm::Stored) return numbers(request.region);
  MILLRACE_TRY(toPicture(request.region, request.form));
  return m_picture.part({0, 0, request.region.width, request.region.height}, request.form);
}

}  // namespace

CodecLibrary jpeg2000Library() { return {"openjpeg", opj_version()}; }

std::unique_ptr<Codec> makeJpeg2000Decoder(const DecodeLimits& limits) {
  return std::make_unique<Jpeg2000Codec>(limits);
}

}  // namespace millrace
