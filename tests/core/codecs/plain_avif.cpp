// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <avif/avif.h>

#include "tests/core/codecs/part_pictures.h"

namespace millrace::tests {

// Of the results that are not looked at: the tests find a file that was not written.

namespace {

/// The picture's samples as libavif takes them.
std::vector<std::uint16_t> deepened(const Picture& picture, int depth) {
  std::vector<std::uint16_t> samples;
  for (const std::uint8_t value : picture.bytes)
    samples.push_back(std::uint16_t(value << (depth - 8)));
  return samples;
}

void fillGrey(avifImage* image, const Picture& picture) {
  image->yuvRange = AVIF_RANGE_FULL;
  static_cast<void>(avifImageAllocatePlanes(image, AVIF_PLANES_YUV));
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x)
      image->yuvPlanes[0][std::size_t(y) * image->yuvRowBytes[0] + std::size_t(x)] =
          picture.at(x, y);
}

void fillColours(avifImage* image, const Picture& picture, const PlainAvif& how) {
  image->yuvRange = AVIF_RANGE_FULL;
  // Stores green, blue and red instead of luma and chroma: no loss.
  image->matrixCoefficients =
      how.lossy ? AVIF_MATRIX_COEFFICIENTS_BT601 : AVIF_MATRIX_COEFFICIENTS_IDENTITY;
  std::vector<std::uint8_t> bytes = picture.bytes;
  std::vector<std::uint16_t> words = deepened(picture, how.depth);
  avifRGBImage rgb;
  avifRGBImageSetDefaults(&rgb, image);
  rgb.format = picture.channels == 4 ? AVIF_RGB_FORMAT_RGBA : AVIF_RGB_FORMAT_RGB;
  rgb.depth = std::uint32_t(how.depth);
  rgb.pixels = how.depth == 8 ? bytes.data() : reinterpret_cast<std::uint8_t*>(words.data());
  rgb.rowBytes = std::uint32_t(picture.width * picture.channels * (how.depth == 8 ? 1 : 2));
  static_cast<void>(avifImageRGBToYUV(image, &rgb));
}

avifImage* imageOf(const Picture& picture, const PlainAvif& how) {
  const avifPixelFormat format = picture.channels == 1 ? AVIF_PIXEL_FORMAT_YUV400
                                 : how.lossy           ? AVIF_PIXEL_FORMAT_YUV420
                                                       : AVIF_PIXEL_FORMAT_YUV444;
  avifImage* image = avifImageCreate(std::uint32_t(picture.width), std::uint32_t(picture.height),
                                     std::uint32_t(how.depth), format);
  if (picture.channels == 1)
    fillGrey(image, picture);
  else
    fillColours(image, picture, how);
  if (how.turns > 0) {
    image->transformFlags |= AVIF_TRANSFORM_IROT;
    image->irot.angle = std::uint8_t(how.turns);
  }
  if (how.mirror >= 0) {
    image->transformFlags |= AVIF_TRANSFORM_IMIR;
#if AVIF_VERSION_MAJOR >= 1
    image->imir.axis = std::uint8_t(how.mirror);
#else
    image->imir.mode = std::uint8_t(how.mirror);
#endif
  }
  return image;
}

}  // namespace

std::vector<std::byte> writePlainAvif(const Picture& picture, const PlainAvif& how) {
  avifEncoder* encoder = avifEncoderCreate();
  encoder->codecChoice = AVIF_CODEC_CHOICE_AOM;
  encoder->maxThreads = 1;
  encoder->speed = 10;
  encoder->maxQuantizer = how.lossy ? 40 : 0;
  for (int frame = 0; frame < how.frames; ++frame) {
    avifImage* image = imageOf(frameOf(picture, frame), how);
    static_cast<void>(avifEncoderAddImage(
        encoder, image, 1,
        how.frames == 1 ? AVIF_ADD_IMAGE_FLAG_SINGLE : AVIF_ADD_IMAGE_FLAG_NONE));
    avifImageDestroy(image);
  }
  avifRWData out = AVIF_DATA_EMPTY;
  static_cast<void>(avifEncoderFinish(encoder, &out));
  const auto* first = reinterpret_cast<const std::byte*>(out.data);
  std::vector<std::byte> file(first, first + out.size);
  avifRWDataFree(&out);
  avifEncoderDestroy(encoder);
  return file;
}

}  // namespace millrace::tests
