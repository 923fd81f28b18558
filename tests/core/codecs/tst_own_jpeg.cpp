// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The built-in JPEG decoder compared with libjpeg-turbo: the same coefficients and the same pixels;
// files that it does not support go to the library.
#include <algorithm>
#include <filesystem>
#include <random>
#include <string>

#include <jpeglib.h>

#include "core/codecs/codec.h"
#include "core/codecs/jpeg/baseline_decoder.h"
#include "tests/core/codecs/plain_jpeg.h"
#include "tests/support/opened_jpeg.h"
#include "tests/support/real_data.h"
#include "tests/support/test_case.h"

namespace millrace {
using tests::copyOf;
using tests::NamedJpeg;
using tests::Picture;
using tests::PlainJpeg;

namespace {

using Bytes = std::vector<std::byte>;
using Coefficients = std::vector<std::vector<std::int16_t>>;  // Per component, block by block.

/// All kinds that the decoder supports.
std::vector<NamedJpeg> taken() {
  std::vector<NamedJpeg> cases;
  for (const int quality : {1, 20, 75, 95, 100})
    for (const auto& [name, horizontal, vertical, channels] : {std::tuple{"444", 1, 1, 3},
                                                               {"422", 2, 1, 3},
                                                               {"440", 1, 2, 3},
                                                               {"420", 2, 2, 3},
                                                               {"411", 4, 1, 3},
                                                               {"grey", 1, 1, 1},
                                                               {"grey 2x2", 2, 2, 1}})
      for (const int restart : {0, 1, 3, 7}) {
        PlainJpeg how{.horizontal = horizontal, .vertical = vertical, .quality = quality};
        how.restartMcus = restart;
        how.optimised = restart % 2 == 1;
        cases.push_back({name, how, channels});
      }
  return cases;
}

QString describe(const NamedJpeg& one, Size size) {
  return QString("%1 quality %2 restart %3, %4 x %5")
      .arg(one.name)
      .arg(one.how.quality)
      .arg(one.how.restartMcus)
      .arg(size.width)
      .arg(size.height);
}

Coefficients coefficientsOfTheLibrary(const Bytes& file) {
  tests::OpenedJpeg opened(file);
  jpeg_decompress_struct& decoder = opened.decoder;
  jvirt_barray_ptr* arrays = jpeg_read_coefficients(&decoder);
  Coefficients all;
  for (int c = 0; c < decoder.num_components; ++c) {
    const jpeg_component_info& component = decoder.comp_info[c];
    std::vector<std::int16_t>& to = all.emplace_back();
    for (JDIMENSION row = 0; row < component.height_in_blocks; ++row) {
      JBLOCKARRAY blocks = decoder.mem->access_virt_barray(reinterpret_cast<j_common_ptr>(&decoder),
                                                           arrays[c], row, 1, FALSE);
      for (JDIMENSION column = 0; column < component.width_in_blocks; ++column)
        to.insert(to.end(), blocks[0][column], blocks[0][column] + DCTSIZE2);
    }
  }
  return all;
}

/// Empty if the decoder does not support the file.
Coefficients coefficientsOfOurs(const Bytes& file) {
  static jpeg::EntropyDecoder decoder;
  static jpeg::Head head;
  if (readHead(file, head) != DecodeRoute::Own || decoder.setTables(head) != DecodeRoute::Own)
    return {};
  decoder.begin(head, std::span(file).subspan(head.scanStart));
  const auto across = [](int pixels, int part) { return (pixels + part - 1) / part; };
  const int mcusAcross = across(head.width, 8 * head.maxHorizontal);
  const int mcusDown = across(head.height, 8 * head.maxVertical);
  Coefficients all(std::size_t(head.components));
  std::vector<int> columns;
  for (std::size_t c = 0; c < all.size(); ++c) {
    const jpeg::Component& component = head.component[c];
    columns.push_back(across(head.width * component.horizontal, 8 * head.maxHorizontal));
    const int rows = across(head.height * component.vertical, 8 * head.maxVertical);
    all[c].resize(std::size_t(columns[c] * rows * 64));
  }
  for (int mcu = 0; mcu < mcusAcross * mcusDown; ++mcu) {
    std::vector<std::int16_t> group(jpeg::kGroupStride * jpeg::kMaxMcuBlocks);
    std::vector<std::uint32_t> targets;
    for (std::size_t i = 0; i < decoder.blocksPerMcu(); ++i)
      targets.push_back(std::uint32_t(i * jpeg::kGroupStride));
    if (!decoder.decode(1, group.data(), targets.data())) return {};
    const std::int16_t* from = group.data();
    for (std::size_t c = 0; c < all.size(); ++c) {
      const jpeg::Component& component = head.component[c];
      for (int j = 0; j < component.vertical; ++j)
        for (int i = 0; i < component.horizontal; ++i, from += jpeg::kGroupStride) {
          const int x = mcu % mcusAcross * component.horizontal + i;
          const int y = mcu / mcusAcross * component.vertical + j;
          const std::size_t at = std::size_t(y * columns[c] + x) * 64;
          if (x >= columns[c] || at >= all[c].size()) continue;
          for (std::size_t k = 0; k < 64; ++k)
            all[c][at + k] = from[k / 8 * jpeg::kGroupRow + k % 8];
        }
    }
  }
  return all;
}

/// Empty if both decoders give the same result for `request` and the built-in one does not
/// delegate.
QString differs(ImageDecoder& decoder, DecodeRequest request) {
  request.ownDecoder = false;
  const auto theirs = decoder.decode(request);
  if (!theirs) return "library: " + QString::fromStdString(theirs.error().message);
  if (theirs->route != DecodeRoute::Asked) return "did not use the library as requested";
  const Picture expected = copyOf(theirs->pixels);
  const Box box = theirs->region;
  request.ownDecoder = true;
  const auto ours = decoder.decode(request);
  if (!ours || ours->route != DecodeRoute::Own) return "went to the library";
  if (ours->region.left != box.left || ours->region.bottom != box.bottom) return "other box";
  if (ours->pixels.size() != expected.view().size()) return "other size";
  const QString found = difference(ours->pixels, expected, 0, 0);
  return found.isEmpty() ? found
                         : found + QString(" of region %1, %2, %3 x %4 at scale %5")
                                       .arg(request.region.x)
                                       .arg(request.region.y)
                                       .arg(request.region.width)
                                       .arg(request.region.height)
                                       .arg(ours->scale);
}

QString regionsDiffer(ImageDecoder& decoder, Size size, int regions, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](int n) { return int(random() % unsigned(n)); };
  for (int i = 0; i < regions; ++i) {
    DecodeRequest request;
    request.applyOrientation = false;
    request.form = static_cast<PixelForm>(below(3));
    const int scale = 1 << below(4);
    if (i >= 12) {
      request.region.width = 1 + below(size.width);
      request.region.height = 1 + below(size.height);
      request.region.x = below(size.width - request.region.width + 1);
      request.region.y = below(size.height - request.region.height + 1);
      request.cover = {request.region.width / scale, request.region.height / scale};
    } else {
      request.form = static_cast<PixelForm>(i % 3);
      request.cover = {size.width >> i / 3, size.height >> i / 3};
    }
    const QString found = differs(decoder, request);
    if (!found.isEmpty()) return found;
  }
  return {};
}

std::vector<std::filesystem::path> photos() {
  std::vector<std::filesystem::path> paths;
  const auto data = tests::realData();
  if (!data) return paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*data)) {
    const std::string suffix = entry.path().extension();
    if (suffix == ".jpg" || suffix == ".jpeg" || suffix == ".JPEG") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

class TestOwnJpeg : public QObject {
  Q_OBJECT
 private slots:
  void coefficientsAreThoseOfTheLibrary() {
    unsigned seed = 0;
    for (const NamedJpeg& one : taken())
      for (const Size size : {Size{67, 45}, Size{16, 16}, Size{1, 1}, Size{9, 200}}) {
        const Bytes file = writePlainJpeg(
            tests::colourful(size.width, size.height, one.channels, ++seed), one.how);
        const Coefficients ours = coefficientsOfOurs(file);
        QVERIFY2(!ours.empty(), qPrintable(describe(one, size)));
        QVERIFY2(ours == coefficientsOfTheLibrary(file), qPrintable(describe(one, size)));
      }
  }

  void coefficientsOfRealPhotosAreThoseOfTheLibrary() {
    if (!tests::realData()) QSKIP("no real data next to the project");
    int ours = 0;
    for (const auto& path : photos()) {
      if (path.string().find("nasty") != std::string::npos) continue;
      const Bytes file = tests::readFile(path.c_str());
      const Coefficients found = coefficientsOfOurs(file);
      if (found.empty()) continue;
      QVERIFY2(found == coefficientsOfTheLibrary(file), path.c_str());
      ++ours;
    }
    QVERIFY(ours > 60);
  }

  void pixelsAreThoseOfTheLibraryForEveryRegionAndScale() {
    ImageDecoder decoder;
    unsigned seed = 0;
    for (const NamedJpeg& one : taken())
      for (const Size size : {Size{67, 45}, Size{200, 150}, Size{16, 16}, Size{9, 5}}) {
        const Bytes file = writePlainJpeg(
            tests::colourful(size.width, size.height, one.channels, ++seed), one.how);
        VERIFY_OK(decoder.open(file));
        const QString found = regionsDiffer(decoder, size, 16, seed);
        QVERIFY2(found.isEmpty(), qPrintable(describe(one, size) + ": " + found));
      }
  }

  void everyQualityGivesThePixelsOfTheLibrary() {
    ImageDecoder decoder;
    for (int quality = 1; quality <= 100; ++quality)
      for (const int sampling : {1, 2}) {
        PlainJpeg how{.horizontal = sampling, .vertical = sampling, .quality = quality};
        how.optimised = quality % 2 == 0;
        const Size size{61, 43};
        const Bytes file =
            writePlainJpeg(tests::colourful(size.width, size.height, 3, unsigned(quality)), how);
        VERIFY_OK(decoder.open(file));
        const QString found = regionsDiffer(decoder, size, 13, unsigned(quality));
        QVERIFY2(found.isEmpty(), qPrintable(QString("quality %1: %2").arg(quality).arg(found)));
        QVERIFY2(coefficientsOfOurs(file) == coefficientsOfTheLibrary(file), "coefficients");
      }
  }

  void pixelsOfTheSmallestPicturesAreThoseOfTheLibrary() {
    ImageDecoder decoder;
    for (const NamedJpeg& one : taken()) {
      if (one.how.quality != 75 || one.how.restartMcus != 0) continue;
      for (int side = 1; side <= 65; ++side)
        for (const Size size : {Size{side, 65 - side + 1}, Size{side, side}, Size{side, 1}}) {
          const Bytes file = writePlainJpeg(
              tests::colourful(size.width, size.height, one.channels, unsigned(side)), one.how);
          VERIFY_OK(decoder.open(file));
          const QString found = regionsDiffer(decoder, size, 16, unsigned(side));
          QVERIFY2(found.isEmpty(), qPrintable(describe(one, size) + ": " + found));
        }
    }
  }

  void pixelsOfEveryCropAroundBlockEdgesAreThoseOfTheLibrary() {
    ImageDecoder decoder;
    const Bytes file = writePlainJpeg(tests::colourful(80, 80, 3, 3), {2, 2});
    VERIFY_OK(decoder.open(file));
    for (int x = 14; x <= 34; ++x)
      for (int y = 14; y <= 34; ++y)
        for (const int side : {1, 2, 9, 17}) {
          const QString found = differs(decoder, {.region = {x, y, side, 40 - side}});
          QVERIFY2(found.isEmpty(), qPrintable(found));
        }
  }

  void pixelsOfRealPhotosAreThoseOfTheLibrary() {
    if (!tests::realData()) QSKIP("no real data next to the project");
    ImageDecoder decoder;
    int ours = 0;
    for (const auto& path : photos()) {
      const Bytes file = tests::readFile(path.c_str());
      const auto info = decoder.open(file);
      if (!info) continue;
      const auto whole = decoder.decode({});
      if (!whole || whole->route != DecodeRoute::Own) continue;
      const bool large = info->size.width > 1500;
      const QString found = regionsDiffer(decoder, info->storedSize, large ? 4 : 20, 7);
      QVERIFY2(found.isEmpty(), (path.string() + ": ").c_str() + found.toUtf8());
      ++ours;
    }
    QVERIFY(ours > 60);
  }

  void otherFilesGoToTheLibraryWithTheReason() {
    const Picture picture = tests::colourful(40, 30, 3, 1);
    const Picture inks = tests::colourful(40, 30, 4, 1);
    const std::pair<DecodeRoute, Bytes> files[] = {
        {DecodeRoute::Own, writePlainJpeg(picture, {})},
        {DecodeRoute::Progressive, writePlainJpeg(picture, {.progressive = true})},
        {DecodeRoute::Arithmetic, writePlainJpeg(picture, {.arithmetic = true})},
        {DecodeRoute::Scans, writePlainJpeg(picture, {.separateScans = true})},
        {DecodeRoute::Colours, writePlainJpeg(inks, {})},
        {DecodeRoute::Sampling, writePlainJpeg(picture, {.horizontal = 3})},
        {DecodeRoute::Sampling, writePlainJpeg(picture, {.horizontal = 4, .vertical = 2})},
    };
    ImageDecoder decoder;
    for (const auto& [route, file] : files) {
      VERIFY_OK(decoder.open(file));
      const auto image = decoder.decode({});
      VERIFY_OK(image);
      QVERIFY2(image->route == route, std::string(nameOf(image->route)).c_str());
    }
  }

  void damagedDataGoesToTheLibraryAndItsAnswerStays() {
    ImageDecoder decoder;
    std::mt19937 random(5);
    int passedOver = 0;
    const Bytes sound = writePlainJpeg(tests::colourful(90, 70, 3, 2),
                                       {.horizontal = 2, .vertical = 2, .restartRows = 1});
    for (int i = 0; i < 300; ++i) {
      Bytes file = sound;
      file[file.size() - 1 - random() % 2000] ^= std::byte(1U << random() % 8U);
      const auto info = decoder.open(file);
      if (!info) continue;
      const auto theirs = decoder.decode({.ownDecoder = false});
      const auto whole = theirs ? copyOf(theirs->pixels) : Picture(0, 0, 3);
      const int warnings = theirs ? theirs->warnings : -1;
      const auto ours = decoder.decode({});
      QCOMPARE(ours.ok(), theirs.ok());
      if (!ours) {
        QCOMPARE(ours.error().message, theirs.error().message);
        continue;
      }
      QCOMPARE(ours->warnings, warnings);
      QVERIFY(difference(ours->pixels, whole, 0, 0).isEmpty());
      if (ours->route == DecodeRoute::Data) ++passedOver;
    }
    QVERIFY(passedOver > 10);
  }

  /// Every symbol of the AC table skips fifteen coefficients: the fifth leaves the block.
  void runsPastTheEndOfABlockGoToTheLibrary() {
    Bytes file = writePlainJpeg(tests::colourful(64, 64, 1, 3), {.quality = 95});
    constexpr std::byte kTables{0xc4};
    constexpr std::byte kAcTable{0x10};
    std::size_t tables = 0;
    for (std::size_t i = 2; i + 4 < file.size() && file[i + 1] != std::byte{0xda};) {
      const std::size_t length = std::to_integer<std::size_t>(file[i + 2]) << 8U |
                                 std::to_integer<std::size_t>(file[i + 3]);
      if (file[i + 1] == kTables && file[i + 4] == kAcTable) {
        std::fill(file.begin() + std::ptrdiff_t(i + 21),
                  file.begin() + std::ptrdiff_t(i + 2 + length), std::byte{0xf1});
        ++tables;
      }
      i += 2 + length;
    }
    QCOMPARE(tables, std::size_t{1});
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(file));
    const auto theirs = decoder.decode({.ownDecoder = false});
    VERIFY_OK(theirs);
    const Picture expected = copyOf(theirs->pixels);
    const auto ours = decoder.decode({});
    VERIFY_OK(ours);
    QVERIFY(ours->route == DecodeRoute::Data);
    QVERIFY(difference(ours->pixels, expected, 0, 0).isEmpty());
  }

  void truncatedDataGoesToTheLibrary() {
    ImageDecoder decoder;
    const Bytes file = writePlainJpeg(tests::colourful(90, 70, 3, 2), {2, 2});
    VERIFY_OK(decoder.open(std::span(file).first(file.size() * 6 / 10)));
    const auto image = decoder.decode({});
    QVERIFY(!image.ok());
    QVERIFY(image.error().message.starts_with("truncated after "));
    const auto above = decoder.decode({.region = {0, 0, 90, 20}});
    VERIFY_OK(above);
    QVERIFY(above->route == DecodeRoute::Own);
  }

  /// No encoder leaves any, so something is wrong that the library may treat differently.
  void bytesLeftOverBeforeARestartMarkerGoToTheLibrary() {
    PlainJpeg how{2, 2};
    how.restartMcus = 2;
    Bytes file = writePlainJpeg(tests::colourful(90, 70, 3, 2), how);
    for (std::size_t i = file.size() / 2; i + 1 < file.size(); ++i)
      if (file[i] == std::byte{0xff} && (file[i + 1] & std::byte{0xf8}) == std::byte{0xd0}) {
        file.insert(file.begin() + std::ptrdiff_t(i), {std::byte{1}, std::byte{2}});
        break;
      }
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(file));
    const auto image = decoder.decode({});
    VERIFY_OK(image);
    QVERIFY(image->route == DecodeRoute::Data);
  }
};

}  // namespace millrace

using millrace::TestOwnJpeg;
MILLRACE_TEST_CASE(TestOwnJpeg)
#include "tst_own_jpeg.moc"
