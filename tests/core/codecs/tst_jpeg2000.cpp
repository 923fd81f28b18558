// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/codecs/codec_entry.h"
#include "tests/core/codecs/codec_checks.h"
#include "tests/core/codecs/part_pictures.h"
#include "tests/core/codecs/stored_numbers.h"

namespace millrace {
using tests::Picture;

namespace {

void setBig(std::vector<std::byte>& file, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) file[at + i] = std::byte(value >> (24 - 8 * i));
}

}  // namespace

class TestJpeg2000 : public QObject {
  Q_OBJECT
 private slots:
  void everyRegionHasThePixelsOfTheWhole() {
    for (const bool bare : {false, true})
      for (const int tile : {0, 32}) {
        const Picture picture = tests::colourful(75, 51, 3, 4);
        tests::checkRegions(writePlainJpeg2000(picture, {.bare = bare, .tile = tile}), picture);
      }
    const Picture small = tests::colourful(1, 1, 3, 4);
    tests::checkRegions(writePlainJpeg2000(small, {}), small);
  }

  void regionsOfLossyFilesHaveThePixelsOfTheWhole() {
    for (const int tile : {0, 32}) {
      const auto file =
          writePlainJpeg2000(tests::colourful(75, 51, 3, 4), {.tile = tile, .lossy = true});
      tests::checkRegions(file, tests::decoded(file));
    }
  }

  void chromaAtHalfTheSizeBecomesRgb() {
    Picture ycc(20, 12, 3);
    for (int y = 0; y < 12; ++y)
      for (int x = 0; x < 20; ++x) {
        ycc.at(x, y, 0) = std::uint8_t(10 * x);
        ycc.at(x, y, 1) = std::uint8_t(100 + x / 2);
        ycc.at(x, y, 2) = std::uint8_t(120 + y / 2);
      }
    const auto file = writePlainJpeg2000(ycc, {.ycc = true});
    const Picture whole = tests::decoded(file);
    QCOMPARE(whole.view().size(), (Size{20, 12}));
    for (int y = 0; y < 12; ++y)
      for (int x = 0; x < 20; ++x) {
        const int blue = ycc.at(x / 2 * 2, y / 2 * 2, 1) - 128;
        const double wanted = ycc.at(x, y, 0) + 1.772 * blue;
        QVERIFY(std::abs(whole.at(x, y, 2) - std::clamp(wanted, 0.0, 255.0)) <= 0.5);
      }
    tests::checkRegions(file, whole);
  }

  void deepValuesAreScaledAndAMaskKeepsThem() {
    const Picture grey = tests::colourful(20, 12, 1, 2);
    const auto file = writePlainJpeg2000(grey, {.depth = 12});
    ImageDecoder decoder;
    const auto info = decoder.open(file);
    VERIFY_OK(info);
    QVERIFY(info->format == "JPEG 2000");
    QCOMPARE(info->bitDepth, 12);
    QVERIFY(info->reduced.has(Reduction::Bits));
    const Picture whole = tests::decoded(file, PixelForm::Grey);
    for (std::size_t i = 0; i < grey.bytes.size(); ++i)
      QCOMPARE(int(whole.bytes[i]), int(std::lround(grey.bytes[i] * 16 * 255 / 4095.0)));
    QCOMPARE(tests::decoded(writePlainJpeg2000(grey, {}), PixelForm::Index).bytes, grey.bytes);
    VERIFY_OK(decoder.open(file));
    const auto mask = decoder.decode({.form = PixelForm::Index});
    QVERIFY(!mask.ok());
    QVERIFY(mask.error().message.find("does not fit an 8-bit mask") != std::string::npos);
  }

  void channelsBeyondTheColoursAreReported() {
    ImageDecoder decoder;
    const Picture many = tests::colourful(16, 8, 6, 2);
    const auto file = writePlainJpeg2000(many, {});
    const auto info = decoder.open(file);
    VERIFY_OK(info);
    QVERIFY(info->reduced.has(Reduction::Channels));
    const auto image = decoder.decode({});
    VERIFY_OK(image);
    for (int c = 0; c < 3; ++c) QCOMPARE(image->pixels.row(3)[3 * 5 + c], many.at(5, 3, c));
    QVERIFY(!decoder.open(writePlainJpeg2000(tests::colourful(16, 8, 3, 2), {}))->reduced.any());
  }

  void transparentPixelsShowTheBackground() {
    for (const int channels : {2, 4}) {
      const Picture drawn = tests::colourful(19, 14, channels, 2);
      tests::checkBackground(writePlainJpeg2000(drawn, {}), drawn);
    }
  }

  void truncatedAndDamagedFilesAreErrorsOrPictures() {
    for (const bool bare : {false, true}) {
      const auto file = writePlainJpeg2000(tests::colourful(75, 51, 3, 4), {.bare = bare});
      tests::checkTruncated(file, 12, 2);
      tests::checkDamaged(file, 12);
      for (const std::size_t size : {std::size_t{400}, file.size() * 3 / 4})
        QCOMPARE(tests::messageOf(std::span(file).first(size)), truncatedAfter(size).message);
    }
  }

  void sizesTilesAndChannelsOfTheHeadTakeNoMemory() {
    tests::checkLimit(writePlainJpeg2000(tests::colourful(20, 20, 3, 4), {}));
    const auto sound = writePlainJpeg2000(tests::colourful(20, 20, 3, 4), {.bare = true});
    auto file = sound;
    setBig(file, 8, 60000);
    setBig(file, 12, 60000);
    QVERIFY(tests::messageOf(file).starts_with("declares 60000 x 60000 pixels"));
    file = sound;
    setBig(file, 24, 1);
    setBig(file, 28, 1);
    QVERIFY2(tests::messageOf(file).starts_with("declares 400 tiles"),
             tests::messageOf(file).c_str());
    file = sound;
    file[40] = std::byte{0x3f};
    QVERIFY(!tests::messageOf(file).empty());
  }

  void numbersOf16BitsAndFourChannelsAreKept() {
    const tests::Picture picture = tests::colourful(21, 17, 4, 3);
    const auto file = tests::writePlainJpeg2000(picture, {.depth = 16});
    tests::Numbers wanted;
    for (const std::uint8_t value : picture.bytes) wanted.push_back(float(value << 8));
    QCOMPARE(tests::storedNumbers(file), wanted);
    tests::Numbers part;
    for (int y = 5; y < 9; ++y)
      part.insert(part.end(), wanted.begin() + (y * 21 + 3) * 4,
                  wanted.begin() + (y * 21 + 10) * 4);
    QCOMPARE(tests::storedNumbers(file, {3, 5, 7, 4}), part);
  }
};

}  // namespace millrace

using millrace::TestJpeg2000;
MILLRACE_TEST_CASE(TestJpeg2000)
#include "tst_jpeg2000.moc"
