// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/codec.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/orientation.h"
#include "core/codecs/picture_formats.h"
#include "core/codecs/pixel_rows.h"
#include "core/codecs/several_pictures.h"

namespace millrace {

namespace {

bool isEmpty(Rect region) { return region.width == 0 && region.height == 0; }

bool isInside(Rect part, Rect all) {
  return part.x >= all.x && part.y >= all.y && part.width > 0 && part.height > 0 &&
         part.x - all.x <= all.width - part.width && part.y - all.y <= all.height - part.height;
}

/// Rejects numbers that take more memory than the largest picture.
Status checkStoredSize(const ImageInfo& info, Size size, const DecodeLimits& limits) {
  if (info.storedChannels > kMostFloatChannels)
    return Error{fmt::format("it has {} channels; at most {} are supported", info.storedChannels,
                             kMostFloatChannels)};
  if (std::int64_t{size.width} * size.height * info.storedChannels > limits.pixels)
    return Error{fmt::format("{} x {} pixels with {} channels are too many numbers", size.width,
                             size.height, info.storedChannels)};
  return {};
}

/// A picture of the size that `from` is seen in, packed in `memory`.
template <class Value>
BasicImageView<Value> orientedView(const BasicImageView<const Value>& from, int orientation,
                                   Buffer& memory) {
  const Size size = orientedSize(from.size(), orientation);
  const std::ptrdiff_t stride = std::ptrdiff_t{size.width} * from.channels;
  std::byte* const data = memory.reserve(static_cast<std::size_t>(stride) *
                                         static_cast<std::size_t>(size.height) * sizeof(Value));
  return {reinterpret_cast<Value*>(data), size.width, size.height, from.channels, stride};
}

void orientOne(ImageView& pixels, Box& region, int orientation, Buffer& memory) {
  const MutableImageView seen = orientedView(pixels, orientation, memory);
  orientPixels(pixels, orientation, seen);
  region = seenBox(region, pixels.size(), orientation);
  pixels = readOnly(seen);
}

}  // namespace

Reductions lostBy(const DecodeRequest& request, Reductions inFile) {
  const bool stored = request.form == PixelForm::Stored;
  if (request.background) inFile.remove(Reduction::Alpha);
  if (request.cmykProfile) inFile.remove(Reduction::CmykProfile);
  if (stored) inFile.remove(Reduction::Channels);
  if (stored || request.form == PixelForm::Index)
    for (const Reduction kept :
         {Reduction::Bits, Reduction::Alpha, Reduction::Profile, Reduction::CmykProfile})
      inFile.remove(kept);
  return inFile;
}

Box boxOf(Rect region, Rect known, const Box& box) {
  const double across = known.width / (box.right - box.left);
  const double down = known.height / (box.bottom - box.top);
  const double left = box.left + (region.x - known.x) / across;
  const double top = box.top + (region.y - known.y) / down;
  return {left, top, left + region.width / across, top + region.height / down};
}

int scaleCovering(Size region, Size cover) {
  if (cover.width <= 0 && cover.height <= 0) return 1;
  for (const int scale : {8, 4, 2})
    if (region.width / scale >= cover.width && region.height / scale >= cover.height) return scale;
  return 1;
}

ImageDecoder::ImageDecoder(DecodeLimits limits) : m_limits(limits), m_codecs(allCodecs().size()) {}
ImageDecoder::~ImageDecoder() = default;
ImageDecoder::ImageDecoder(ImageDecoder&&) noexcept = default;
ImageDecoder& ImageDecoder::operator=(ImageDecoder&&) noexcept = default;

Result<ImageInfo> ImageDecoder::open(std::span<const std::byte> bytes) {
  m_current = nullptr;
  const auto [file, picture] = withoutMark(bytes);
  for (std::size_t i = 0; i < m_codecs.size(); ++i) {
    const CodecEntry& entry = allCodecs()[i];
    if (!entry.recognises(file)) continue;
    if (!m_codecs[i]) m_codecs[i] = entry.make(m_limits);
    Result<ImageInfo> info =
        picture ? m_codecs[i]->openPicture(file, *picture) : m_codecs[i]->open(file);
    if (!info) return info;
    if (picture) info->reduced.remove(Reduction::Frames);
    m_current = m_codecs[i].get();
    m_info = *info;
    m_info.size = orientedSize(m_info.storedSize, m_info.orientation);
    return m_info;
  }
  return notRecognised(file);
}

Result<DecodedImage> ImageDecoder::decode(const DecodeRequest& request) {
  MILLRACE_CHECK(m_current != nullptr, "decode() needs a successfully opened file");
  const bool narrows =
      !m_info.onlyStored.empty() && request.form == PixelForm::Index && m_info.storedChannels == 1;
  if (!m_info.onlyStored.empty() && request.form != PixelForm::Stored && !narrows)
    return Error{m_info.onlyStored + "; set decode.form to stored"};
  const int orientation = request.applyOrientation ? m_info.orientation : 1;
  const Size size = orientedSize(m_info.storedSize, orientation);
  const Rect all{0, 0, size.width, size.height};
  const Rect region = isEmpty(request.region) ? all : request.region;
  const Rect wanted = isEmpty(request.wanted) ? region : request.wanted;
  if (!isInside(region, all))
    return Error{fmt::format("the region {} x {} at ({}, {}) is outside the image of {} x {}",
                             region.width, region.height, region.x, region.y, size.width,
                             size.height)};
  if (!isInside(wanted, region))
    return Error{
        fmt::format("the part {} x {} at ({}, {}) is outside the region {} x {} at "
                    "({}, {})",
                    wanted.width, wanted.height, wanted.x, wanted.y, region.width, region.height,
                    region.x, region.y)};
  StoredRequest stored;
  stored.region = storedRegion(wanted, m_info.storedSize, orientation);
  stored.scale = scaleCovering(region.size(), request.cover);
  stored.form = narrows ? PixelForm::Stored : request.form;
  stored.ownDecoder = request.ownDecoder;
  stored.planes = request.planes;
  stored.fillTruncated = request.fillTruncated;
  stored.cmykProfile = request.cmykProfile;
  stored.sideIndex = request.sideIndex;
  if (stored.form == PixelForm::Stored)
    MILLRACE_TRY(checkStoredSize(m_info, stored.region.size(), m_limits));
  const bool blends = request.background && m_info.reduced.has(Reduction::Alpha) &&
                      (request.form == PixelForm::Rgb || request.form == PixelForm::Grey);
  const bool converts = stored.form == PixelForm::Stored && !m_current->decodesStored();
  Result<DecodedImage> decoded = blends     ? decodeOnto(*request.background, stored)
                                 : converts ? decodeStored(stored)
                                            : m_current->decode(stored);
  if (!decoded) return decoded;
  DecodedImage image = *decoded;
  if (narrows) MILLRACE_TRY(narrow(image));
  if (orientation != 1) orient(image, orientation);
  if (image.planes.count == 0) image.region = boxOf(region, wanted, image.region);
  for (std::size_t c = 0; c < image.planes.count; ++c)
    image.planes.plane[c].region = boxOf(region, wanted, image.planes.plane[c].region);
  return image;
}

Result<DecodedImage> ImageDecoder::decodeStored(StoredRequest request) {
  const bool isIndex = m_info.isPalette || m_info.storedChannels == 1;
  const bool losesAlpha = m_info.reduced.has(Reduction::Alpha) && !m_info.isPalette;
  if (m_info.reduced.has(Reduction::Bits) || m_info.reduced.has(Reduction::Channels) ||
      losesAlpha || (!isIndex && m_info.storedChannels != 3))
    return Error{fmt::format("{} file: its {} of {} are not supported yet in form stored",
                             m_info.format,
                             counted(static_cast<std::uint64_t>(m_info.storedChannels), "channel"),
                             counted(static_cast<std::uint64_t>(m_info.bitDepth), "bit"))};
  request.form = isIndex ? PixelForm::Index : PixelForm::Rgb;
  request.planes = false;
  Result<DecodedImage> decoded = m_current->decode(request);
  if (!decoded) return decoded;
  const ImageView from = decoded->pixels;
  const std::ptrdiff_t stride = std::ptrdiff_t{from.width} * from.channels;
  auto* const values = reinterpret_cast<float*>(m_values.reserve(
      static_cast<std::size_t>(stride) * static_cast<std::size_t>(from.height) * sizeof(float)));
  for (int y = 0; y < from.height; ++y) std::copy_n(from.row(y), stride, values + y * stride);
  decoded->values = {values, from.width, from.height, from.channels, stride};
  decoded->pixels = {};
  return decoded;
}

Status ImageDecoder::narrow(DecodedImage& image) {
  const ValueView from = image.values;
  auto* const first = reinterpret_cast<std::uint8_t*>(m_narrowed.reserve(
      static_cast<std::size_t>(from.width) * static_cast<std::size_t>(from.height)));
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x) {
      const float value = from.data[y * from.stride + x];
      if (!(value >= 0 && value <= 255 && value == std::floor(value)))
        return Error{fmt::format("the value {} does not fit an 8-bit mask", value)};
      first[static_cast<std::ptrdiff_t>(y) * from.width + x] = static_cast<std::uint8_t>(value);
    }
  image.pixels = {first, from.width, from.height, 1, from.width};
  image.values = {};
  return {};
}

Result<DecodedImage> ImageDecoder::decodeOnto(const std::array<std::uint8_t, 3>& background,
                                              StoredRequest request) {
  const bool isGrey = request.form == PixelForm::Grey;
  request.form = PixelForm::Rgba;
  request.planes = false;
  Result<DecodedImage> decoded = m_current->decode(request);
  if (!decoded) return decoded;
  const ImageView from = decoded->pixels;
  MILLRACE_CHECK(from.channels == 4, "a codec that reports alpha must decode it");
  const int channels = isGrey ? 1 : 3;
  const std::ptrdiff_t stride = std::ptrdiff_t{from.width} * channels;
  auto* const first = reinterpret_cast<std::uint8_t*>(m_blended.reserve(
      static_cast<std::size_t>(from.width) * 3 * static_cast<std::size_t>(from.height)));
  for (int y = 0; y < from.height; ++y) {
    // In place: a grey row is not longer than a row of colours, and starts no later.
    std::uint8_t* const row = first + y * stride;
    rgbaOnto(from.row(y), background, row, from.width);
    if (isGrey) rgbToGrey(row, row, from.width);
  }
  decoded->pixels = {first, from.width, from.height, channels, stride};
  return decoded;
}

void ImageDecoder::orient(DecodedImage& image, int orientation) {
  if (image.values.data != nullptr) {
    const MutableValueView seen = orientedView(image.values, orientation, m_oriented[0]);
    orientValues(image.values, orientation, seen);
    image.region = seenBox(image.region, image.values.size(), orientation);
    image.values = {seen.data, seen.width, seen.height, seen.channels, seen.stride};
    return;
  }
  if (image.planes.count == 0) orientOne(image.pixels, image.region, orientation, m_oriented[0]);
  for (std::size_t c = 0; c < image.planes.count; ++c)
    orientOne(image.planes.plane[c].samples, image.planes.plane[c].region, orientation,
              m_oriented[c]);
}

}  // namespace millrace
