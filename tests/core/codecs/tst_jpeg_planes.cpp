// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The built-in JPEG decoder returning planes, compared with the library's raw data, which it
// returns for whole pictures at every scale, and with the decoder's own pixels.
#include <cmath>
#include <random>
#include <string>

#include <jpeglib.h>

#include "core/codecs/codec.h"
#include "core/codecs/jpeg/colour_rows.h"
#include "tests/core/codecs/plain_jpeg.h"
#include "tests/support/opened_jpeg.h"
#include "tests/support/test_case.h"

namespace millrace {
using tests::copyOf;
using tests::NamedJpeg;
using tests::Picture;
using tests::PlainJpeg;

namespace {

using JpegFile = std::vector<std::byte>;

std::vector<NamedJpeg> everySampling() {
  return {{"444", {1, 1}}, {"422", {2, 1}},     {"440", {1, 2}},        {"420", {2, 2}},
          {"411", {4, 1}}, {"grey", {1, 1}, 1}, {"grey 2x2", {2, 2}, 1}};
}

/// The library's samples before upsampling and colour conversion: a picture of one channel per
/// component, with the padding of its last blocks.
std::vector<Picture> rawPlanes(const JpegFile& file, int scale) {
  tests::OpenedJpeg opened(file);
  jpeg_decompress_struct& decoder = opened.decoder;
  decoder.scale_denom = unsigned(scale);
  decoder.raw_data_out = TRUE;
  jpeg_start_decompress(&decoder);
  std::vector<Picture> planes;
  std::vector<int> rowsAtOnce;
  for (int c = 0; c < decoder.num_components; ++c) {
    const jpeg_component_info& component = decoder.comp_info[c];
    rowsAtOnce.push_back(component.v_samp_factor * component.DCT_scaled_size);
    const int mcuRows = int(decoder.total_iMCU_rows);
    // The library writes whole MCUs.
    const int blocks = int(component.width_in_blocks) + component.h_samp_factor;
    planes.emplace_back(blocks * component.DCT_scaled_size, mcuRows * rowsAtOnce.back(), 1);
  }
  for (int mcuRow = 0; decoder.output_scanline < decoder.output_height; ++mcuRow) {
    std::vector<std::vector<JSAMPROW>> rows(planes.size());
    std::vector<JSAMPARRAY> arrays;
    for (std::size_t c = 0; c < planes.size(); ++c) {
      for (int y = 0; y < rowsAtOnce[c]; ++y)
        rows[c].push_back(&planes[c].at(0, mcuRow * rowsAtOnce[c] + y));
      arrays.push_back(rows[c].data());
    }
    jpeg_read_raw_data(&decoder, arrays.data(),
                       JDIMENSION(decoder.max_v_samp_factor * decoder.min_DCT_scaled_size));
  }
  return planes;
}

/// Empty if the planes equal the library's and are at the position that the region states.
QString planesDiffer(const DecodedImage& image, const std::vector<Picture>& raw, Rect region,
                     Size size) {
  if (image.route != DecodeRoute::Own || image.planes.count != raw.size()) return "no planes";
  if (image.pixels.data != nullptr) return "pixels too";
  for (std::size_t c = 0; c < raw.size(); ++c) {
    const SampledPlane& plane = image.planes.plane[c];
    const Box& box = plane.region;
    // Pixels of the file per sample, as in a plane of the whole picture.
    const double across = region.width / (box.right - box.left);
    const double down = region.height / (box.bottom - box.top);
    const double left = region.x / across - box.left;
    const double top = region.y / down - box.top;
    if (left != std::floor(left) || top != std::floor(top)) return "off the grid";
    if (box.left < 0 || box.left >= 1 || box.top < 0 || box.top >= 1) return "too much in front";
    if (std::ceil(box.right) != plane.samples.width ||
        std::ceil(box.bottom) != plane.samples.height)
      return "too much or too little behind";
    if (std::ceil(size.width / across) > raw[c].width) return "other sampling";
    const QString found = difference(plane.samples, raw[c], int(left), int(top));
    if (!found.isEmpty()) return QString("component %1: %2").arg(c).arg(found);
  }
  return {};
}

DecodeRequest planesRequest(Rect region, int scale) {
  DecodeRequest request;
  request.region = region;
  request.cover = {region.width / scale, region.height / scale};
  request.planes = true;
  return request;
}

}  // namespace

class TestJpegPlanes : public QObject {
  Q_OBJECT
 private slots:
  void planesAreTheRawDataOfTheLibrary() {
    ImageDecoder decoder;
    std::mt19937 random(4);
    for (const NamedJpeg& one : everySampling())
      for (const Size size : {Size{67, 45}, Size{200, 150}, Size{16, 16}, Size{9, 5}, Size{1, 1}}) {
        const JpegFile file =
            writePlainJpeg(tests::colourful(size.width, size.height, one.channels, 9), one.how);
        VERIFY_OK(decoder.open(file));
        for (const int scale : {1, 2, 4, 8}) {
          const std::vector<Picture> raw = rawPlanes(file, scale);
          for (int i = 0; i < 12; ++i) {
            Rect region = tests::randomRegion(random, size);
            if (i == 0) region = {0, 0, size.width, size.height};
            if (region.width < scale || region.height < scale) continue;
            const DecodeRequest request = planesRequest(region, scale);
            const auto image = decoder.decode(request);
            VERIFY_OK(image);
            QCOMPARE(image->scale, scale);
            const QString found = planesDiffer(*image, raw, region, size);
            QVERIFY2(found.isEmpty(), qPrintable(QString("%1 at 1/%2, %3 x %4 at %5, %6: %7")
                                                     .arg(one.name)
                                                     .arg(scale)
                                                     .arg(region.width)
                                                     .arg(region.height)
                                                     .arg(region.x)
                                                     .arg(region.y)
                                                     .arg(found)));
          }
        }
      }
  }

  void aWantedPartKeepsTheRegionsPlace() {
    ImageDecoder decoder;
    for (const NamedJpeg& one : everySampling()) {
      const JpegFile file = writePlainJpeg(tests::colourful(120, 90, one.channels, 3), one.how);
      VERIFY_OK(decoder.open(file));
      DecodeRequest request = planesRequest({5, 7, 101, 77}, 2);
      const auto all = decoder.decode(request);
      VERIFY_OK(all);
      std::vector<Picture> whole;
      std::vector<Box> boxes;
      for (std::size_t c = 0; c < all->planes.count; ++c) {
        whole.push_back(copyOf(all->planes.plane[c].samples));
        boxes.push_back(all->planes.plane[c].region);
      }
      request.wanted = {33, 21, 40, 30};
      const auto part = decoder.decode(request);
      VERIFY_OK(part);
      for (std::size_t c = 0; c < whole.size(); ++c) {
        const SampledPlane& plane = part->planes.plane[c];
        const double left = boxes[c].left - plane.region.left;
        const double top = boxes[c].top - plane.region.top;
        QCOMPARE(left, std::floor(left));
        QVERIFY(difference(plane.samples, whole[c], int(left), int(top)).isEmpty());
        QCOMPARE(plane.region.right - plane.region.left, boxes[c].right - boxes[c].left);
        QVERIFY(plane.samples.width < whole[c].width);
      }
    }
  }

  void turnedFilesHaveTurnedPlanes() {
    const JpegFile plain = writePlainJpeg(tests::colourful(61, 38, 3, 3), {2, 1});
    ImageDecoder decoder;
    for (int orientation = 1; orientation <= 8; ++orientation) {
      // An EXIF segment with only the orientation, after the start of the image.
      JpegFile file(plain.begin(), plain.begin() + 2);
      for (const int b :
           {0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d,        0, 42, 0, 0, 0, 8,
            0,    1,    1, 18, 0,    3,    0,    0,    0, 1, 0,    orientation, 0, 0,  0, 0, 0, 0})
        file.push_back(std::byte(b));
      file.insert(file.end(), plain.begin() + 2, plain.end());
      const auto info = decoder.open(file);
      VERIFY_OK(info);
      QCOMPARE(info->orientation, orientation);
      DecodeRequest request = planesRequest({3, 5, 30, 28}, 1);
      request.wanted = {9, 8, 21, 22};
      const auto planes = decoder.decode(request);
      VERIFY_OK(planes);
      QCOMPARE(planes->planes.count, std::size_t{3});
      const Picture luma = copyOf(planes->planes.plane[0].samples);
      const Box box = planes->planes.plane[0].region;
      const Box chroma = planes->planes.plane[1].region;
      const bool turned = orientation > 4;
      QCOMPARE((box.right - box.left) / (chroma.right - chroma.left), turned ? 1.0 : 2.0);
      QCOMPARE((box.bottom - box.top) / (chroma.bottom - chroma.top), turned ? 2.0 : 1.0);
      request.planes = false;
      request.form = PixelForm::Grey;
      const auto grey = decoder.decode(request);
      VERIFY_OK(grey);
      QVERIFY(difference(grey->pixels, luma, 0, 0).isEmpty());
      QVERIFY(grey->region == box);
    }
  }

  /// Chroma at luma's resolution is not upsampled, so both ways have the same samples.
  void convertedPlanesAreThePixelsWhereNothingIsWidened() {
    ImageDecoder decoder;
    const std::pair<PlainJpeg, int> cases[] = {{{1, 1}, 1}, {{1, 1}, 4}, {{2, 2}, 2}, {{2, 2}, 8}};
    for (const auto& [how, scale] : cases) {
      const JpegFile file = writePlainJpeg(tests::colourful(75, 50, 3, 8), how);
      VERIFY_OK(decoder.open(file));
      DecodeRequest request = planesRequest({10, 3, 61, 40}, scale);
      request.planes = false;
      const auto image = decoder.decode(request);
      VERIFY_OK(image);
      const Picture pixels = copyOf(image->pixels);
      request.planes = true;
      const auto planes = decoder.decode(request);
      VERIFY_OK(planes);
      Picture converted(pixels.width, pixels.height, 3);
      QVERIFY(planes->planes.plane[1].samples.size() == pixels.view().size());
      for (int y = 0; y < pixels.height; ++y)
        jpeg::plain::ycbcrToRgb(
            planes->planes.plane[0].samples.row(y), planes->planes.plane[1].samples.row(y),
            planes->planes.plane[2].samples.row(y), pixels.width, &converted.at(0, y));
      QVERIFY(converted.bytes == pixels.bytes);
    }
  }

  void othersAnswerWithPixels() {
    ImageDecoder decoder;
    const Picture picture = tests::colourful(40, 30, 3, 1);
    const std::pair<DecodeRoute, JpegFile> files[] = {
        {DecodeRoute::Progressive, writePlainJpeg(picture, {.progressive = true})},
        {DecodeRoute::Sampling, writePlainJpeg(picture, {.horizontal = 3})},
        {DecodeRoute::Asked, writePlainJpeg(picture, {2, 2})},
    };
    for (const auto& [route, file] : files) {
      VERIFY_OK(decoder.open(file));
      DecodeRequest request = planesRequest({3, 2, 30, 25}, 1);
      request.ownDecoder = route != DecodeRoute::Asked;
      const auto image = decoder.decode(request);
      VERIFY_OK(image);
      QCOMPARE(image->planes.count, std::size_t{0});
      QVERIFY(image->route == route);
      QVERIFY(image->pixels.size() == (Size{30, 25}));
    }
  }

  void damagedDataIsWhatItIsWithoutPlanes() {
    ImageDecoder decoder;
    std::mt19937 random(6);
    const JpegFile sound =
        writePlainJpeg(tests::colourful(90, 70, 3, 2), {.horizontal = 2, .vertical = 2});
    int toTheLibrary = 0;
    for (int i = 0; i < 300; ++i) {
      JpegFile file = sound;
      if (i % 10 == 0) file.resize(file.size() * 6 / 10);
      file[file.size() - 1 - random() % 2000] ^= std::byte(1U << random() % 8U);
      if (!decoder.open(file)) continue;
      const auto pixels = decoder.decode({});
      const auto whole = pixels ? copyOf(pixels->pixels) : Picture(0, 0, 3);
      const auto planes = decoder.decode({.planes = true});
      QCOMPARE(planes.ok(), pixels.ok());
      if (!planes) {
        QCOMPARE(planes.error().message, pixels.error().message);
        continue;
      }
      QVERIFY(planes->route == pixels->route);
      QCOMPARE(planes->planes.count, planes->route == DecodeRoute::Own ? 3U : 0U);
      if (planes->route == DecodeRoute::Own) continue;
      QVERIFY(difference(planes->pixels, whole, 0, 0).isEmpty());
      ++toTheLibrary;
    }
    QVERIFY(toTheLibrary > 20);
  }

  void aSideIndexLeavesRowsOutAndThePlanesAsTheyAre() {
    ImageDecoder decoder;
    const JpegFile file = writePlainJpeg(tests::colourful(200, 150, 3, 5), {2, 2});
    VERIFY_OK(decoder.open(file));
    const std::vector<Picture> raw = rawPlanes(file, 1);
    std::vector<std::byte> index;
    std::size_t skipped = 0;
    for (const Rect region : {Rect{20, 100, 60, 40}, Rect{50, 90, 90, 30}, Rect{0, 60, 200, 40}}) {
      DecodeRequest request = planesRequest(region, 1);
      request.sideIndex = &index;
      const auto image = decoder.decode(request);
      VERIFY_OK(image);
      const QString found = planesDiffer(*image, raw, region, {200, 150});
      QVERIFY2(found.isEmpty(), qPrintable(found));
      QVERIFY(!image->sideIndex.wrong);
      skipped += image->sideIndex.skippedMcus;
    }
    QVERIFY(skipped > 60);
  }
};

}  // namespace millrace

using millrace::TestJpegPlanes;
MILLRACE_TEST_CASE(TestJpegPlanes)
#include "tst_jpeg_planes.moc"
