// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>

#include "core/codecs/codec.h"
#include "tests/core/codecs/plain_jpeg.h"
#include "tests/support/test_case.h"

namespace millrace {
using tests::difference;
using tests::Picture;

namespace {

using Bytes = std::vector<std::byte>;

Bytes withExif(const Bytes& jpeg, int orientation) {
  const unsigned char exif[] = {
      0xff, 0xe1, 0, 34, 'E', 'x', 'i', 'f', 0, 0,
      'M',  'M',  0, 42, 0,   0,   0,   8,   0, 1,
      1,    0x12, 0, 3,  0,   0,   0,   1,   0, static_cast<unsigned char>(orientation),
      0,    0,    0, 0,  0,   0};
  Bytes file(jpeg.begin(), jpeg.begin() + 2);
  for (const unsigned char byte : exif) file.push_back(std::byte{byte});
  file.insert(file.end(), jpeg.begin() + 2, jpeg.end());
  return file;
}

}  // namespace

class TestOrientation : public QObject {
  Q_OBJECT
 private slots:
  /// Compared with positions taken by hand from the EXIF table: where the stored top left pixel is
  /// displayed, and in which direction the stored row runs.
  void orientationIsApplied() {
    Picture stored(48, 32, 1);
    for (int y = 0; y < 32; ++y)
      for (int x = 0; x < 48; ++x) stored.at(x, y) = std::uint8_t(x * 3 + y * 2);
    const Bytes plain = writePlainJpeg(stored, {.quality = 100});
    const Picture reference = tests::readPlainJpeg(plain, 1, 1);
    struct Seen {
      int orientation, width, height, x0, y0, rowX, rowY, columnX, columnY;
    };
    const Seen table[] = {{1, 48, 32, 0, 0, 1, 0, 0, 1},     {2, 48, 32, 47, 0, -1, 0, 0, 1},
                          {3, 48, 32, 47, 31, -1, 0, 0, -1}, {4, 48, 32, 0, 31, 1, 0, 0, -1},
                          {5, 32, 48, 0, 0, 0, 1, 1, 0},     {6, 32, 48, 31, 0, 0, 1, -1, 0},
                          {7, 32, 48, 31, 47, 0, -1, -1, 0}, {8, 32, 48, 0, 47, 0, -1, 1, 0}};
    ImageDecoder decoder;
    for (const Seen& seen : table) {
      const Bytes file = withExif(plain, seen.orientation);
      const auto info = decoder.open(file);
      VERIFY_OK(info);
      QCOMPARE(info->orientation, seen.orientation);
      QCOMPARE(info->size.width, seen.width);
      QCOMPARE(info->size.height, seen.height);
      const auto image = decoder.decode({.form = PixelForm::Index});
      VERIFY_OK(image);
      QCOMPARE(image->pixels.width, seen.width);
      for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 48; ++x) {
          const int seenX = seen.x0 + x * seen.rowX + y * seen.columnX;
          const int seenY = seen.y0 + x * seen.rowY + y * seen.columnY;
          QCOMPARE(image->pixels.row(seenY)[seenX], reference.at(x, y));
        }
      const auto asStored = decoder.decode({.form = PixelForm::Index, .applyOrientation = false});
      VERIFY_OK(asStored);
      QVERIFY(difference(asStored->pixels, reference, 0, 0).isEmpty());
    }
  }

  void aRegionOfATurnedImageIsAskedAsSeen() {
    const Bytes plain = writePlainJpeg(tests::colourful(101, 67, 3, 9), {2, 2});
    ImageDecoder decoder;
    for (int orientation = 1; orientation <= 8; ++orientation) {
      const Bytes file = withExif(plain, orientation);
      const auto info = decoder.open(file);
      VERIFY_OK(info);
      for (const int scale : {1, 2}) {
        const Size cover{info->size.width / scale, info->size.height / scale};
        const auto whole = decoder.decode({.cover = cover});
        VERIFY_OK(whole);
        QCOMPARE(whole->scale, scale);
        Picture copy(whole->pixels.width, whole->pixels.height, 3);
        for (int y = 0; y < copy.height; ++y)
          std::memcpy(&copy.at(0, y), whole->pixels.row(y), std::size_t(copy.width) * 3);
        const Box all = whole->region;
        const Rect region{11, 8, 34, 42};
        const auto part = decoder.decode({.region = region, .cover = {34 / scale, 42 / scale}});
        VERIFY_OK(part);
        // The same place in both: the part's origin in the pixels of the whole.
        const double x = all.left + double(region.x) / scale - part->region.left;
        const double y = all.top + double(region.y) / scale - part->region.top;
        QCOMPARE(x, std::floor(x));
        QCOMPARE(y, std::floor(y));
        QCOMPARE(part->region.right - part->region.left, 34.0 / scale);
        QCOMPARE(part->region.bottom - part->region.top, 42.0 / scale);
        const QString found = difference(part->pixels, copy, int(x), int(y));
        QVERIFY2(found.isEmpty(), qPrintable(QString("%1: ").arg(orientation) + found));
      }
    }
  }

  void aPartOfARegionHasTheRegionsScaleAndPixels() {
    const Bytes plain = writePlainJpeg(tests::colourful(203, 167, 3, 9), {2, 2});
    ImageDecoder decoder;
    for (int orientation = 1; orientation <= 8; ++orientation)
      for (const int scale : {1, 2, 4})
        for (const bool own : {true, false}) {
          const Bytes file = withExif(plain, orientation);
          VERIFY_OK(decoder.open(file));
          DecodeRequest request{.region = {5, 6, 150, 144}, .ownDecoder = own};
          request.cover = {150 / scale, 144 / scale};
          const auto region = decoder.decode(request);
          VERIFY_OK(region);
          Picture copy(region->pixels.width, region->pixels.height, 3);
          for (int y = 0; y < copy.height; ++y)
            std::memcpy(&copy.at(0, y), region->pixels.row(y), std::size_t(copy.width) * 3);
          const Box all = region->region;
          request.wanted = {41, 60, 33, 51};
          const auto part = decoder.decode(request);
          VERIFY_OK(part);
          QCOMPARE(part->scale, scale);
          QVERIFY(part->pixels.width <= 33 / scale + 2 && part->pixels.height <= 51 / scale + 2);
          QCOMPARE(part->region.right - part->region.left, 150.0 / scale);
          QCOMPARE(part->region.bottom - part->region.top, 144.0 / scale);
          const QString found = difference(part->pixels, copy, int(all.left - part->region.left),
                                           int(all.top - part->region.top));
          QVERIFY2(found.isEmpty(), qPrintable(QString("%1: ").arg(orientation) + found));
        }
    QVERIFY(!decoder.decode({.region = {5, 6, 30, 30}, .wanted = {4, 6, 9, 9}}));
  }
};

}  // namespace millrace

using millrace::TestOrientation;
MILLRACE_TEST_CASE(TestOrientation)
#include "tst_orientation.moc"
