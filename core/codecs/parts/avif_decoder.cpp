// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <avif/avif.h>
#include <fmt/format.h>

#include "core/base/loaded_library.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/parts/part_decoders.h"
#include "core/codecs/parts/whole_picture.h"
#include "core/codecs/several_pictures.h"

namespace millrace {
namespace {

/// Predicted blocks may take no bits at all; DecodeLimits::pixels protects.
constexpr std::int64_t kAvifPixelsPerByte = std::int64_t{1} << 28U;
/// The largest that the library accepts.
constexpr std::int64_t kAvifMostPixels = AVIF_DEFAULT_IMAGE_SIZE_LIMIT;

/// libavif's functions.
struct AvifLibrary {
  decltype(&::avifDecoderCreate) create = nullptr;
  decltype(&::avifDecoderDestroy) destroy = nullptr;
  decltype(&::avifDecoderSetIOMemory) setMemory = nullptr;
  decltype(&::avifDecoderParse) parse = nullptr;
  decltype(&::avifDecoderNthImage) picture = nullptr;
  decltype(&::avifResultToString) textOf = nullptr;
  decltype(&::avifRGBImageSetDefaults) setDefaults = nullptr;
  decltype(&::avifImageYUVToRGB) toRgb = nullptr;
  decltype(&::avifCropRectConvertCleanApertureBox) cropOf = nullptr;

  static Result<AvifLibrary> load() {
    MILLRACE_ASSIGN_OR_RETURN(LoadedLibrary library, openPart("avif"));
    AvifLibrary avif;
    library.find(avif.create, "avifDecoderCreate");
    library.find(avif.destroy, "avifDecoderDestroy");
    library.find(avif.setMemory, "avifDecoderSetIOMemory");
    library.find(avif.parse, "avifDecoderParse");
    library.find(avif.picture, "avifDecoderNthImage");
    library.find(avif.textOf, "avifResultToString");
    library.find(avif.setDefaults, "avifRGBImageSetDefaults");
    library.find(avif.toRgb, "avifImageYUVToRGB");
    library.find(avif.cropOf, "avifCropRectConvertCleanApertureBox");
    MILLRACE_TRY(library.complete());
    return avif;
  }
};

/// Loaded by the first file of the process.
const Result<AvifLibrary>& avifFunctions() {
  // Never destroyed: decoders that live as long as the program free their pictures with it.
  static const auto& functions = *new Result<AvifLibrary>(AvifLibrary::load());
  return functions;
}

struct CloseAvif {
  void operator()(avifDecoder* decoder) const { avifFunctions()->destroy(decoder); }
};

/// First turned counter-clockwise, then mirrored (ISO 23008-12), as the orientation of EXIF.
int orientationOf(const avifImage& image) {
  const int turns = (image.transformFlags & AVIF_TRANSFORM_IROT) != 0 ? image.irot.angle % 4 : 0;
  constexpr int kTurned[] = {1, 8, 3, 6};
  if ((image.transformFlags & AVIF_TRANSFORM_IMIR) == 0) return kTurned[turns];
  constexpr int kTopAndBottom[] = {4, 5, 2, 7};
  constexpr int kLeftAndRight[] = {2, 7, 4, 5};
#if AVIF_VERSION_MAJOR >= 1
  const int axis = image.imir.axis;
#else
  const int axis = image.imir.mode;
#endif
  return axis == 0 ? kTopAndBottom[turns] : kLeftAndRight[turns];
}

class AvifCodec final : public Codec {
 public:
  explicit AvifCodec(const DecodeLimits& limits) : m_limits(limits) {}

  Result<ImageInfo> open(std::span<const std::byte> file) override { return openPicture(file, 0); }
  Result<ImageInfo> openPicture(std::span<const std::byte> file, std::uint32_t picture) override;
  Result<DecodedImage> decode(const StoredRequest& request) override;
  /// Of the open file.
  std::uint32_t pictures() const {
    return static_cast<std::uint32_t>(std::max(m_decoder->imageCount, 0));
  }

 private:
  Error failure(avifResult result) const;
  Status readCrop();
  Status decodeWhole();
  ImageInfo infoOf() const;

  DecodeLimits m_limits;
  std::span<const std::byte> m_file;
  std::unique_ptr<avifDecoder, CloseAvif> m_decoder;
  std::uint32_t m_picture = 0;  ///< which one is meant
  Rect m_crop;                  ///< the part of the coded picture that is the picture
  bool m_isDecoded = false;
  WholePicture m_whole;
};

Error AvifCodec::failure(avifResult result) const {
  if (result == AVIF_RESULT_TRUNCATED_DATA || endsInsideBox(m_file))
    return truncatedAfter(m_file.size());
  std::string why = avifFunctions()->textOf(result);
  if (m_decoder && m_decoder->diag.error[0] != '\0')
    why += fmt::format(" ({})", m_decoder->diag.error);
  return {fmt::format("damaged AVIF: {}", why)};
}

ImageInfo AvifCodec::infoOf() const {
  const avifImage& image = *m_decoder->image;
  ImageInfo info;
  info.format = "AVIF";
  info.storedSize = m_crop.size();
  info.size = info.storedSize;
  const bool isGrey = image.yuvFormat == AVIF_PIXEL_FORMAT_YUV400;
  const bool hasAlpha = m_decoder->alphaPresent != 0;
  info.storedChannels = (isGrey ? 1 : 3) + (hasAlpha ? 1 : 0);
  info.bitDepth = static_cast<int>(image.depth);
  info.orientation = orientationOf(image);
  info.reduced.addIf(m_decoder->imageCount > 1, Reduction::Frames);
  info.reduced.addIf(info.bitDepth > 8, Reduction::Bits);
  info.reduced.addIf(hasAlpha, Reduction::Alpha);
  const std::string_view profile(reinterpret_cast<const char*>(image.icc.data), image.icc.size);
  info.reduced.addIf(!isSrgbProfile(profile), Reduction::Profile);
  return info;
}

Status AvifCodec::readCrop() {
  const avifImage& image = *m_decoder->image;
  m_crop = {0, 0, static_cast<int>(image.width), static_cast<int>(image.height)};
  if ((image.transformFlags & AVIF_TRANSFORM_CLAP) == 0) return {};
  avifCropRect crop{};
  avifDiagnostics why{};
  if (avifFunctions()->cropOf(&crop, &image.clap, image.width, image.height, image.yuvFormat,
                              &why) == 0)
    return Error{fmt::format("damaged AVIF: its clean aperture cannot be used: {}", why.error)};
  m_crop = {static_cast<int>(crop.x), static_cast<int>(crop.y), static_cast<int>(crop.width),
            static_cast<int>(crop.height)};
  return {};
}

Result<ImageInfo> AvifCodec::openPicture(std::span<const std::byte> file, std::uint32_t picture) {
  if (!avifFunctions()) return avifFunctions().error();
  const AvifLibrary& avif = *avifFunctions();
  m_file = file;
  m_picture = picture;
  m_isDecoded = false;
  m_decoder.reset(avif.create());
  if (!m_decoder) return Error{"not enough memory for an AVIF decoder"};
  // Workers decode in parallel.
  m_decoder->maxThreads = 1;
  m_decoder->ignoreExif = 1;
  m_decoder->ignoreXMP = 1;
  // An option that old encoders leave out.
  m_decoder->strictFlags = AVIF_STRICT_DISABLED;
  m_decoder->imageSizeLimit =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(m_limits.pixels, 1, kAvifMostPixels));
  avifResult result = avif.setMemory(
      m_decoder.get(), reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
  if (result == AVIF_RESULT_OK) result = avif.parse(m_decoder.get());
  if (result != AVIF_RESULT_OK) return failure(result);
  if (picture > 0 && picture >= pictures())
    return Error{fmt::format("it has no frame {}; the file has changed", picture)};
  MILLRACE_TRY(readCrop());
  const ImageInfo info = infoOf();
  MILLRACE_TRY(checkPlausible(info.size, file.size(), m_limits, kAvifPixelsPerByte));
  return info;
}

Status AvifCodec::decodeWhole() {
  const AvifLibrary& avif = *avifFunctions();
  const avifImage& image = *m_decoder->image;
  const std::uint32_t width = image.width;
  const std::uint32_t height = image.height;
  if (const avifResult result = avif.picture(m_decoder.get(), m_picture); result != AVIF_RESULT_OK)
    return failure(result);
  if (image.width != width || image.height != height)
    return Error{"damaged AVIF: its data has another size than its head"};
  avifRGBImage rgb{};
  avif.setDefaults(&rgb, &image);
  // Without a place for alpha, the library would composite the picture on black.
  const bool hasAlpha = image.alphaPlane != nullptr;
  rgb.format = hasAlpha ? AVIF_RGB_FORMAT_RGBA : AVIF_RGB_FORMAT_RGB;
  rgb.depth = 8;
  rgb.pixels =
      m_whole.reserve({static_cast<int>(width), static_cast<int>(height)}, hasAlpha ? 4 : 3);
  rgb.rowBytes = static_cast<std::uint32_t>(m_whole.stride());
  if (const avifResult result = avif.toRgb(&image, &rgb); result != AVIF_RESULT_OK)
    return failure(result);
  m_isDecoded = true;
  return {};
}

Result<DecodedImage> AvifCodec::decode(const StoredRequest& request) {
  if (!m_isDecoded) MILLRACE_TRY(decodeWhole());
  // Its data decides, which may differ from its head.
  const avifImage& image = *m_decoder->image;
  const bool isGrey = image.yuvFormat == AVIF_PIXEL_FORMAT_YUV400;
  const bool asIndex = request.form == PixelForm::Index && isGrey;
  if (asIndex && (image.depth != 8 || image.yuvRange != AVIF_RANGE_FULL))
    return noIndexMask("AVIF", static_cast<int>(image.depth));
  Rect region = request.region;
  region.x += m_crop.x;
  region.y += m_crop.y;
  // Of a grey picture, all three channels are its luma.
  return m_whole.part(region, asIndex ? PixelForm::Grey : request.form);
}

}  // namespace

CodecLibrary avifLibrary() {
  return {"avif",
          fmt::format("{}.{}.{}", AVIF_VERSION_MAJOR, AVIF_VERSION_MINOR, AVIF_VERSION_PATCH)};
}

std::uint32_t countAvifFrames(const ReadBytes& read) {
  constexpr std::size_t kHead = 256;
  constexpr std::size_t kMostBytes = std::size_t{1} << 30U;
  if (!hasBrand(allBytes(read, kHead), {"avis"})) return 0;
  // The library reads the lists of an animation's frames wherever they are in the file.
  const std::vector<std::byte> file = allBytes(read, kMostBytes);
  AvifCodec codec{DecodeLimits{}};
  return codec.open(file) ? std::min(codec.pictures(), kMostPictures) : 0;
}

std::unique_ptr<Codec> makeAvifDecoder(const DecodeLimits& limits) {
  return std::make_unique<AvifCodec>(limits);
}

}  // namespace millrace
