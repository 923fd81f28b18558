// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include "core/codecs/codec.h"
#include "core/codecs/encode.h"
#include "tests/core/codecs/plain_jpeg.h"
#include "tests/core/codecs/plain_png.h"
#include "tests/support/test_case.h"

namespace millrace {
using tests::Picture;
using tests::PlainPng;
using tests::writePlainPng;

namespace {

using Bytes = std::vector<std::byte>;
using Values = std::vector<int>;

/// Every sample of the image, row by row.
Values samples(ImageView view) {
  Values values;
  for (int y = 0; y < view.height; ++y)
    for (int i = 0; i < view.width * view.channels; ++i) values.push_back(view.row(y)[i]);
  return values;
}

Values decoded(const Bytes& file, PixelForm form, Rect region = {}) {
  ImageDecoder decoder;
  const auto info = decoder.open(file);
  if (!info) {
    qWarning("%s", info.error().message.c_str());
    return {};
  }
  const auto image = decoder.decode({.region = region, .form = form});
  if (!image) {
    qWarning("%s", image.error().message.c_str());
    return {};
  }
  return samples(image->pixels);
}

std::string messageOf(const Bytes& file, const DecodeRequest& request = {}) {
  ImageDecoder decoder;
  const auto info = decoder.open(file);
  if (!info) return info.error().message;
  const auto image = decoder.decode(request);
  return image.ok() ? "" : image.error().message;
}

constexpr PixelForm kIndex = PixelForm::Index;
constexpr PixelForm kGrey = PixelForm::Grey;
constexpr PixelForm kRgb = PixelForm::Rgb;

/// 8 x 8 grey with samples 8 y + x, in the passes of Adam7 (ISO 15948, section 8.2).
PlainPng adam7() {
  struct Pass {
    int x0, y0, dx, dy;
  };
  const Pass passes[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                         {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
  PlainPng png{.width = 8, .height = 8, .interlaced = true};
  for (const Pass& pass : passes)
    for (int y = pass.y0; y < 8; y += pass.dy) {
      std::vector<std::uint8_t> row;
      for (int x = pass.x0; x < 8; x += pass.dx) row.push_back(std::uint8_t(8 * y + x));
      png.rows.push_back(row);
    }
  return png;
}

PlainPng tall(int height) {
  PlainPng png{.width = 4, .height = height, .idatBytes = 40};
  for (int y = 0; y < height; ++y)
    png.rows.push_back(std::vector<std::uint8_t>(4, std::uint8_t(y)));
  return png;
}

}  // namespace

class TestPng : public QObject {
  Q_OBJECT
 private slots:
  void greyOfFewBitsIsScaledToTheFullRangeExceptAsIndex() {
    const Bytes one = writePlainPng({.width = 3, .bitDepth = 1, .rows = {{0b10100000}}});
    QCOMPARE(decoded(one, kIndex), (Values{1, 0, 1}));
    QCOMPARE(decoded(one, kGrey), (Values{255, 0, 255}));
    QCOMPARE(decoded(one, kRgb), (Values{255, 255, 255, 0, 0, 0, 255, 255, 255}));
    const Bytes two = writePlainPng({.width = 4, .bitDepth = 2, .rows = {{0b00011011}}});
    QCOMPARE(decoded(two, kIndex), (Values{0, 1, 2, 3}));
    QCOMPARE(decoded(two, kGrey), (Values{0, 85, 170, 255}));
    const Bytes four = writePlainPng({.width = 3, .bitDepth = 4, .rows = {{0x1f, 0x80}}});
    QCOMPARE(decoded(four, kIndex), (Values{1, 15, 8}));
    QCOMPARE(decoded(four, kGrey), (Values{17, 255, 136}));
    const Bytes eight = writePlainPng({.width = 3, .bitDepth = 8, .rows = {{1, 15, 200}}});
    QCOMPARE(decoded(eight, kIndex), (Values{1, 15, 200}));
    QCOMPARE(decoded(eight, kGrey), (Values{1, 15, 200}));
  }

  void palettesGiveIndicesOrColours() {
    const std::vector<std::array<std::uint8_t, 3>> colours{
        {255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {10, 20, 30}};
    // Luma: 0.299 x 255 = 76.2, 0.587 x 255 = 149.7, 0.114 x 255 = 29.1, 18.15.
    const Values luma{76, 150, 29, 18};
    for (const int bits : {2, 4, 8}) {
      PlainPng png{.width = 4, .bitDepth = bits, .colourType = 3, .palette = colours};
      png.rows = {bits == 2   ? std::vector<std::uint8_t>{0b00011011}
                  : bits == 4 ? std::vector<std::uint8_t>{0x01, 0x23}
                              : std::vector<std::uint8_t>{0, 1, 2, 3}};
      png.transparency = {0, 255};  // Never applied.
      const Bytes file = writePlainPng(png);
      ImageDecoder decoder;
      const auto info = decoder.open(file);
      VERIFY_OK(info);
      QVERIFY(info->isPalette);
      QCOMPARE(info->storedChannels, 1);
      QCOMPARE(info->bitDepth, bits);
      QCOMPARE(decoded(file, kIndex), (Values{0, 1, 2, 3}));
      QCOMPARE(decoded(file, kRgb), (Values{255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30}));
      QCOMPARE(decoded(file, kGrey), luma);
      QCOMPARE(decoded(file, kIndex, {1, 0, 2, 1}), (Values{1, 2}));
    }
  }

  void sixteenBitsAreRoundedToEight() {
    // 0x0080 = 128 rounds to 0 and 129 to 1 (a step is 257); 0xfe7e to 253, 0xfe7f to 254.
    const Bytes grey =
        writePlainPng({.width = 5,
                       .bitDepth = 16,
                       .rows = {{0x00, 0x80, 0x00, 0x81, 0xff, 0xff, 0xfe, 0x7d, 0xfe, 0x7e}}});
    QCOMPARE(decoded(grey, kGrey), (Values{0, 1, 255, 253, 254}));
    QCOMPARE(decoded(grey, kGrey, {1, 0, 2, 1}), (Values{1, 255}));
    const Bytes colour = writePlainPng({.width = 1,
                                        .bitDepth = 16,
                                        .colourType = 6,
                                        .rows = {{0x01, 0x01, 0x80, 0x80, 0xff, 0xff, 0, 0}}});
    QCOMPARE(decoded(colour, kRgb), (Values{1, 128, 255}));
    QCOMPARE(decoded(colour, kIndex), (Values{1, 128, 255}));
    // (19595 + 128 x 38470 + 255 x 7471 + 32768) >> 16
    QCOMPARE(decoded(colour, kGrey), (Values{105}));
  }

  void aSixteenBitMaskKeepsItsValuesOrFails() {
    const Bytes small =
        writePlainPng({.width = 2, .bitDepth = 16, .rows = {{0x00, 0x07, 0x00, 0xff}}});
    QCOMPARE(decoded(small, kIndex), (Values{7, 255}));
    const Bytes large = writePlainPng({.width = 1, .bitDepth = 16, .rows = {{0x01, 0x00}}});
    QCOMPARE(messageOf(large, {.form = kIndex}),
             std::string("the 16-bit value 256 does not fit an 8-bit mask"));
  }

  void alphaIsDropped() {
    const Bytes rgba =
        writePlainPng({.width = 2, .colourType = 6, .rows = {{10, 20, 30, 0, 40, 50, 60, 128}}});
    QCOMPARE(decoded(rgba, kRgb), (Values{10, 20, 30, 40, 50, 60}));
    QCOMPARE(decoded(rgba, kIndex), (Values{10, 20, 30, 40, 50, 60}));
    const Bytes greyAlpha =
        writePlainPng({.width = 2, .colourType = 4, .rows = {{10, 0, 20, 255}}});
    QCOMPARE(decoded(greyAlpha, kGrey), (Values{10, 20}));
    QCOMPARE(decoded(greyAlpha, kIndex), (Values{10, 20}));
    QCOMPARE(decoded(greyAlpha, kRgb), (Values{10, 10, 10, 20, 20, 20}));
    const Bytes marked = writePlainPng(
        {.width = 1, .colourType = 2, .rows = {{1, 2, 3}}, .transparency = {0, 1, 0, 2, 0, 3}});
    QCOMPARE(decoded(marked, kRgb), (Values{1, 2, 3}));
  }

  void interlacedFilesDecodeLikeOthers() {
    const Bytes file = writePlainPng(adam7());
    Values all;
    for (int i = 0; i < 64; ++i) all.push_back(i);
    QCOMPARE(decoded(file, kIndex), all);
    QCOMPARE(decoded(file, kGrey, {3, 5, 2, 2}), (Values{43, 44, 51, 52}));
    QCOMPARE(decoded(file, kRgb, {7, 7, 1, 1}), (Values{63, 63, 63}));
  }

  /// The decoder's memory still holds the previous file.
  void interlacedFilesOfFewBitsDecodeInMemoryThatWasUsed() {
    PlainPng few = adam7();
    few.bitDepth = 4;
    for (std::vector<std::uint8_t>& row : few.rows) {
      std::vector<std::uint8_t> packed((row.size() + 1) / 2);
      for (std::size_t i = 0; i < row.size(); ++i)
        packed[i / 2] |= std::uint8_t((row[i] & 15U) << (i % 2 == 0 ? 4U : 0U));
      row = packed;
    }
    const Bytes before = writePlainPng(adam7());
    const Bytes file = writePlainPng(few);
    Values wanted;
    for (int i = 0; i < 64; ++i) wanted.push_back(i & 15);
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(before));
    VERIFY_OK(decoder.decode({.form = kIndex}));
    VERIFY_OK(decoder.open(file));
    const auto image = decoder.decode({.form = kIndex});
    VERIFY_OK(image);
    QCOMPARE(samples(image->pixels), wanted);
  }

  void aRegionHasThePixelsOfTheWhole() {
    for (const int channels : {1, 3, 4}) {
      const Picture picture = tests::colourful(57, 43, channels, 1);
      const auto file = encodePng(picture.view());
      VERIFY_OK(file);
      for (const PixelForm form : {kRgb, kGrey, kIndex}) {
        ImageDecoder decoder;
        VERIFY_OK(decoder.open(*file));
        const auto whole = decoder.decode({.form = form});
        VERIFY_OK(whole);
        const int deep = whole->pixels.channels;
        const Values all = samples(whole->pixels);
        for (const Rect region : {Rect{0, 0, 57, 43}, Rect{5, 7, 20, 30}, Rect{0, 40, 57, 3},
                                  Rect{56, 42, 1, 1}, Rect{1, 0, 56, 1}}) {
          const auto part = decoder.decode({.region = region, .form = form});
          VERIFY_OK(part);
          for (int y = 0; y < region.height; ++y)
            for (int i = 0; i < region.width * deep; ++i)
              QCOMPARE(part->pixels.row(y)[i],
                       all[std::size_t((region.y + y) * 57 + region.x) * std::size_t(deep) +
                           std::size_t(i)]);
        }
      }
    }
  }

  void encodedFilesComeBackExactly() {
    for (const int level : {0, 1, 9})
      for (const int channels : {1, 3}) {
        const Picture picture = tests::colourful(57, 43, channels, 2);
        const auto file = encodePng(picture.view(), {.level = level, .palette = {}});
        VERIFY_OK(file);
        QCOMPARE(decoded(*file, kIndex), samples(picture.view()));
      }
    std::array<std::array<std::uint8_t, 3>, 200> colours{};
    for (std::size_t i = 0; i < 200; ++i) colours[i] = {std::uint8_t(i), 7, std::uint8_t(255 - i)};
    Picture indices(5, 1, 1);
    indices.bytes = {0, 1, 199, 100, 3};
    const auto file = encodePng(indices.view(), {.palette = colours});
    VERIFY_OK(file);
    QCOMPARE(decoded(*file, kIndex), (Values{0, 1, 199, 100, 3}));
    QCOMPARE(decoded(*file, kRgb, {2, 0, 1, 1}), (Values{199, 7, 56}));
  }

  void orientationComesFromTheExifChunk() {
    PlainPng png{.width = 3, .height = 2, .rows = {{1, 2, 3}, {4, 5, 6}}};
    png.exif = {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3,
                0,   1,   0,  0, 0, 6, 0, 0, 0, 0, 0,    0, 0};
    const Bytes file = writePlainPng(png);
    ImageDecoder decoder;
    const auto info = decoder.open(file);
    VERIFY_OK(info);
    QCOMPARE(info->orientation, 6);
    QCOMPARE(info->size.width, 2);
    QCOMPARE(info->storedSize.width, 3);
    QCOMPARE(decoded(file, kIndex), (Values{4, 1, 5, 2, 6, 3}));
    QCOMPARE(decoded(file, kIndex, {1, 1, 1, 2}), (Values{2, 3}));
  }

  void aNonsensicalOrientationIsNone() {
    for (const std::uint8_t value : {0, 9, 255}) {
      PlainPng png{.width = 1, .rows = {{1}}};
      png.exif = {'M', 'M', 0, 42, 0, 0, 0,     8, 0, 1, 1, 0x12, 0,
                  3,   0,   0, 0,  1, 0, value, 0, 0, 0, 0, 0,    0};
      const Bytes file = writePlainPng(png);
      ImageDecoder decoder;
      const auto info = decoder.open(file);
      VERIFY_OK(info);
      QCOMPARE(info->orientation, 1);
    }
  }

  void truncatedDataIsAnErrorWithItsPlace() {
    const Bytes file = writePlainPng(tall(60));
    for (const std::size_t size : {20UL, 60UL, file.size() / 2}) {
      const Bytes cut(file.begin(), file.begin() + std::ptrdiff_t(size));
      QCOMPARE(messageOf(cut), "truncated after " + std::to_string(size) + " bytes");
    }
    const Bytes endless(file.begin(), file.begin() + std::ptrdiff_t(tests::chunkAt(file, "IEND")));
    QCOMPARE(messageOf(endless), std::string());
  }

  void aTruncatedFileIsGreyWhereItEndsIfAsked() {
    const Bytes file = writePlainPng(tall(60));
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(file));
    const auto whole = decoder.decode({});
    VERIFY_OK(whole);
    const Picture sound = tests::copyOf(whole->pixels);
    const Bytes cut(file.begin(), file.begin() + std::ptrdiff_t(file.size() / 2));
    VERIFY_OK(decoder.open(cut));
    const auto filled = decoder.decode({.fillTruncated = true});
    VERIFY_OK(filled);
    QCOMPARE(filled->warnings, 1);
    const int last = sound.height - 1;
    for (int i = 0; i < 3 * sound.width; ++i) {
      QCOMPARE(filled->pixels.row(0)[i], sound.view().row(0)[i]);
      QCOMPARE(int(filled->pixels.row(last)[i]), 128);
    }
    QVERIFY(!decoder.decode({}).ok());
  }

  /// Most writers put all data into one chunk, which libspng takes whole.
  void aFileThatIsCutInItsOnlyChunkOfDataIsGreyFromThere() {
    const tests::Picture sound = tests::colourful(60, 50, 3, 1);
    const auto written = encodePng(sound.view());
    VERIFY_OK(written);
    const Bytes file(written->begin(), written->end());
    const Bytes cut(file.begin(), file.begin() + std::ptrdiff_t(file.size() * 2 / 3));
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(cut));
    const auto filled = decoder.decode({.fillTruncated = true});
    VERIFY_OK(filled);
    QCOMPARE(filled->warnings, 1);
    for (int i = 0; i < 3 * sound.width; ++i) {
      QCOMPARE(filled->pixels.row(10)[i], sound.view().row(10)[i]);
      QCOMPARE(int(filled->pixels.row(sound.height - 1)[i]), 128);
    }
    QVERIFY(!decoder.decode({}).ok());
  }

  void aWrongCheckSumIsAnError() {
    Bytes file = writePlainPng(tall(60));
    file[tests::chunkAt(file, "IDAT", 3) + 20] ^= std::byte{1};
    QVERIFY(messageOf(file).starts_with("damaged PNG: invalid chunk checksum at row "));
  }

  void damageBelowTheRegionGoesUnnoticed() {
    Bytes file = writePlainPng(tall(60));
    file[tests::chunkAt(file, "IDAT", 5) + 20] ^= std::byte{1};
    QVERIFY(!messageOf(file).empty());
    QCOMPARE(messageOf(file, {.region = {0, 0, 4, 20}}), std::string());
  }

  void implausibleSizesAreRefusedBeforeMemoryIsTaken() {
    PlainPng png{.width = 60000, .height = 4000, .rows = {{1, 2, 3}}};
    QVERIFY(messageOf(writePlainPng(png)).starts_with("declares 60000 x 4000 pixels, which "));
    png.width = 2000000;
    png.height = 1000000;
    QCOMPARE(
        messageOf(writePlainPng(png)),
        std::string("declares 2000000 x 1000000 pixels, but only 268 435 456 in all are allowed"));
  }

  void foreignFilesAreNamed() {
    const auto said = [](std::string_view text) {
      const auto* first = reinterpret_cast<const std::byte*>(text.data());
      return messageOf(Bytes(first, first + text.size()));
    };
    QCOMPARE(said(""), std::string("it is empty"));
    QCOMPARE(said("<htm"), std::string("not an image: first bytes 3c 68 74 6d"));
    QCOMPARE(said("x"), std::string("not an image: first bytes 78"));
    for (const char* page : {"<!DOCTYPE html><html>", "\n <HTML lang=\"en\">"})
      QCOMPARE(said(page),
               std::string("a web page (HTML) instead of the picture; download the file "
                           "again"));
    QCOMPARE(said("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"),
             std::string("a pointer of Git LFS instead of the picture; fetch the files with `git "
                         "lfs pull`"));
    QCOMPARE(said("8BPS...."), std::string("not supported yet: Photoshop file"));
    QCOMPARE(said("P6\n1 1\n255\n"), std::string("not supported yet: PNM file"));
    QCOMPARE(said("\x0a\x05\x01\x08"), std::string("not supported yet: PCX file"));
    QCOMPARE(said("<?xml version=\"1.0\"?>\n<svg width=\"4\"/>"),
             std::string("not supported yet: SVG file"));
  }
};

}  // namespace millrace

using millrace::TestPng;
MILLRACE_TEST_CASE(TestPng)
#include "tst_png.moc"
