// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <jxl/decode.h>
#include <jxl/version.h>

#include "core/base/loaded_library.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/parts/part_decoders.h"
#include "core/codecs/parts/whole_picture.h"
#include "core/codecs/several_pictures.h"

namespace millrace {
namespace {

/// A picture of one colour takes a few bytes of any size; DecodeLimits::pixels protects.
constexpr std::int64_t kJxlPixelsPerByte = std::int64_t{1} << 28U;
constexpr std::uint32_t kJxlLargestSide = 1U << 28U;

/// libjxl's functions.
struct JxlLibrary {
  decltype(&::JxlDecoderCreate) create = nullptr;
  decltype(&::JxlDecoderDestroy) destroy = nullptr;
  decltype(&::JxlDecoderReset) reset = nullptr;
  decltype(&::JxlDecoderSubscribeEvents) subscribe = nullptr;
  decltype(&::JxlDecoderSetKeepOrientation) keepOrientation = nullptr;
  decltype(&::JxlDecoderSetUnpremultiplyAlpha) divideByAlpha = nullptr;
  decltype(&::JxlDecoderSkipFrames) skip = nullptr;
  decltype(&::JxlDecoderSetInput) setInput = nullptr;
  decltype(&::JxlDecoderProcessInput) process = nullptr;
  decltype(&::JxlDecoderGetBasicInfo) basicInfo = nullptr;
  decltype(&::JxlDecoderGetColorAsEncodedProfile) encodedProfile = nullptr;
  decltype(&::JxlDecoderSetPreferredColorProfile) setPreferredProfile = nullptr;
  decltype(&::JxlDecoderImageOutBufferSize) outBufferSize = nullptr;
  decltype(&::JxlDecoderSetImageOutBuffer) setOutBuffer = nullptr;

  static Result<JxlLibrary> load() {
    MILLRACE_ASSIGN_OR_RETURN(LoadedLibrary library, openPart("jxl"));
    JxlLibrary jxl;
    library.find(jxl.create, "JxlDecoderCreate");
    library.find(jxl.destroy, "JxlDecoderDestroy");
    library.find(jxl.reset, "JxlDecoderReset");
    library.find(jxl.subscribe, "JxlDecoderSubscribeEvents");
    library.find(jxl.keepOrientation, "JxlDecoderSetKeepOrientation");
    library.find(jxl.divideByAlpha, "JxlDecoderSetUnpremultiplyAlpha");
    library.find(jxl.skip, "JxlDecoderSkipFrames");
    library.find(jxl.setInput, "JxlDecoderSetInput");
    library.find(jxl.process, "JxlDecoderProcessInput");
    library.find(jxl.basicInfo, "JxlDecoderGetBasicInfo");
    library.find(jxl.encodedProfile, "JxlDecoderGetColorAsEncodedProfile");
    library.find(jxl.setPreferredProfile, "JxlDecoderSetPreferredColorProfile");
    library.find(jxl.outBufferSize, "JxlDecoderImageOutBufferSize");
    library.find(jxl.setOutBuffer, "JxlDecoderSetImageOutBuffer");
    MILLRACE_TRY(library.complete());
    return jxl;
  }
};

/// Loaded by the first file of the process.
const Result<JxlLibrary>& jxlFunctions() {
  // Never destroyed: decoders that live as long as the program free their pictures with it.
  static const auto& functions = *new Result<JxlLibrary>(JxlLibrary::load());
  return functions;
}

struct CloseJxl {
  void operator()(JxlDecoder* decoder) const { jxlFunctions()->destroy(decoder); }
};

class JxlCodec final : public Codec {
 public:
  explicit JxlCodec(const DecodeLimits& limits) : m_limits(limits) {}

  Result<ImageInfo> open(std::span<const std::byte> file) override { return openPicture(file, 0); }
  Result<ImageInfo> openPicture(std::span<const std::byte> file, std::uint32_t picture) override;
  Result<DecodedImage> decode(const StoredRequest& request) override;

 private:
  Status begin();
  Status advance(JxlDecoderStatus awaited);
  Error failure(JxlDecoderStatus status) const;
  bool isSrgb() const;
  Status decodeWhole();
  bool isGrey() const { return m_info.num_color_channels == 1; }

  DecodeLimits m_limits;
  std::span<const std::byte> m_file;
  std::unique_ptr<JxlDecoder, CloseJxl> m_decoder;
  std::uint32_t m_picture = 0;  ///< which frame is meant
  JxlBasicInfo m_info{};
  bool m_isDecoded = false;
  WholePicture m_whole;
};

Error JxlCodec::failure(JxlDecoderStatus status) const {
  if (status == JXL_DEC_NEED_MORE_INPUT) return truncatedAfter(m_file.size());
  if (status == JXL_DEC_SUCCESS && m_picture > 0)
    return {fmt::format("it has no frame {}; the file has changed", m_picture)};
  return {"damaged JPEG XL: the data is invalid"};
}

/// Reads on to this event; the others need no answer.
Status JxlCodec::advance(JxlDecoderStatus awaited) {
  while (true) {
    const JxlDecoderStatus status = jxlFunctions()->process(m_decoder.get());
    if (status == awaited) return {};
    if (status == JXL_DEC_ERROR || status == JXL_DEC_NEED_MORE_INPUT || status == JXL_DEC_SUCCESS)
      return failure(status);
  }
}

Status JxlCodec::begin() {
  const JxlLibrary& jxl = *jxlFunctions();
  if (m_decoder)
    jxl.reset(m_decoder.get());
  else
    m_decoder.reset(jxl.create(nullptr));
  if (!m_decoder) return Error{"not enough memory for a JPEG XL decoder"};
  const bool ready =
      jxl.subscribe(m_decoder.get(), JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING |
                                         JXL_DEC_FULL_IMAGE) == JXL_DEC_SUCCESS &&
      jxl.keepOrientation(m_decoder.get(), JXL_TRUE) == JXL_DEC_SUCCESS &&
      jxl.divideByAlpha(m_decoder.get(), JXL_TRUE) == JXL_DEC_SUCCESS &&
      jxl.setInput(m_decoder.get(), reinterpret_cast<const std::uint8_t*>(m_file.data()),
                   m_file.size()) == JXL_DEC_SUCCESS;
  MILLRACE_CHECK(ready, "a new JPEG XL decoder must accept its input");
  // The input is not closed: then a lack of bytes is a status instead of a line on stderr.
  return {};
}

/// Whether the pixels that the library returns are sRGB, after setPreferredProfile.
bool JxlCodec::isSrgb() const {
  JxlColorEncoding colours{};
#if JPEGXL_NUMERIC_VERSION >= JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
  const JxlDecoderStatus status =
      jxlFunctions()->encodedProfile(m_decoder.get(), JXL_COLOR_PROFILE_TARGET_DATA, &colours);
#else
  constexpr JxlPixelFormat kUnused{};
  const JxlDecoderStatus status = jxlFunctions()->encodedProfile(
      m_decoder.get(), &kUnused, JXL_COLOR_PROFILE_TARGET_DATA, &colours);
#endif
  if (status != JXL_DEC_SUCCESS) return false;
  return colours.transfer_function == JXL_TRANSFER_FUNCTION_SRGB &&
         (isGrey() || colours.primaries == JXL_PRIMARIES_SRGB);
}

Result<ImageInfo> JxlCodec::openPicture(std::span<const std::byte> file, std::uint32_t picture) {
  if (!jxlFunctions()) return jxlFunctions().error();
  const JxlLibrary& jxl = *jxlFunctions();
  m_file = file;
  m_isDecoded = false;
  MILLRACE_TRY(begin());
  m_picture = picture;
  if (picture > 0) jxl.skip(m_decoder.get(), picture);
  MILLRACE_TRY(advance(JXL_DEC_BASIC_INFO));
  if (jxl.basicInfo(m_decoder.get(), &m_info) != JXL_DEC_SUCCESS) return failure(JXL_DEC_ERROR);
  if (m_info.xsize == 0 || m_info.ysize == 0 || m_info.xsize > kJxlLargestSide ||
      m_info.ysize > kJxlLargestSide)
    return Error{
        fmt::format("damaged JPEG XL: a size of {} x {} pixels", m_info.xsize, m_info.ysize)};
  ImageInfo info;
  info.format = "JPEG XL";
  info.storedSize = {static_cast<int>(m_info.xsize), static_cast<int>(m_info.ysize)};
  info.size = info.storedSize;
  const bool hasAlpha = m_info.alpha_bits > 0;
  info.storedChannels = (isGrey() ? 1 : 3) + (hasAlpha ? 1 : 0);
  info.bitDepth = static_cast<int>(m_info.bits_per_sample);
  if (m_info.orientation >= 1 && m_info.orientation <= 8)
    info.orientation = static_cast<int>(m_info.orientation);
  MILLRACE_TRY(checkPlausible(info.size, file.size(), m_limits, kJxlPixelsPerByte));
  MILLRACE_TRY(advance(JXL_DEC_COLOR_ENCODING));
  if (m_info.uses_original_profile == JXL_FALSE) {
    // The format's own colours can become those of any profile.
    JxlColorEncoding srgb{};
    srgb.color_space = isGrey() ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB;
    srgb.white_point = JXL_WHITE_POINT_D65;
    srgb.primaries = JXL_PRIMARIES_SRGB;
    srgb.transfer_function = JXL_TRANSFER_FUNCTION_SRGB;
    srgb.rendering_intent = JXL_RENDERING_INTENT_RELATIVE;
    jxl.setPreferredProfile(m_decoder.get(), &srgb);
  }
  info.reduced.addIf(m_info.have_animation != JXL_FALSE, Reduction::Frames);
  info.reduced.addIf(info.bitDepth > 8, Reduction::Bits);
  info.reduced.addIf(hasAlpha, Reduction::Alpha);
  info.reduced.addIf(m_info.num_extra_channels > (hasAlpha ? 1U : 0U), Reduction::Channels);
  info.reduced.addIf(!isSrgb(), Reduction::Profile);
  return info;
}

Status JxlCodec::decodeWhole() {
  const JxlLibrary& jxl = *jxlFunctions();
  MILLRACE_TRY(advance(JXL_DEC_NEED_IMAGE_OUT_BUFFER));
  const std::uint32_t channels = (isGrey() ? 1U : 3U) + (m_info.alpha_bits > 0 ? 1U : 0U);
  const JxlPixelFormat format{channels, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
  std::uint8_t* pixels = m_whole.reserve(
      {static_cast<int>(m_info.xsize), static_cast<int>(m_info.ysize)}, static_cast<int>(channels));
  std::size_t needed = 0;
  if (jxl.outBufferSize(m_decoder.get(), &format, &needed) != JXL_DEC_SUCCESS ||
      needed != m_whole.bytes() ||
      jxl.setOutBuffer(m_decoder.get(), &format, pixels, m_whole.bytes()) != JXL_DEC_SUCCESS)
    return failure(JXL_DEC_ERROR);
  MILLRACE_TRY(advance(JXL_DEC_FULL_IMAGE));
  m_isDecoded = true;
  return {};
}

Result<DecodedImage> JxlCodec::decode(const StoredRequest& request) {
  if (request.form == PixelForm::Index && isGrey() && m_info.bits_per_sample != 8)
    return noIndexMask("JPEG XL", static_cast<int>(m_info.bits_per_sample));
  if (!m_isDecoded) MILLRACE_TRY(decodeWhole());
  return m_whole.part(request.region, request.form);
}

/// The frames that a file or its beginning holds; nullopt: it is not an animation.
std::optional<std::uint32_t> framesOf(JxlDecoder* decoder, std::span<const std::byte> file) {
  const JxlLibrary& jxl = *jxlFunctions();
  jxl.reset(decoder);
  if (jxl.subscribe(decoder, JXL_DEC_BASIC_INFO | JXL_DEC_FRAME) != JXL_DEC_SUCCESS ||
      jxl.setInput(decoder, reinterpret_cast<const std::uint8_t*>(file.data()), file.size()) !=
          JXL_DEC_SUCCESS)
    return std::nullopt;
  std::uint32_t frames = 0;
  while (frames < kMostPictures) {
    const JxlDecoderStatus status = jxl.process(decoder);
    JxlBasicInfo info{};
    if (status == JXL_DEC_BASIC_INFO &&
        (jxl.basicInfo(decoder, &info) != JXL_DEC_SUCCESS || info.have_animation == JXL_FALSE))
      return std::nullopt;
    if (status == JXL_DEC_FRAME)
      ++frames;
    else if (status != JXL_DEC_BASIC_INFO)
      break;
  }
  return frames;
}

}  // namespace

std::uint32_t countJxlFrames(const ReadBytes& read) {
  constexpr std::size_t kBeginning = 4096;
  constexpr std::size_t kMostBytes = std::size_t{1} << 30U;
  if (!jxlFunctions()) return 0;
  const std::unique_ptr<JxlDecoder, CloseJxl> decoder(jxlFunctions()->create(nullptr));
  if (!decoder || !framesOf(decoder.get(), allBytes(read, kBeginning))) return 0;
  // The frames follow each other without a list.
  return framesOf(decoder.get(), allBytes(read, kMostBytes)).value_or(0);
}

CodecLibrary jxlLibrary() {
  return {"jxl", fmt::format("{}.{}.{}", JPEGXL_MAJOR_VERSION, JPEGXL_MINOR_VERSION,
                             JPEGXL_PATCH_VERSION)};
}

std::unique_ptr<Codec> makeJxlDecoder(const DecodeLimits& limits) {
  return std::make_unique<JxlCodec>(limits);
}

}  // namespace millrace
