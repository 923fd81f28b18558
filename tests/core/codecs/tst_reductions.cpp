// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What codecs report that pixels do not hold, for formats that every build has.
#include <QtTest>

#include "core/codecs/codec.h"
#include "tests/core/codecs/plain_png.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

tests::PlainPng pngOf(int bits, int type, std::size_t rowBytes) {
  tests::PlainPng plain{.width = 8, .height = 4, .bitDepth = bits, .colourType = type};
  if (type == 3) plain.palette.assign(4, {10, 200, 30});
  for (int y = 0; y < 4; ++y) plain.rows.emplace_back(rowBytes, std::uint8_t(0));
  return plain;
}

Reductions reducedOf(const std::vector<std::byte>& file) {
  ImageDecoder decoder;
  const auto info = decoder.open(file);
  return info ? info->reduced : Reductions();
}

}  // namespace

class TestReductions : public QObject {
  Q_OBJECT
 private slots:
  void pngReportsBitsAndAlpha() {
    QVERIFY(!reducedOf(writePlainPng(pngOf(8, 2, 24))).any());
    QVERIFY(!reducedOf(writePlainPng(pngOf(8, 3, 8))).any());
    QVERIFY(reducedOf(writePlainPng(pngOf(8, 6, 32))).has(Reduction::Alpha));
    QVERIFY(reducedOf(writePlainPng(pngOf(8, 4, 16))).has(Reduction::Alpha));
    QVERIFY(reducedOf(writePlainPng(pngOf(16, 0, 16))).has(Reduction::Bits));
    const Reductions both = reducedOf(writePlainPng(pngOf(16, 6, 64)));
    QVERIFY(both.has(Reduction::Bits) && both.has(Reduction::Alpha));
    QVERIFY(!both.has(Reduction::Frames));
  }

  /// Of an animated PNG the still picture is decoded, as by readers that do not know animations.
  void pngReportsFramesAndATransparentColour() {
    tests::PlainPng animated = pngOf(8, 2, 24);
    animated.chunks = {{"acTL", std::string("\0\0\0\2\0\0\0\0", 8)}};
    QVERIFY(reducedOf(writePlainPng(animated)).has(Reduction::Frames));
    tests::PlainPng clear = pngOf(8, 3, 8);
    clear.transparency = {0};
    QVERIFY(reducedOf(writePlainPng(clear)).has(Reduction::Alpha));
  }

  void theSentenceHasTheCount() {
    QCOMPARE(describe(Reduction::Pages, 37, 800),
             std::string("37 pictures of 800 samples have several pages: the first one is used"));
    QCOMPARE(describe(Reduction::Alpha, 1, 1),
             std::string(
                 "1 picture of 1 sample has transparency: alpha is dropped, the colours are kept"));
  }

  void aProfileIsSrgbByItsDescription() {
    const std::string head(128, '\0');
    QVERIFY(isSrgbProfile(head + "desc....sRGB IEC61966-2.1"));
    QVERIFY(isSrgbProfile(head + std::string("s\0R\0G\0B\0", 8)));
    QVERIFY(!isSrgbProfile(head + "desc....Adobe RGB (1998)"));
    QVERIFY(isSrgbProfile(""));
  }

  void aProfileWithOtherColoursIsNotSrgbWhateverItsDescriptionSays() {
    const auto number = [](std::uint32_t value) {
      std::string bytes;
      for (int shift = 24; shift >= 0; shift -= 8) bytes += char(value >> shift & 0xffU);
      return bytes;
    };
    const auto profileOf = [&](std::uint32_t red) {
      std::string profile(128, '\0');
      profile += number(1) + "rXYZ" + number(144) + number(20);
      return profile + "XYZ " + number(0) + number(red) + number(14582) + number(911) + "sRGB";
    };
    QVERIFY(isSrgbProfile(profileOf(28580)));   // 0.4361
    QVERIFY(!isSrgbProfile(profileOf(39950)));  // 0.6096, of Adobe RGB
    // A tag past the end says nothing.
    QVERIFY(isSrgbProfile(profileOf(39950).substr(0, 150) + "sRGB"));
  }
};

}  // namespace millrace

using millrace::TestReductions;
MILLRACE_TEST_CASE(TestReductions)
#include "tst_reductions.moc"
