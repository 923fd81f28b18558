// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codecs/codec_checks.h"
#include "tests/core/codecs/part_pictures.h"
#include "tests/core/codecs/stored_numbers.h"

namespace millrace {
using tests::Picture;

namespace {

Picture withoutAlpha(const Picture& rgba) {
  Picture rgb(rgba.width, rgba.height, 3);
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x)
      for (int c = 0; c < 3; ++c) rgb.at(x, y, c) = rgba.at(x, y, c);
  return rgb;
}

}  // namespace

class TestAvif : public QObject {
  Q_OBJECT
 private slots:
  void eachFrameIsAPicture() {
    const Picture picture = tests::colourful(32, 20, 3, 2);
    const auto file = writePlainAvif(picture, {.frames = 3});
    tests::checkPictures(file, {picture, tests::frameOf(picture, 1), tests::frameOf(picture, 2)});
    QCOMPARE(countPictures(bytesOf(writePlainAvif(picture, {}))), 0U);
  }

  void everyRegionHasThePixelsOfTheWhole() {
    for (const Size size : {Size{75, 51}, Size{7, 3}}) {
      const Picture picture = tests::colourful(size.width, size.height, 3, 4);
      tests::checkRegions(writePlainAvif(picture, {}), picture);
    }
  }

  void alphaDeepValuesAndFramesAreReportedAndReduced() {
    const Picture rgba = tests::colourful(16, 12, 4, 2);
    const auto file = writePlainAvif(rgba, {.depth = 10, .frames = 2});
    ImageDecoder decoder;
    const auto info = decoder.open(file);
    VERIFY_OK(info);
    QVERIFY(info->format == "AVIF");
    QCOMPARE(info->bitDepth, 10);
    QCOMPARE(info->storedChannels, 4);
    for (const Reduction lost : {Reduction::Alpha, Reduction::Bits, Reduction::Frames})
      QVERIFY(info->reduced.has(lost));
    const Picture whole = tests::decoded(file);
    const Picture wanted = withoutAlpha(rgba);
    QCOMPARE(whole.bytes.size(), wanted.bytes.size());
    // The values times 4 of 1 023.
    for (std::size_t i = 0; i < whole.bytes.size(); ++i)
      QVERIFY(std::abs(whole.bytes[i] - wanted.bytes[i]) <= 1);
    QVERIFY(!decoder.open(writePlainAvif(wanted, {}))->reduced.any());
  }

  void transparentPixelsShowTheBackground() {
    const Picture rgba = tests::colourful(16, 12, 4, 2);
    tests::checkBackground(writePlainAvif(rgba, {}), rgba);
  }

  /// Turned counter-clockwise, then mirrored.
  void rotationAndMirroringAreTheOrientation() {
    const Picture picture = tests::colourful(6, 4, 3, 2);
    const int orientations[4][3] = {{1, 4, 2}, {8, 5, 7}, {3, 2, 4}, {6, 7, 5}};
    for (int turns = 0; turns < 4; ++turns)
      for (int mirror = -1; mirror < 2; ++mirror) {
        ImageDecoder decoder;
        const auto info = decoder.open(writePlainAvif(picture, {.turns = turns, .mirror = mirror}));
        VERIFY_OK(info);
        QCOMPARE(info->orientation, orientations[turns][mirror + 1]);
      }
  }

  void aGreyPictureIsAMaskOfItsValues() {
    const Picture grey = tests::colourful(20, 12, 1, 2);
    const auto file = writePlainAvif(grey, {});
    QCOMPARE(tests::decoded(file, PixelForm::Index).bytes, grey.bytes);
  }

  void truncatedAndDamagedFilesAreErrorsOrPictures() {
    const auto file = writePlainAvif(tests::colourful(40, 30, 3, 4), {});
    tests::checkTruncated(file, 32);
    tests::checkDamaged(file, 32);
    QCOMPARE(tests::messageOf(std::span(file).first(500)),
             std::string("truncated after 500 bytes"));
  }

  void tooManyPixelsAreRefusedBeforeMemoryIsTaken() {
    ImageDecoder decoder({.pixels = 100});
    const auto info = decoder.open(writePlainAvif(tests::colourful(20, 20, 3, 4), {}));
    QVERIFY(!info.ok());
  }

  void numbersOfMoreThan8BitsAreRefused() {
    const auto file = tests::writePlainAvif(tests::colourful(8, 8, 3, 1), {.depth = 10});
    QCOMPARE(
        tests::storedError(file),
        std::string("AVIF file: its 3 channels of 10 bits are not supported yet in form stored"));
  }
};

}  // namespace millrace

using millrace::TestAvif;
MILLRACE_TEST_CASE(TestAvif)
#include "tst_avif.moc"
