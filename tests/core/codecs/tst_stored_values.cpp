// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// PixelForm::Stored of the formats that every build has.
#include <cstdint>
#include <vector>

#include "core/codecs/codec.h"
#include "core/codecs/encode.h"
#include "tests/core/codecs/plain_jpeg.h"
#include "tests/core/codecs/plain_png.h"
#include "tests/core/codecs/stored_numbers.h"
#include "tests/support/test_case.h"

namespace millrace {
using tests::Picture;

namespace {

using Bytes = std::vector<std::byte>;
using tests::Numbers;
using tests::storedNumbers;

}  // namespace

class TestStoredValues : public QObject {
  Q_OBJECT
 private slots:
  void pngNumbersOf16Bits() {
    tests::PlainPng png{.width = 3, .height = 2, .bitDepth = 16, .colourType = 4};
    png.rows = {{0, 1, 255, 255, 1, 0, 0, 2, 18, 52, 0, 0}, {0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8}};
    const Bytes file = tests::writePlainPng(png);
    QCOMPARE(storedNumbers(file), (Numbers{1, 65535, 256, 2, 0x1234, 0, 3, 4, 5, 6, 7, 8}));
    QCOMPARE(storedNumbers(file, {1, 1, 2, 1}), (Numbers{5, 6, 7, 8}));
  }

  void pngNumbersOfFewBitsAndPalettes() {
    tests::PlainPng grey{.width = 5, .height = 2, .bitDepth = 2, .colourType = 0};
    grey.rows = {{0b00'01'10'11, 0b01'000000}, {0b11'10'01'00, 0b10'000000}};
    const Bytes file = tests::writePlainPng(grey);
    QCOMPARE(storedNumbers(file), (Numbers{0, 1, 2, 3, 1, 3, 2, 1, 0, 2}));
    QCOMPARE(storedNumbers(file, {1, 1, 3, 1}), (Numbers{2, 1, 0}));
    tests::PlainPng palette{.width = 3, .height = 1, .bitDepth = 8, .colourType = 3};
    palette.rows = {{2, 0, 1}};
    palette.palette = {{9, 9, 9}, {8, 8, 8}, {7, 7, 7}};
    palette.transparency = {0, 255, 255};
    QCOMPARE(storedNumbers(tests::writePlainPng(palette)), (Numbers{2, 0, 1}));
  }

  void pngNumbersOf8BitsKeepAlpha() {
    tests::PlainPng png{.width = 2, .height = 1, .bitDepth = 8, .colourType = 6};
    png.rows = {{1, 2, 3, 4, 5, 6, 7, 8}};
    QCOMPARE(storedNumbers(tests::writePlainPng(png)), (Numbers{1, 2, 3, 4, 5, 6, 7, 8}));
  }

  void aCutPngFailsEvenIfTheRestIsToBeGrey() {
    tests::PlainPng png{.width = 40, .height = 40, .bitDepth = 16, .colourType = 0};
    png.rows.assign(40, std::vector<std::uint8_t>(80, 1));
    Bytes file = tests::writePlainPng(png);
    file.resize(file.size() - 1000);
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(file));
    const auto image = decoder.decode({.form = PixelForm::Stored, .fillTruncated = true});
    QVERIFY(!image);
  }

  void bytesOfOtherFormatsAreTheirNumbers() {
    const Picture picture = tests::colourful(20, 10, 3, 1);
    const auto view = ImageView{picture.bytes.data(), 20, 10, 3, 60};
    const auto file = encodeJpeg(view);
    VERIFY_OK(file);
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(*file));
    const auto pixels = decoder.decode({});
    VERIFY_OK(pixels);
    Numbers wanted;
    for (int y = 0; y < 10; ++y)
      wanted.insert(wanted.end(), pixels->pixels.row(y), pixels->pixels.row(y) + 60);
    QCOMPARE(storedNumbers(*file), wanted);
  }
};

}  // namespace millrace

using millrace::TestStoredValues;
MILLRACE_TEST_CASE(TestStoredValues)
#include "tst_stored_values.moc"
