// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>

#include "core/codecs/codec.h"
#include "core/codecs/encode.h"
#include "tests/core/codecs/plain_jpeg.h"
#include "tests/support/real_data.h"
#include "tests/support/test_case.h"

namespace millrace {
using tests::difference;
using tests::NamedJpeg;
using tests::Picture;
using tests::PlainJpeg;

namespace {

using Bytes = std::vector<std::byte>;

std::vector<NamedJpeg> samplings() {
  std::vector<NamedJpeg> cases{
      {"444", {1, 1}}, {"422", {2, 1}}, {"440", {1, 2}},     {"420", {2, 2}},
      {"411", {4, 1}}, {"441", {1, 4}}, {"410", {4, 2}},     {"2x4", {2, 4}},
      {"3x1", {3, 1}}, {"3x2", {3, 2}}, {"grey", {1, 1}, 1}, {"grey 2x2", {2, 2}, 1},
  };
  const std::size_t plain = cases.size();
  for (std::size_t i = 0; i < plain; ++i) {
    NamedJpeg progressive = cases[i];
    progressive.how.progressive = true;
    cases.push_back(progressive);
    NamedJpeg restarting = cases[i];
    restarting.how.restartRows = 1;
    cases.push_back(restarting);
  }
  cases.push_back({"separate scans", {.horizontal = 2, .vertical = 2, .separateScans = true}});
  cases.push_back({"arithmetic", {2, 2, false, true}});
  cases.push_back({"arithmetic progressive", {2, 2, true, true}});
  return cases;
}

Rect randomRegion(std::mt19937& random, Size size) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Rect region;
  region.width = 1 + below(size.width);
  region.height = 1 + below(size.height);
  region.x = below(size.width - region.width + 1);
  region.y = below(size.height - region.height + 1);
  return region;
}

/// Decodes random regions at every scale and compares each with the whole picture.
QString regionsDiffer(ImageDecoder& decoder, const Bytes& file, int channels, unsigned seed) {
  const Result<ImageInfo> info = decoder.open(file);
  if (!info) return QString::fromStdString(info.error().message);
  std::vector<Picture> wholes;
  for (const int scale : {1, 2, 4, 8})
    wholes.push_back(tests::readPlainJpeg(file, scale, channels));
  std::mt19937 random(seed);
  for (int i = 0; i < 60; ++i) {
    DecodeRequest request;
    request.form = PixelForm::Index;
    request.applyOrientation = false;
    request.region = randomRegion(random, info->storedSize);
    const int scale = 1 << (random() % 4U);
    request.cover = {request.region.width / scale, request.region.height / scale};
    const Result<DecodedImage> image = decoder.decode(request);
    if (!image) return QString::fromStdString(image.error().message);
    const Picture& whole = wholes[image->scale == 1   ? 0
                                  : image->scale == 2 ? 1
                                  : image->scale == 4 ? 2
                                                      : 3];
    const QString found = difference(image->pixels, whole, request.region.x / image->scale,
                                     request.region.y / image->scale);
    if (!found.isEmpty()) return QString("scale %1: ").arg(image->scale) + found;
  }
  return {};
}

std::string messageOf(ImageDecoder& decoder, std::span<const std::byte> file) {
  const auto info = decoder.open(file);
  if (!info) return info.error().message;
  const auto image = decoder.decode({});
  return image.ok() ? "" : image.error().message;
}

}  // namespace

class TestJpeg : public QObject {
  Q_OBJECT
 private slots:
  void decodesAWholeFileAsTheLibraryDoes() {
    ImageDecoder decoder;
    for (const NamedJpeg& one : samplings()) {
      const Bytes file = writePlainJpeg(tests::colourful(97, 61, one.channels, 1), one.how);
      VERIFY_OK(decoder.open(file));
      const auto image = decoder.decode({.form = PixelForm::Index});
      VERIFY_OK(image);
      QCOMPARE(image->scale, 1);
      QCOMPARE(image->warnings, 0);
      const QString found =
          difference(image->pixels, tests::readPlainJpeg(file, 1, one.channels), 0, 0);
      QVERIFY2(found.isEmpty(), qPrintable(QString(one.name) + ": " + found));
    }
  }

  /// The guarantee that lets the plan move a crop into the decoder.
  void aRegionHasThePixelsOfTheWholeAtEveryScaleAndSampling() {
    ImageDecoder decoder;
    unsigned seed = 0;
    for (const NamedJpeg& one : samplings())
      for (const Size size : {Size{200, 150}, Size{67, 133}, Size{16, 16}, Size{9, 5}}) {
        const Bytes file = writePlainJpeg(
            tests::colourful(size.width, size.height, one.channels, ++seed), one.how);
        const QString found = regionsDiffer(decoder, file, one.channels, seed);
        QVERIFY2(found.isEmpty(), qPrintable(QString("%1%2%3 %4 x %5: %6")
                                                 .arg(one.name)
                                                 .arg(one.how.progressive ? " progressive" : "")
                                                 .arg(one.how.restartRows ? " restart" : "")
                                                 .arg(size.width)
                                                 .arg(size.height)
                                                 .arg(found)));
      }
  }

  void regionsOfRealPhotosHaveThePixelsOfTheWhole() {
    const auto data = tests::realData();
    if (!data) QSKIP("no real data next to the project");
    ImageDecoder decoder;
    for (const auto& entry : std::filesystem::directory_iterator(*data / "photos_imagenet")) {
      const Bytes file = tests::readFile(entry.path().c_str());
      const auto info = decoder.open(file);
      VERIFY_OK(info);
      if (info->storedChannels == 4) continue;
      const QString found = regionsDiffer(decoder, file, info->storedChannels, 3);
      QVERIFY2(found.isEmpty(), qPrintable(QString(entry.path().c_str()) + ": " + found));
    }
  }

  void theScaleIsTheSmallestThatCovers() {
    QCOMPARE(scaleCovering({448, 448}, {224, 224}), 2);
    QCOMPARE(scaleCovering({447, 448}, {224, 224}), 1);
    QCOMPARE(scaleCovering({1000, 1000}, {224, 224}), 4);
    QCOMPARE(scaleCovering({9000, 9000}, {224, 224}), 8);
    QCOMPARE(scaleCovering({9000, 9000}, {}), 1);
    QCOMPARE(scaleCovering({9000, 500}, {100, 0}), 8);
  }

  void aScaledRegionIsGivenInRealCoordinates() {
    const Bytes file = writePlainJpeg(tests::colourful(101, 80, 3, 5), {2, 2});
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(file));
    const auto image = decoder.decode({.region = {33, 10, 68, 30}, .cover = {17, 7}});
    VERIFY_OK(image);
    QCOMPARE(image->scale, 4);
    // Columns 8 to 26 of the quarter image: 33 / 4 = 8.25, 101 / 4 = 25.25.
    QCOMPARE(image->pixels.width, 18);
    QCOMPARE(image->region.left, 0.25);
    QCOMPARE(image->region.right, 17.25);
    // Rows 2 to 10.
    QCOMPARE(image->pixels.height, 8);
    QCOMPARE(image->region.top, 0.5);
    QCOMPARE(image->region.bottom, 8.0);
  }

  void greyAndRgbFormsConvert() {
    const Bytes colour = writePlainJpeg(tests::colourful(40, 30, 3, 6), {2, 2});
    const Bytes grey = writePlainJpeg(tests::colourful(40, 30, 1, 7), {});
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(colour));
    auto image = decoder.decode({.form = PixelForm::Grey});
    VERIFY_OK(image);
    QVERIFY(difference(image->pixels, tests::readPlainJpeg(colour, 1, 1), 0, 0).isEmpty());
    const auto info = decoder.open(grey);
    VERIFY_OK(info);
    QCOMPARE(info->storedChannels, 1);
    image = decoder.decode({.form = PixelForm::Rgb});
    VERIFY_OK(image);
    const Picture luma = tests::readPlainJpeg(grey, 1, 1);
    QCOMPARE(image->pixels.channels, 3);
    for (int y = 0; y < 30; ++y)
      for (int i = 0; i < 120; ++i) QCOMPARE(image->pixels.row(y)[i], luma.at(i / 3, y));
  }

  /// The library of Debian 12 has no decoder for them.
  void twelveBitsAreRefusedByName() {
    ImageDecoder decoder;
    for (const std::uint8_t frame : {0xc1, 0xc2, 0xc9}) {
      Bytes file = writePlainJpeg(tests::colourful(16, 16, 3, 2), {});
      for (std::size_t i = 2; i + 5 < file.size(); ++i)
        if (file[i] == std::byte{0xff} && file[i + 1] == std::byte{0xc0}) {
          file[i + 1] = std::byte{frame};
          file[i + 4] = std::byte{12};
          break;
        }
      QCOMPARE(
          messageOf(decoder, file),
          std::string("JPEG with 12 bits per sample is not supported, only 8; convert it to PNG "
                      "or TIFF, for example with imread of the Python package imagecodecs, and "
                      "scale its numbers to 16 bits"));
    }
  }

  void jpegLsIsRefusedByName() {
    ImageDecoder decoder;
    Bytes file = writePlainJpeg(tests::colourful(16, 16, 3, 2), {});
    for (std::size_t i = 2; i + 1 < file.size(); ++i)
      if (file[i] == std::byte{0xff} && file[i + 1] == std::byte{0xc0}) {
        file[i + 1] = std::byte{0xf7};
        break;
      }
    QCOMPARE(messageOf(decoder, file),
             std::string("JPEG-LS is not supported; convert it to PNG with a program that reads "
                         "it"));
  }

  /// Stored values are inverted inks: 255 is no ink. Written by hand: red has no cyan, all magenta
  /// and yellow.
  void cmykAndYcckBecomeRgb() {
    ImageDecoder decoder;
    for (const bool ycck : {false, true}) {
      Picture inks(16, 16, 4);
      const std::uint8_t red[4] = {255, 0, 0, 200};
      for (int i = 0; i < 256; ++i) std::memcpy(&inks.bytes[std::size_t(i) * 4], red, 4);
      const Bytes file = writePlainJpeg(inks, {.ycck = ycck, .quality = 100});
      const auto info = decoder.open(file);
      VERIFY_OK(info);
      QCOMPARE(info->storedChannels, 4);
      const auto image = decoder.decode({});
      VERIFY_OK(image);
      QCOMPARE(image->pixels.channels, 3);
      // The transform changes each sample by at most 2.
      QVERIFY(std::abs(image->pixels.row(5)[15] - 200) <= 2);
      QVERIFY(image->pixels.row(5)[16] <= 2);
      QVERIFY(image->pixels.row(5)[17] <= 2);
      const auto grey = decoder.decode({.region = {3, 3, 5, 5}, .form = PixelForm::Grey});
      VERIFY_OK(grey);
      QVERIFY(std::abs(grey->pixels.row(2)[2] - 60) <= 2);  // 0.299 x 200
    }
  }

  void aCmykRegionHasThePixelsOfTheWhole() {
    const Bytes file = writePlainJpeg(tests::colourful(90, 70, 4, 8),
                                      {.horizontal = 2, .vertical = 2, .ycck = true});
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(file));
    const auto whole = decoder.decode({});
    VERIFY_OK(whole);
    Picture copy(90, 70, 3);
    for (int y = 0; y < 70; ++y) std::memcpy(&copy.at(0, y), whole->pixels.row(y), 270);
    const auto part = decoder.decode({.region = {31, 17, 40, 33}});
    VERIFY_OK(part);
    QVERIFY(difference(part->pixels, copy, 31, 17).isEmpty());
  }

  void truncatedDataIsAnErrorWithItsPlace() {
    ImageDecoder decoder;
    for (const bool progressive : {false, true}) {
      const Bytes file = writePlainJpeg(tests::colourful(120, 90, 3, 10), {2, 2, progressive});
      for (const std::size_t share : {2, 10, 30, 60, 90, 99}) {
        const std::size_t size = file.size() * share / 100;
        const std::string message = messageOf(decoder, std::span(file).first(size));
        const std::string place = std::to_string(size % 1000) + " bytes";
        QVERIFY2(message.find("truncated after ") == 0 && message.ends_with(place),
                 (message + " at " + std::to_string(size)).c_str());
      }
    }
  }

  void aTruncatedFileIsGreyWhereItEndsIfAsked() {
    for (const bool progressive : {false, true}) {
      const Bytes file = writePlainJpeg(tests::colourful(120, 90, 3, 10),
                                        {.progressive = progressive, .separateScans = false});
      ImageDecoder decoder;
      VERIFY_OK(decoder.open(file));
      const auto whole = decoder.decode({});
      VERIFY_OK(whole);
      const Picture sound = tests::copyOf(whole->pixels);
      const std::span<const std::byte> cut = std::span(file).first(file.size() / 2);
      VERIFY_OK(decoder.open(cut));
      QVERIFY(!decoder.decode({}).ok());
      const auto filled = decoder.decode({.fillTruncated = true});
      VERIFY_OK(filled);
      QVERIFY(filled->warnings > 0);
      if (progressive) continue;  // Its first scans hold all of the picture, roughly.
      for (int x = 0; x < 120; ++x)
        for (int c = 0; c < 3; ++c) {
          QCOMPARE(filled->pixels.row(0)[3 * x + c], sound.at(x, 0, c));
          QCOMPARE(int(filled->pixels.row(89)[3 * x + c]), 128);
        }
      QVERIFY(!decoder.decode({}).ok());
    }
  }

  /// In this case the entropy decoder never lacks a bit.
  void aFileThatEndsBetweenTwoScansIsTruncated() {
    ImageDecoder decoder;
    for (const bool progressive : {false, true}) {
      Bytes file =
          writePlainJpeg(tests::colourful(120, 90, 3, 10), {.horizontal = 2,
                                                            .vertical = 2,
                                                            .progressive = progressive,
                                                            .separateScans = !progressive});
      std::size_t lastScan = 0;
      for (std::size_t i = 0; i + 1 < file.size(); ++i)
        if (file[i] == std::byte{0xff} && file[i + 1] == std::byte{0xda}) lastScan = i;
      file.resize(lastScan);
      QVERIFY(messageOf(decoder, file).starts_with("truncated after "));
    }
  }

  void aTruncatedArithmeticFileIsAnError() {
    ImageDecoder decoder;
    for (const bool progressive : {false, true}) {
      const Bytes file =
          writePlainJpeg(tests::colourful(120, 90, 3, 10), {2, 2, progressive, true});
      QCOMPARE(messageOf(decoder, file), std::string());
      for (const std::size_t share : {20, 60, 99})
        QVERIFY(messageOf(decoder, std::span(file).first(file.size() * share / 100))
                    .starts_with("truncated after "));
      VERIFY_OK(decoder.open(std::span(file).first(file.size() / 2)));
      if (!progressive) VERIFY_OK(decoder.decode({.region = {0, 0, 120, 10}}));
    }
  }

  void aMissingEndMarkerIsNoErrorWhenAllRowsAreThere() {
    ImageDecoder decoder;
    for (const bool progressive : {false, true}) {
      const Bytes file = writePlainJpeg(tests::colourful(120, 90, 3, 11), {2, 2, progressive});
      VERIFY_OK(decoder.open(std::span(file).first(file.size() - 2)));
      const auto image = decoder.decode({});
      VERIFY_OK(image);
      QVERIFY(difference(image->pixels, tests::readPlainJpeg(file, 1, 3), 0, 0).isEmpty());
    }
  }

  void damageBelowTheRegionGoesUnnoticed() {
    const Bytes file = writePlainJpeg(tests::colourful(120, 400, 3, 12), {2, 2});
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(std::span(file).first(file.size() / 2)));
    VERIFY_OK(decoder.decode({.region = {0, 0, 120, 100}}));
    QVERIFY(!decoder.decode({.region = {0, 300, 120, 100}}).ok());
  }

  void aFileWithoutTablesNeverTakesThoseOfTheFileBefore() {
    const Bytes sound = writePlainJpeg(tests::colourful(64, 64, 3, 13), {2, 2});
    Bytes lacking(sound.begin(), sound.begin() + 2);
    for (std::size_t at = 2; at + 4 < sound.size();) {
      const auto marker = std::to_integer<unsigned>(sound[at + 1]);
      const std::size_t length = 2 + (std::to_integer<std::size_t>(sound[at + 2]) << 8U |
                                      std::to_integer<std::size_t>(sound[at + 3]));
      const std::size_t end = marker == 0xda ? sound.size() : at + length;
      if (marker != 0xdb)
        lacking.insert(lacking.end(), sound.begin() + std::ptrdiff_t(at),
                       sound.begin() + std::ptrdiff_t(end));
      at = end;
    }
    ImageDecoder fresh;
    const std::string alone = messageOf(fresh, lacking);
    QVERIFY(!alone.empty());
    ImageDecoder used;
    QCOMPARE(messageOf(used, sound), std::string());
    QCOMPARE(messageOf(used, lacking), alone);
  }

  void implausibleSizesAreRefusedBeforeMemoryIsTaken() {
    Bytes file = writePlainJpeg(tests::colourful(16, 16, 3, 14), {});
    for (std::size_t i = 0; i + 9 < file.size(); ++i)
      if (file[i] == std::byte{0xff} && file[i + 1] == std::byte{0xc0}) {
        file[i + 5] = file[i + 7] = std::byte{0x27};  // 10 000 x 10 000
        file[i + 6] = file[i + 8] = std::byte{0x10};
      }
    ImageDecoder decoder;
    const std::string bytes = std::to_string(file.size());
    QCOMPARE(messageOf(decoder, file),
             "declares 10000 x 10000 pixels, which " + bytes + " bytes cannot hold");
    ImageDecoder narrow({.pixels = 1000});
    const Bytes fair = writePlainJpeg(tests::colourful(40, 30, 3, 14), {});
    QCOMPARE(messageOf(narrow, fair),
             std::string("declares 40 x 30 pixels, but only 1 000 in all are allowed"));
  }

  void tooManyScansAreRefused() {
    const Bytes file = writePlainJpeg(tests::colourful(40, 30, 3, 15), {2, 2, true});
    ImageDecoder decoder({.scans = 5});
    QVERIFY(messageOf(decoder, file).find("refused: more than 5 scans") == 0);
  }

  void aRegionOutsideTheImageIsAnError() {
    const Bytes file = writePlainJpeg(tests::colourful(40, 30, 3, 16), {});
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(file));
    QVERIFY(!decoder.decode({.region = {0, 0, 41, 30}}).ok());
    QVERIFY(!decoder.decode({.region = {-1, 0, 4, 4}}).ok());
    QVERIFY(!decoder.decode({.region = {0, 0, 4, 0}}).ok());
    QVERIFY(!decoder.decode({.region = {2147483647, 0, 4, 4}}).ok());
    VERIFY_OK(decoder.decode({.region = {36, 26, 4, 4}}));
  }

  void encodedFilesComeBackNearly() {
    const Picture grey = tests::colourful(50, 40, 1, 17);
    const Picture colour = tests::colourful(50, 40, 3, 18);
    ImageDecoder decoder;
    for (const Picture* picture : {&grey, &colour})
      for (const auto subsampling : {Subsampling::S444, Subsampling::S422, Subsampling::S420})
        for (const bool progressive : {false, true}) {
          const auto file = encodeJpeg(picture->view(), {.quality = 100,
                                                         .subsampling = subsampling,
                                                         .progressive = progressive,
                                                         .restartRows = 1});
          VERIFY_OK(file);
          VERIFY_OK(decoder.open(*file));
          const auto image = decoder.decode({.form = PixelForm::Index});
          VERIFY_OK(image);
          QCOMPARE(image->pixels.width, 50);
          QCOMPARE(image->pixels.channels, picture->channels);
          if (subsampling == Subsampling::S444)
            for (int i = 0; i < 50 * picture->channels; ++i)
              QVERIFY(std::abs(image->pixels.row(20)[i] - picture->view().row(20)[i]) <= 8);
        }
  }
};

}  // namespace millrace

using millrace::TestJpeg;
MILLRACE_TEST_CASE(TestJpeg)
#include "tst_jpeg.moc"
