// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codecs/codec_checks.h"
#include "tests/core/codecs/part_pictures.h"

namespace millrace {
using tests::Picture;

namespace {

/// Of the encoder, on plain areas.
constexpr int kLoss = 6;

Picture plain() {
  Picture picture(64, 64, 3);
  for (std::size_t i = 0; i < picture.bytes.size(); ++i)
    picture.bytes[i] = std::uint8_t(30 + 40 * (i % 3));
  return picture;
}

}  // namespace

class TestHeic : public QObject {
  Q_OBJECT
 private slots:
  void eachPictureOfAFileCanBeChosen() {
    const Picture picture = plain();
    const auto file = writePlainHeic(picture, 3);
    tests::checkPictures(file, {picture, tests::frameOf(picture, 40), tests::frameOf(picture, 80)},
                         kLoss);
  }

  /// The encoder changes colours and alpha by little; where alpha is 0 or 255, little remains.
  void transparentPixelsShowTheBackground() {
    Picture drawn(64, 64, 4);
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x) {
        for (int c = 0; c < 3; ++c) drawn.at(x, y, c) = std::uint8_t(60 + 50 * c);
        drawn.at(x, y, 3) = x < 32 ? 0 : 255;
      }
    ImageDecoder decoder;
    const auto file = writePlainHeic(drawn);
    const auto info = decoder.open(file);
    VERIFY_OK(info);
    QVERIFY(info->reduced.has(Reduction::Alpha));
    const auto image = decoder.decode({.background = {{250, 10, 100}}});
    VERIFY_OK(image);
    for (int c = 0; c < 3; ++c) {
      constexpr int kBackground[] = {250, 10, 100};
      QVERIFY(std::abs(int(image->pixels.row(30)[5 * 3 + c]) - kBackground[c]) <= kLoss);
      QVERIFY(std::abs(int(image->pixels.row(30)[60 * 3 + c]) - (60 + 50 * c)) <= kLoss);
    }
    const auto dropped = decoder.decode({});
    VERIFY_OK(dropped);
    QVERIFY(std::abs(int(dropped->pixels.row(30)[5 * 3]) - 60) <= kLoss);
  }

  void everyRegionHasThePixelsOfTheWhole() {
    const Picture picture = tests::colourful(70, 50, 3, 4);
    const auto file = writePlainHeic(picture);
    const Picture whole = tests::decoded(file);
    QCOMPARE(whole.bytes.size(), picture.bytes.size());
    // The conversion to YCbCr of 8 bits and back.
    for (std::size_t i = 0; i < whole.bytes.size(); ++i)
      QVERIFY(std::abs(whole.bytes[i] - picture.bytes[i]) <= 4);
    tests::checkRegions(file, whole);
  }

  void theHeadSaysWhatTheFileHolds() {
    ImageDecoder decoder;
    const auto info = decoder.open(writePlainHeic(tests::colourful(70, 50, 3, 4)));
    VERIFY_OK(info);
    QVERIFY(info->format == "HEIC");
    QCOMPARE(info->orientation, 1);
    QVERIFY(!info->reduced.any());
  }

  void truncatedAndDamagedFilesAreErrorsOrPictures() {
    const auto file = writePlainHeic(tests::colourful(70, 50, 3, 4));
    tests::checkTruncated(file, 32);
    tests::checkDamaged(file, 32);
    QCOMPARE(tests::messageOf(std::span(file).first(300)),
             std::string("truncated after 300 bytes"));
  }

  /// libheif before 1.22.2 reads and writes past them.
  void filesWithUnsafeItemsAreRefused() {
    const auto sound = writePlainHeic(tests::colourful(70, 50, 3, 4));
    const std::string text(reinterpret_cast<const char*>(sound.data()), sound.size());
    const std::size_t type = text.find("hvc1", text.find("infe"));
    QVERIFY(type != text.npos);
    for (const std::string kind : {"iovl", "mski", "unci"}) {
      auto file = sound;
      std::memcpy(file.data() + type, kind.data(), kind.size());
      const std::string message = tests::messageOf(file);
      QVERIFY2(message.find("an item `" + kind + "`") != message.npos ||
                   message.find("damaged HEIC") != message.npos,
               message.c_str());
    }
  }

  void tooManyPixelsAreRefusedBeforeMemoryIsTaken() {
    tests::checkLimit(writePlainHeic(tests::colourful(70, 50, 3, 4)));
  }
};

}  // namespace millrace

using millrace::TestHeic;
MILLRACE_TEST_CASE(TestHeic)
#include "tst_heic.moc"
