// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codecs/codec_checks.h"
#include "tests/core/codecs/part_pictures.h"

namespace millrace {
using tests::Picture;

class TestJxl : public QObject {
  Q_OBJECT
 private slots:
  void eachFrameIsAPicture() {
    const Picture picture = tests::colourful(32, 20, 3, 2);
    const auto file = writePlainJxl(picture, {.frames = 3});
    tests::checkPictures(file, {picture, tests::frameOf(picture, 1), tests::frameOf(picture, 2)});
    QCOMPARE(countPictures(bytesOf(writePlainJxl(picture, {}))), 0U);
  }

  void everyRegionHasThePixelsOfTheWhole() {
    for (const Size size : {Size{75, 51}, Size{1, 1}, Size{7, 3}}) {
      const Picture picture = tests::colourful(size.width, size.height, 3, 4);
      tests::checkRegions(writePlainJxl(picture, {}), picture);
    }
  }

  /// The format's own colours become sRGB.
  void lossyPicturesAreCloseToTheOriginal() {
    Picture picture(64, 64, 3);
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x) {
        picture.at(x, y, 0) = std::uint8_t(60 + 2 * x);
        picture.at(x, y, 1) = std::uint8_t(60 + 2 * y);
        picture.at(x, y, 2) = 120;
      }
    const auto file = writePlainJxl(picture, {.lossy = true});
    ImageDecoder decoder;
    QVERIFY(!decoder.open(file)->reduced.any());
    const Picture whole = tests::decoded(file);
    QCOMPARE(whole.bytes.size(), picture.bytes.size());
    double sum = 0;
    for (std::size_t i = 0; i < whole.bytes.size(); ++i)
      sum += std::abs(whole.bytes[i] - picture.bytes[i]);
    QVERIFY(sum / double(whole.bytes.size()) < 4);
  }

  void orientationAlphaAndFramesAreReported() {
    const Picture rgba = tests::colourful(9, 4, 4, 2);
    ImageDecoder decoder;
    const auto file = writePlainJxl(rgba, {.orientation = 6, .frames = 2});
    const auto info = decoder.open(file);
    VERIFY_OK(info);
    QVERIFY(info->format == "JPEG XL");
    QCOMPARE(info->orientation, 6);
    QCOMPARE(info->size, (Size{4, 9}));
    QCOMPARE(info->storedSize, (Size{9, 4}));
    QVERIFY(info->reduced.has(Reduction::Alpha));
    QVERIFY(info->reduced.has(Reduction::Frames));
    const auto image = decoder.decode({.applyOrientation = false});
    VERIFY_OK(image);
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 9; ++x)
        for (int c = 0; c < 3; ++c) QCOMPARE(image->pixels.row(y)[3 * x + c], rgba.at(x, y, c));
  }

  void transparentPixelsShowTheBackground() {
    const Picture rgba = tests::colourful(9, 14, 4, 2);
    tests::checkBackground(writePlainJxl(rgba, {}), rgba);
  }

  void aGreyPictureIsAMaskOfItsValues() {
    const Picture grey = tests::colourful(20, 12, 1, 2);
    QCOMPARE(tests::decoded(writePlainJxl(grey, {}), PixelForm::Index).bytes, grey.bytes);
  }

  void truncatedAndDamagedFilesAreErrorsOrPictures() {
    const auto file = writePlainJxl(tests::colourful(75, 51, 3, 4), {});
    tests::checkTruncated(file, 2);
    QCOMPARE(tests::messageOf(std::span(file).first(400)),
             std::string("truncated after 400 bytes"));
    tests::checkDamaged(file, 2);
  }

  void tooManyPixelsAreRefusedBeforeMemoryIsTaken() {
    tests::checkLimit(writePlainJxl(tests::colourful(20, 20, 3, 4), {}));
  }
};

}  // namespace millrace

using millrace::TestJxl;
MILLRACE_TEST_CASE(TestJxl)
#include "tst_jxl.moc"
