// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>
#include <string>

#include <tiffio.h>

#include "core/codecs/codec.h"
#include "core/codecs/parts/tiff_file.h"
#include "core/codecs/pixel_rows.h"
#include "core/codecs/tiff_pages.h"
#include "tests/core/codecs/codec_checks.h"
#include "tests/core/codecs/plain_tiff.h"
#include "tests/support/test_case.h"

namespace millrace {
using tests::Picture;
using tests::PlainTiff;

namespace {

using Bytes = std::vector<std::byte>;

struct TiffKind {
  const char* name;
  PlainTiff how;
  int channels = 3;
};

std::vector<std::uint64_t> pagesOf(const Bytes& file) {
  return tiffPages([&](std::uint64_t offset, std::span<std::byte> to) -> std::size_t {
    if (offset >= file.size()) return 0;
    const std::size_t count = std::min<std::size_t>(to.size(), file.size() - offset);
    std::copy_n(file.begin() + std::ptrdiff_t(offset), count, to.begin());
    return count;
  });
}

std::vector<TiffKind> tiffKinds() {
  const int white = PHOTOMETRIC_MINISWHITE;
  const int black = PHOTOMETRIC_MINISBLACK;
  return {
      {"rgb", {}},
      {"rgb big-endian", {.mode = "wb"}},
      {"rgb BigTIFF", {.mode = "w8"}},
      {"rgb 16 bit", {.bits = 16}},
      {"rgb 16 bit big-endian", {.bits = 16, .mode = "wb"}},
      {"rgb LZW", {.compression = COMPRESSION_LZW}},
      {"rgb deflate", {.compression = COMPRESSION_ADOBE_DEFLATE, .rowsPerStrip = 100}},
      {"rgb tiles", {.compression = COMPRESSION_LZW, .tile = 16}},
      {"rgb planes", {.planes = true}},
      {"rgb planes in tiles", {.planes = true, .tile = 32}},
      {"rgb and alpha", {.compression = COMPRESSION_PACKBITS}, 4},
      {"jpeg",
       {.photometric = PHOTOMETRIC_YCBCR, .compression = COMPRESSION_JPEG, .rowsPerStrip = 16}},
      {"grey", {.photometric = black}, 1},
      {"grey 16 bit", {.bits = 16, .photometric = black}, 1},
      {"white is zero", {.photometric = white}, 1},
      {"fax", {.bits = 1, .photometric = white, .compression = COMPRESSION_CCITTFAX4}, 1},
      {"grey 4 bit", {.bits = 4, .photometric = black}, 1},
      {"palette 8", {.photometric = PHOTOMETRIC_PALETTE}, 1},
      {"palette 2", {.bits = 2, .photometric = PHOTOMETRIC_PALETTE}, 1},
  };
}

Picture tiffPicture(const TiffKind& kind, int width, int height) {
  Picture picture = tests::colourful(width, height, kind.channels, 5);
  for (std::uint8_t& value : picture.bytes) {
    if (kind.how.bits < 8) value = std::uint8_t(value >> (8 - kind.how.bits));
    if (kind.how.photometric == PHOTOMETRIC_PALETTE) value %= 4;
  }
  return picture;
}

Bytes tiffOf(TiffKind kind, const Picture& picture) {
  kind.how.palette = {{1, 2, 3}, {200, 30, 40}, {50, 255, 70}, {80, 90, 180}};
  return writePlainTiff(picture, kind.how);
}

/// Written by hand, with the directory first: one uncompressed strip with this many bytes.
Bytes greyStrip(std::uint32_t width, std::uint32_t height, std::uint32_t bytes) {
  Bytes file;
  const auto put = [&file](std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) file.push_back(std::byte(value >> (8 * i)));
  };
  const std::vector<std::array<std::uint32_t, 2>> entries = {
      {TIFFTAG_IMAGEWIDTH, width},
      {TIFFTAG_IMAGELENGTH, height},
      {TIFFTAG_BITSPERSAMPLE, 8},
      {TIFFTAG_COMPRESSION, COMPRESSION_NONE},
      {TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK},
      {TIFFTAG_STRIPOFFSETS, 0},
      {TIFFTAG_SAMPLESPERPIXEL, 1},
      {TIFFTAG_ROWSPERSTRIP, height},
      {TIFFTAG_STRIPBYTECOUNTS, bytes}};
  put(0x002a4949, 4);
  put(8, 4);
  put(entries.size(), 2);
  const std::size_t begin = 10 + entries.size() * 12 + 4;
  for (const auto& [tag, value] : entries) {
    put(tag, 2);
    put(TIFF_LONG, 2);
    put(1, 4);
    put(tag == TIFFTAG_STRIPOFFSETS ? begin : value, 4);
  }
  put(0, 4);
  for (std::uint32_t i = 0; i < bytes; ++i) file.push_back(std::byte(i));
  return file;
}

/// The reference: the library's simplest call, without alpha.
Picture readByLibtiff(const Bytes& file) {
  TiffFile tiff;
  if (!tiff.open(file).ok()) return {0, 0, 3};
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height);
  std::vector<std::uint32_t> raster(std::size_t(width) * height);
  Picture picture(int(width), int(height), 3);
  if (TIFFReadRGBAImageOriented(tiff.get(), width, height, raster.data(), ORIENTATION_TOPLEFT, 1))
    for (std::size_t i = 0; i < raster.size(); ++i) {
      picture.bytes[3 * i] = std::uint8_t(TIFFGetR(raster[i]));
      picture.bytes[3 * i + 1] = std::uint8_t(TIFFGetG(raster[i]));
      picture.bytes[3 * i + 2] = std::uint8_t(TIFFGetB(raster[i]));
    }
  return picture;
}

std::string tiffMessage(std::span<const std::byte> file) {
  ImageDecoder decoder;
  const auto info = decoder.open(file);
  if (!info) return info.error().message;
  const auto image = decoder.decode({});
  return image ? "" : image.error().message;
}

}  // namespace

class TestTiff : public QObject {
  Q_OBJECT
 private slots:
  void everyRegionHasThePixelsOfTheLibrary() {
    std::mt19937 random(1);
    for (const TiffKind& kind : tiffKinds())
      for (const Size size : {Size{75, 51}, Size{16, 16}, Size{3, 7}}) {
        const Bytes file = tiffOf(kind, tiffPicture(kind, size.width, size.height));
        const Picture whole = readByLibtiff(file);
        ImageDecoder decoder;
        const auto info = decoder.open(file);
        VERIFY_OK(info);
        QVERIFY(info->format == "TIFF" && info->size == size);
        QCOMPARE(info->storedChannels, kind.channels);
        QCOMPARE(info->bitDepth, kind.how.bits);
        for (int i = 0; i < 60; ++i) {
          Rect region{0, 0, size.width, size.height};
          if (i > 0) region = tests::randomRegion(random, size);
          const auto image = decoder.decode({.region = region});
          VERIFY_OK(image);
          const QString found = difference(image->pixels, whole, region.x, region.y);
          QVERIFY2(found.isEmpty(), qPrintable(QString(kind.name) + ": " + found));
        }
      }
  }

  void masksKeepWhatIsStored() {
    for (const TiffKind& kind : tiffKinds()) {
      if (kind.channels != 1 || kind.how.bits == 16) continue;
      const Picture picture = tiffPicture(kind, 40, 21);
      const Bytes file = tiffOf(kind, picture);
      ImageDecoder decoder;
      VERIFY_OK(decoder.open(file));
      const auto image = decoder.decode({.region = {3, 2, 30, 15}, .form = PixelForm::Index});
      VERIFY_OK(image);
      QCOMPARE(image->pixels.channels, 1);
      const QString found = difference(image->pixels, picture, 3, 2);
      QVERIFY2(found.isEmpty(), qPrintable(QString(kind.name) + ": " + found));
    }
  }

  void masksOf16BitsMustFitAByte() {
    const TiffKind kind{"", {.bits = 16, .photometric = PHOTOMETRIC_MINISBLACK}, 1};
    Picture picture(4, 3, 1);
    const Bytes sound = tiffOf(kind, picture);
    picture.at(2, 1) = 7;  // 7 * 257
    const Bytes large = tiffOf(kind, picture);
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(sound));
    VERIFY_OK(decoder.decode({.form = PixelForm::Index}));
    VERIFY_OK(decoder.open(large));
    const auto image = decoder.decode({.form = PixelForm::Index});
    QVERIFY(!image);
    QCOMPARE(image.error().message,
             std::string("the 16-bit value 1799 does not fit an 8-bit mask"));
  }

  void greyIsTheLumaOfTheColours() {
    const Picture picture = tests::colourful(33, 20, 3, 2);
    Picture luma(33, 20, 1);
    rgbToGrey(picture.bytes.data(), luma.bytes.data(), 33 * 20);
    const Bytes file = writePlainTiff(picture, {.compression = COMPRESSION_LZW});
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(file));
    const auto image = decoder.decode({.region = {3, 5, 20, 10}, .form = PixelForm::Grey});
    VERIFY_OK(image);
    QVERIFY(difference(image->pixels, luma, 3, 5).isEmpty());
  }

  /// In each byte order and in BigTIFF, every page is the only one of its file.
  void pagesAreSelectedByTheirDirectories() {
    const std::vector<Picture> pages{tests::colourful(9, 7, 3, 1), tests::colourful(5, 8, 3, 2),
                                     tests::colourful(4, 3, 3, 3), tests::colourful(12, 2, 3, 4)};
    for (const char* mode : {"wl", "wb", "wl8", "wb8"}) {
      const Bytes file = writePlainPages(pages, {.mode = mode, .smaller = {2}});
      const auto found = pagesOf(file);
      QCOMPARE(found.size(), std::size_t{3});
      for (std::size_t i = 0; i < 3; ++i) {
        Bytes page = file;
        QVERIFY(selectTiffPage(page, found[i]));
        QCOMPARE(pagesOf(page), std::vector{found[i]});
        ImageDecoder decoder;
        const auto info = decoder.open(page);
        VERIFY_OK(info);
        QVERIFY(!info->reduced.any());
        const auto image = decoder.decode({});
        VERIFY_OK(image);
        QVERIFY(difference(image->pixels, pages[i < 2 ? i : 3], 0, 0).isEmpty());
      }
    }
  }

  void damagedChainsOfPagesEnd() {
    const Bytes file = writePlainPages(std::vector<Picture>(3, tests::colourful(5, 4, 3, 1)), {});
    const auto found = pagesOf(file);
    QCOMPARE(found.size(), std::size_t{3});
    Bytes loop = file;  // The second page is followed by the first.
    const std::size_t next = found[1] + 2 + 12 * std::to_integer<std::size_t>(file[found[1]]);
    for (std::size_t i = 0; i < 4; ++i) loop[next + i] = std::byte(found[0] >> 8 * i & 0xff);
    QCOMPARE(pagesOf(loop).size(), std::size_t{2});
    Bytes alone = file;  // The first page points to itself as the next.
    const std::size_t first = found[0] + 2 + 12 * std::to_integer<std::size_t>(file[found[0]]);
    for (std::size_t i = 0; i < 4; ++i) alone[first + i] = std::byte(found[0] >> 8 * i & 0xff);
    ImageDecoder decoder;
    for (const auto& [bytes, several] : {std::pair(&loop, true), {&alone, false}}) {
      const auto info = decoder.open(*bytes);
      VERIFY_OK(info);
      QCOMPARE(info->reduced.has(Reduction::Pages), several);
    }
    QVERIFY(!selectTiffPage(loop, file.size() - 3));
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i) {
      Bytes damaged = file;
      damaged[random() % damaged.size()] ^= std::byte(1U << random() % 8U);
      damaged.resize(1 + random() % damaged.size());
      for (const std::uint64_t page : pagesOf(damaged)) (void)selectTiffPage(damaged, page);
    }
    QVERIFY(pagesOf(Bytes(100, std::byte{'I'})).empty());
  }

  void transparentPixelsShowTheBackground() {
    for (const PlainTiff& how : {PlainTiff{}, PlainTiff{.bits = 16}, PlainTiff{.planes = true},
                                 PlainTiff{.compression = COMPRESSION_LZW, .tile = 16},
                                 PlainTiff{.photometric = PHOTOMETRIC_MINISBLACK}}) {
      const bool isGrey = how.photometric == PHOTOMETRIC_MINISBLACK;
      const Picture drawn = tests::colourful(37, 22, isGrey ? 2 : 4, 3);
      PlainTiff with = how;
      with.alpha = EXTRASAMPLE_UNASSALPHA;
      tests::checkBackground(writePlainTiff(drawn, with), drawn);
    }
  }

  /// 60 of alpha 120 is a colour of 127 or 128 at 47 %, which leaves 53 % of the background.
  void multipliedAlphaIsNotAppliedTwice() {
    Picture drawn(4, 4, 4);
    for (std::size_t i = 0; i < drawn.bytes.size(); ++i) drawn.bytes[i] = i % 4 == 3 ? 120 : 60;
    const Bytes file = writePlainTiff(drawn, {.alpha = EXTRASAMPLE_ASSOCALPHA});
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(file));
    const auto image = decoder.decode({.background = {{255, 255, 255}}});
    VERIFY_OK(image);
    QVERIFY(std::abs(image->pixels.row(2)[4] - (60 + 135)) <= 1);
  }

  void inksAreTakenAsCmyk() {
    Picture picture(2, 1, 4);
    picture.bytes = {255, 0, 0, 0, 0, 0, 0, 255};  // cyan, black
    const Bytes file = writePlainTiff(picture, {.photometric = PHOTOMETRIC_SEPARATED});
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(file));
    const auto image = decoder.decode({});
    VERIFY_OK(image);
    const std::vector<std::uint8_t> rgb(image->pixels.data, image->pixels.data + 6);
    QCOMPARE(rgb, (std::vector<std::uint8_t>{0, 255, 255, 0, 0, 0}));
  }

  void orientationIsTheTag() {
    const Bytes file = writePlainTiff(tests::colourful(9, 4, 3, 2), {.orientation = 6});
    ImageDecoder decoder;
    const auto info = decoder.open(file);
    VERIFY_OK(info);
    QCOMPARE(info->orientation, 6);
    QCOMPARE(info->size.width, 4);
    const auto image = decoder.decode({});
    VERIFY_OK(image);
    QCOMPARE(image->pixels.height, 9);
  }

  void otherKindsAreNamed() {
    const Picture grey(4, 4, 1);
    QCOMPARE(tiffMessage(writePlainTiff(Picture(4, 4, 3), {.photometric = PHOTOMETRIC_CIELAB})),
             std::string("not supported yet: TIFF file with Lab colours"));
    QCOMPARE(
        tiffMessage(writePlainTiff(
            grey, {.photometric = PHOTOMETRIC_MINISBLACK, .sampleFormat = SAMPLEFORMAT_INT})),
        std::string("it holds signed numbers of 8 bits, which have no colours; set decode.form to "
                    "stored"));
  }

  void cutFilesFailWithTheirLength() {
    const Bytes whole = greyStrip(20, 10, 200);
    QVERIFY(tiffMessage(whole).empty());
    for (std::size_t bytes = whole.size() - 200; bytes < whole.size(); ++bytes)
      QCOMPARE(tiffMessage(std::span(whole).first(bytes)),
               "truncated after " + std::to_string(bytes) + " bytes");
    for (std::size_t bytes = 4; bytes + 200 < whole.size(); ++bytes)
      QVERIFY2(!tiffMessage(std::span(whole).first(bytes)).empty(), std::to_string(bytes).c_str());
  }

  void aRegionAboveTheCutIsSound() {
    const Bytes whole = writePlainTiff(tests::colourful(20, 40, 3, 1), {.rowsPerStrip = 4});
    const Picture picture = readByLibtiff(whole);
    Bytes file = whole;
    // libtiff writes the strips in order, followed by the directory.
    std::fill(file.begin() + 8 + 20 * 3 * 30, file.begin() + 8 + 20 * 3 * 40, std::byte(0));
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(file));
    const auto image = decoder.decode({.region = {0, 0, 20, 30}});
    VERIFY_OK(image);
    QVERIFY(difference(image->pixels, picture, 0, 0).isEmpty());
  }

  void headsThatPromiseTooMuchAreRefused() {
    QVERIFY(tiffMessage(greyStrip(1 << 20, 1 << 20, 10)).starts_with("declares 1048576 x"));
    QVERIFY(tiffMessage(greyStrip(0, 5, 10)).starts_with("damaged TIFF"));
    QVERIFY(!tiffMessage(greyStrip(16000, 16000, 10)).empty());
  }

  void flippedBitsNeverCrash() {
    std::mt19937 random(7);
    for (const TiffKind& kind : tiffKinds()) {
      const Bytes whole = tiffOf(kind, tiffPicture(kind, 24, 20));
      for (int i = 0; i < 200; ++i) {
        Bytes file = whole;
        for (int n = 0; n < 4; ++n) file[random() % file.size()] ^= std::byte(1U << random() % 8);
        ImageDecoder decoder({.pixels = 1 << 20});
        const auto info = decoder.open(file);
        if (info) (void)decoder.decode({});
      }
    }
  }
};

}  // namespace millrace

using millrace::TestTiff;
MILLRACE_TEST_CASE(TestTiff)
#include "tst_tiff.moc"
