// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/codecs/codec.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/orientation.h"
#include "core/codecs/picture_formats.h"

namespace millrace {

namespace {

bool isEmpty(Rect region) { return region.width == 0 && region.height == 0; }

bool isInside(Rect part, Rect all) {
  return part.x >= all.x && part.y >= all.y && part.width > 0 && part.height > 0 &&
         part.x - all.x <= all.width - part.width && part.y - all.y <= all.height - part.height;
}

/// The position of `region`, given that `wanted` is at `box`. Scales are powers of two, so this is
/// exact.
Box boxOf(Rect region, Rect wanted, Box box) {
  const double across = wanted.width / (box.right - box.left);
  const double down = wanted.height / (box.bottom - box.top);
  const double left = box.left + (region.x - wanted.x) / across;
  const double top = box.top + (region.y - wanted.y) / down;
  return {left, top, left + region.width / across, top + region.height / down};
}

}  // namespace

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

Result<ImageInfo> ImageDecoder::open(std::span<const std::byte> file) {
  m_current = nullptr;
  for (std::size_t i = 0; i < m_codecs.size(); ++i) {
    const CodecEntry& entry = allCodecs()[i];
    if (!entry.recognises(file)) continue;
    if (!m_codecs[i]) m_codecs[i] = entry.make(m_limits);
    Result<ImageInfo> info = m_codecs[i]->open(file);
    if (!info) return info;
    m_current = m_codecs[i].get();
    m_info = *info;
    m_info.size = orientedSize(m_info.storedSize, m_info.orientation);
    return m_info;
  }
  return notRecognised(file);
}

Result<DecodedImage> ImageDecoder::decode(const DecodeRequest& request) {
  MILLRACE_CHECK(m_current != nullptr, "decode() needs a successfully opened file");
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
  stored.form = request.form;
  stored.ownDecoder = request.ownDecoder;
  stored.planes = request.planes;
  stored.fillTruncated = request.fillTruncated;
  stored.sideIndex = request.sideIndex;
  Result<DecodedImage> decoded = m_current->decode(stored);
  if (!decoded) return decoded;
  DecodedImage image = *decoded;
  const auto place = [&](ImageView& pixels, Box& box, Buffer& memory) {
    if (orientation != 1) orient(pixels, box, orientation, memory);
    box = boxOf(region, wanted, box);
  };
  if (image.planes.count == 0) place(image.pixels, image.region, m_oriented[0]);
  for (std::size_t c = 0; c < image.planes.count; ++c)
    place(image.planes.plane[c].samples, image.planes.plane[c].region, m_oriented[c]);
  return image;
}

void ImageDecoder::orient(ImageView& pixels, Box& region, int orientation, Buffer& memory) const {
  const ImageView from = pixels;
  const Size size = orientedSize(from.size(), orientation);
  const std::size_t stride =
      static_cast<std::size_t>(size.width) * static_cast<std::size_t>(from.channels);
  std::byte* data = memory.reserve(stride * static_cast<std::size_t>(size.height));
  const MutableImageView seen{reinterpret_cast<std::uint8_t*>(data), size.width, size.height,
                              from.channels, static_cast<std::ptrdiff_t>(stride)};
  orientPixels(from, orientation, seen);
  region = seenBox(region, from.size(), orientation);
  pixels = readOnly(seen);
}

}  // namespace millrace
