// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <random>
#include <string>

#include "core/codecs/codec.h"
#include "core/codecs/pixel_rows.h"
#include "tests/core/codecs/plain_bmp.h"
#include "tests/support/test_case.h"

namespace millrace {
using tests::bmpRows;
using tests::colourBmp;
using tests::Picture;
using tests::PlainBmp;

namespace {

using Bytes = std::vector<std::byte>;

const std::vector<std::array<std::uint8_t, 3>> kFourColours = {
    {1, 2, 3}, {200, 30, 40}, {50, 255, 70}, {80, 90, 180}};

std::string bmpMessage(std::span<const std::byte> file) {
  ImageDecoder decoder;
  const auto info = decoder.open(file);
  if (!info) return info.error().message;
  const auto image = decoder.decode({});
  return image ? "" : image.error().message;
}

/// Empty if all regions of a file match `whole`.
QString unlike(const Bytes& file, const Picture& whole, PixelForm form) {
  std::mt19937 random(1);
  ImageDecoder decoder;
  const auto info = decoder.open(file);
  if (!info) return QString::fromStdString(info.error().message);
  if (info->format != "BMP" || info->size != whole.view().size()) return "another size";
  for (int i = 0; i < 60; ++i) {
    Rect region{0, 0, whole.width, whole.height};
    if (i > 0) region = tests::randomRegion(random, whole.view().size());
    const auto image = decoder.decode({.region = region, .form = form});
    if (!image) return QString::fromStdString(image.error().message);
    if (const QString found = difference(image->pixels, whole, region.x, region.y);
        !found.isEmpty())
      return found;
  }
  return {};
}

}  // namespace

class TestBmp : public QObject {
  Q_OBJECT
 private slots:
  void coloursOf24BitsInEitherOrder() {
    for (const int width : {33, 32, 1}) {
      const Picture picture = tests::colourful(width, 20, 3, 2);
      for (const bool topDown : {false, true})
        QCOMPARE(unlike(colourBmp(picture, topDown).file(), picture, PixelForm::Rgb), QString());
      QCOMPARE(unlike(colourBmp(picture, false, 12).file(), picture, PixelForm::Rgb), QString());
      QCOMPARE(unlike(colourBmp(picture, false, 124).file(), picture, PixelForm::Index), QString());
    }
  }

  void coloursOf16And32BitsByTheirMasks() {
    Picture words(3, 1, 2);  // pure red, green and blue, with 5, 6 and 5 bits
    words.bytes = {0x00, 0xf8, 0xe0, 0x07, 0x1f, 0x00};
    PlainBmp bmp{.width = 3, .height = 1, .bits = 16, .code = 3, .masks = {0xf800, 0x7e0, 0x1f}};
    bmp.data = bmpRows(words, 16, false);
    Picture primary(3, 1, 3);
    primary.bytes = {255, 0, 0, 0, 255, 0, 0, 0, 255};
    QCOMPARE(unlike(bmp.file(), primary, PixelForm::Rgb), QString());
    bmp.head = 108;
    QCOMPARE(unlike(bmp.file(), primary, PixelForm::Rgb), QString());

    // Without masks 5, 5 and 5 bits: bits 5 to 9 are green.
    bmp = {.width = 3, .height = 1, .bits = 16};
    words.bytes = {0x00, 0x7c, 0xe0, 0x03, 0x1f, 0x00};
    bmp.data = bmpRows(words, 16, false);
    QCOMPARE(unlike(bmp.file(), primary, PixelForm::Rgb), QString());

    Picture wide(3, 1, 4);
    wide.bytes = {0, 0, 255, 9, 0, 255, 0, 9, 255, 0, 0, 9};
    bmp = {.width = 3, .height = 1, .bits = 32};
    bmp.data = bmpRows(wide, 32, false);
    QCOMPARE(unlike(bmp.file(), primary, PixelForm::Rgb), QString());
    bmp.code = 3;
    bmp.masks = {0xff, 0xff00, 0xff0000};
    std::swap(primary.bytes[0], primary.bytes[2]);
    std::swap(primary.bytes[6], primary.bytes[8]);
    QCOMPARE(unlike(bmp.file(), primary, PixelForm::Rgb), QString());
  }

  void palettesGiveColoursAndIndices() {
    for (const int bits : {1, 4, 8}) {
      Picture indices = tests::colourful(37, 9, 1, 3);
      for (std::uint8_t& value : indices.bytes) value = std::uint8_t(value % (bits == 1 ? 2 : 4));
      Picture colours(37, 9, 3);
      Picture luma(37, 9, 1);
      for (std::size_t i = 0; i < indices.bytes.size(); ++i)
        std::copy_n(kFourColours[indices.bytes[i]].begin(), 3, &colours.bytes[3 * i]);
      rgbToGrey(colours.bytes.data(), luma.bytes.data(), 37 * 9);
      for (const int head : {12, 40}) {
        PlainBmp bmp{.width = 37, .height = 9, .bits = bits, .head = head};
        bmp.palette = kFourColours;
        if (bits == 1) bmp.palette.resize(2);
        bmp.data = bmpRows(indices, bits, false);
        // A header of 12 bytes cannot state the number of entries: they end where the rows begin.
        QCOMPARE(unlike(bmp.file(), indices, PixelForm::Index), QString());
        QCOMPARE(unlike(bmp.file(), colours, PixelForm::Rgb), QString());
        QCOMPARE(unlike(bmp.file(), luma, PixelForm::Grey), QString());
      }
    }
  }

  void runsOf8Bits() {
    Picture indices(6, 3, 1);
    indices.bytes = {0, 0, 0, 0, 0, 2, 1, 2, 3, 0, 0, 0, 3, 3, 3, 3, 3, 3};
    PlainBmp bmp{.width = 6, .height = 3, .bits = 8, .code = 1, .palette = kFourColours};
    bmp.data = {6, 3, 0, 0,        // six times 3; end of the row
                0, 3, 1, 2, 3, 0,  // three literal values, padded to two bytes
                0, 2, 2, 1,        // skip two, one row up
                1, 2, 0, 1};       // one 2; end of the picture
    QCOMPARE(unlike(bmp.file(), indices, PixelForm::Index), QString());
  }

  void runsOf4Bits() {
    Picture indices(5, 2, 1);
    indices.bytes = {1, 2, 1, 2, 1, 3, 2, 1, 0, 0};
    PlainBmp bmp{.width = 5, .height = 2, .bits = 4, .code = 2, .palette = kFourColours};
    bmp.data = {0, 3, 0x32, 0x10, 0, 0, 5, 0x12, 0, 1};
    QCOMPARE(unlike(bmp.file(), indices, PixelForm::Index), QString());
  }

  void runsBeyondTheRowEndThere() {
    Picture indices(3, 2, 1);
    indices.bytes = {2, 2, 2, 1, 1, 1};
    PlainBmp bmp{.width = 3, .height = 2, .bits = 8, .code = 1, .palette = kFourColours};
    bmp.data = {200, 1, 0, 0, 255, 2, 0, 0, 9, 3};
    QCOMPARE(unlike(bmp.file(), indices, PixelForm::Index), QString());
  }

  void cutFilesFailWithTheirLength() {
    const Picture picture = tests::colourful(20, 10, 3, 2);
    const Bytes whole = colourBmp(picture, true).file();
    for (std::size_t bytes = 18; bytes < whole.size(); bytes += 7)
      QCOMPARE(bmpMessage(std::span(whole).first(bytes)),
               "truncated after " + std::to_string(bytes) + " bytes");
    // Above the cut the file is valid, from the top down.
    ImageDecoder decoder;
    const auto cut = std::span(whole).first(whole.size() - 60);
    VERIFY_OK(decoder.open(cut));
    VERIFY_OK(decoder.decode({.region = {0, 0, 20, 9}}));
    PlainBmp runs{.width = 6, .height = 3, .bits = 8, .code = 1, .palette = kFourColours};
    runs.data = {6, 3, 0, 0, 0, 5, 1, 2};
    QVERIFY(bmpMessage(runs.file()).starts_with("truncated after "));
  }

  void whatIsNoBitmapIsSaid() {
    const PlainBmp plain{.width = 4, .height = 4, .data = std::vector<std::uint8_t>(48)};
    const auto with = [&](auto change) {
      PlainBmp bmp = plain;
      change(bmp);
      return bmpMessage(bmp.file());
    };
    QVERIFY(bmpMessage(plain.file()).empty());
    QCOMPARE(with([](PlainBmp& bmp) { bmp.code = 4; }),
             std::string("not supported yet: BMP file with compression 4 and 24 bits"));
    QCOMPARE(with([](PlainBmp& bmp) { bmp.bits = 2; }),
             std::string("not supported yet: BMP file with 2 bits per pixel"));
    QVERIFY(with([](PlainBmp& bmp) { bmp.width = -4; }).starts_with("damaged BMP: a size"));
    QVERIFY(with([](PlainBmp& bmp) { bmp.height = 0; }).starts_with("damaged BMP: a size"));
    QVERIFY(with([](PlainBmp& bmp) {
              bmp.bits = 32;
              bmp.code = 3;
              bmp.masks = {0xff00ff, 0, 0};
            }).starts_with("damaged BMP: invalid bit mask 00ff00ff"));
    QVERIFY(with([](PlainBmp& bmp) { bmp.width = bmp.height = 100000; }).starts_with("declares"));
    QVERIFY(bmpMessage(std::as_bytes(std::span("BMW is no picture at all, is it", 31)))
                .starts_with("not an image"));
  }

  void flippedBitsNeverCrash() {
    std::mt19937 random(7);
    PlainBmp runs{.width = 24, .height = 20, .bits = 8, .code = 1, .palette = kFourColours};
    for (int i = 0; i < 300; ++i) runs.data.push_back(std::uint8_t(random() % 30));
    const std::vector<Bytes> sound = {runs.file(),
                                      colourBmp(tests::colourful(24, 20, 3, 2), false).file()};
    for (int i = 0; i < 2000; ++i) {
      Bytes file = sound[std::size_t(i) % 2];
      for (int n = 0; n < 3; ++n)
        file[random() % (i % 3 == 0 ? 54 : file.size())] ^= std::byte(1U << random() % 8);
      ImageDecoder decoder({.pixels = 1 << 20});
      if (decoder.open(file)) (void)decoder.decode({});
    }
  }
};

}  // namespace millrace

using millrace::TestBmp;
MILLRACE_TEST_CASE(TestBmp)
#include "tst_bmp.moc"
