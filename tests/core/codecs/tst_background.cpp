// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Transparent pixels over a background, for formats that every build has.
#include "tests/core/codecs/codec_checks.h"
#include "tests/core/codecs/plain_bmp.h"
#include "tests/core/codecs/plain_png.h"

namespace millrace {
using tests::Picture;
using tests::PlainPng;

namespace {

/// Grey and alpha, or RGB and alpha; each value twice for 16 bits.
PlainPng pngOf(const Picture& drawn, int bits) {
  PlainPng png{.width = drawn.width,
               .height = drawn.height,
               .bitDepth = bits,
               .colourType = drawn.channels == 2 ? 4 : 6};
  for (int y = 0; y < drawn.height; ++y) {
    std::vector<std::uint8_t> row;
    for (int i = 0; i < drawn.width * drawn.channels; ++i)
      row.insert(row.end(), std::size_t(bits / 8), drawn.view().row(y)[i]);
    png.rows.push_back(std::move(row));
  }
  return png;
}

}  // namespace

class TestBackground : public QObject {
  Q_OBJECT
 private slots:
  void pngOfEveryKindIsMixed() {
    for (const int channels : {2, 4})
      for (const int bits : {8, 16}) {
        const Picture drawn = tests::colourful(23, 11, channels, 2);
        tests::checkBackground(writePlainPng(pngOf(drawn, bits)), drawn);
      }
  }

  void entriesOfAPaletteAreMixed() {
    PlainPng png{.width = 8, .height = 4, .colourType = 3};
    png.palette = {{200, 0, 10}, {0, 90, 255}, {7, 7, 7}};
    png.transparency = {0, 128};
    Picture drawn(8, 4, 4);
    for (int y = 0; y < 4; ++y) {
      png.rows.emplace_back();
      for (int x = 0; x < 8; ++x) {
        const int index = (x + y) % 3;
        png.rows.back().push_back(std::uint8_t(index));
        for (int c = 0; c < 3; ++c) drawn.at(x, y, c) = png.palette[std::size_t(index)][c];
        drawn.at(x, y, 3) = index == 0 ? 0 : (index == 1 ? 128 : 255);
      }
    }
    tests::checkBackground(writePlainPng(png), drawn);
  }

  /// One colour of a picture without an alpha channel.
  void aTransparentColourIsReplaced() {
    PlainPng png{.width = 4, .height = 3, .colourType = 2};
    png.transparency = {0, 9, 0, 9, 0, 9};
    Picture drawn(4, 3, 4);
    for (int y = 0; y < 3; ++y) {
      png.rows.emplace_back();
      for (int x = 0; x < 4; ++x)
        for (int c = 0; c < 4; ++c) {
          drawn.at(x, y, c) = std::uint8_t(c == 3 ? (x == y ? 0 : 255) : (x == y ? 9 : 40 * x + c));
          if (c < 3) png.rows.back().push_back(drawn.at(x, y, c));
        }
    }
    tests::checkBackground(writePlainPng(png), drawn);
  }

  void aBmpWithAMaskOfAlphaIsMixed() {
    const Picture drawn = tests::colourful(9, 6, 4, 2);
    tests::PlainBmp bmp{.width = 9, .height = -6, .bits = 32, .code = 3, .head = 56};
    bmp.masks = {0xff, 0xff00, 0xff0000, 0xff000000};
    bmp.data = drawn.bytes;
    tests::checkBackground(bmp.file(), drawn);
  }

  /// What a truncated file lacks is grey, not a mixture.
  void missingRowsAreGrey() {
    const Picture drawn = tests::colourful(8, 400, 4, 2);
    PlainPng png = pngOf(drawn, 8);
    png.idatBytes = 1000;
    std::vector<std::byte> file = writePlainPng(png);
    file.resize(file.size() / 2);
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(file));
    const auto image = decoder.decode({.fillTruncated = true, .background = {{0, 0, 0}}});
    VERIFY_OK(image);
    QCOMPARE(image->pixels.row(399)[0], std::uint8_t(128));
  }

  void picturesWithoutAlphaAndMasksAreUnchanged() {
    const Picture colours = tests::colourful(12, 9, 3, 2);
    const auto bmp = tests::colourBmp(colours, true).file();
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(bmp));
    const auto image = decoder.decode({.background = {{1, 2, 3}}});
    VERIFY_OK(image);
    QVERIFY(difference(image->pixels, colours, 0, 0).isEmpty());

    const auto mask = writePlainPng(pngOf(tests::colourful(6, 6, 2, 2), 8));
    VERIFY_OK(decoder.open(mask));
    const auto plain = decoder.decode({.form = PixelForm::Index});
    VERIFY_OK(plain);
    const Picture values = tests::copyOf(plain->pixels);
    const auto over = decoder.decode({.form = PixelForm::Index, .background = {{1, 2, 3}}});
    VERIFY_OK(over);
    QCOMPARE(tests::copyOf(over->pixels).bytes, values.bytes);
  }
};

}  // namespace millrace

using millrace::TestBackground;
MILLRACE_TEST_CASE(TestBackground)
#include "tst_background.moc"
