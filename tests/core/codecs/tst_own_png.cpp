// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The built-in PNG decoder compared with libspng: the same pixels for every region; files that it
// does not support go to the library, with the library's result.
#include <algorithm>
#include <filesystem>
#include <random>
#include <string>

#include "core/codecs/codec.h"
#include "core/codecs/encode.h"
#include "tests/core/codecs/plain_jpeg.h"
#include "tests/core/codecs/plain_png.h"
#include "tests/support/real_data.h"
#include "tests/support/test_case.h"

namespace millrace {
using tests::copyOf;
using tests::Picture;
using tests::PlainPng;
using tests::writePlainPng;

namespace {

using Bytes = std::vector<std::byte>;

struct Kind {
  int colourType;
  int bitDepth;
  int channels;
};
/// All kinds that the decoder supports.
constexpr Kind kKinds[] = {{0, 1, 1}, {0, 2, 1}, {0, 4, 1}, {0, 8, 1}, {2, 8, 3}, {3, 1, 1},
                           {3, 2, 1}, {3, 4, 1}, {3, 8, 1}, {4, 8, 2}, {6, 8, 4}};

/// Noise with every filter in turn, shuffled by `seed`: any bytes are a valid picture.
PlainPng noisePng(const Kind& kind, Size size, unsigned seed) {
  PlainPng png{.width = size.width,
               .height = size.height,
               .bitDepth = kind.bitDepth,
               .colourType = kind.colourType};
  std::mt19937 random(seed);
  const int bytes = (size.width * kind.channels * kind.bitDepth + 7) / 8;
  for (int y = 0; y < size.height; ++y) {
    std::vector<std::uint8_t>& row = png.rows.emplace_back();
    for (int i = 0; i < bytes; ++i) row.push_back(std::uint8_t(random()));
    png.filters.push_back(std::uint8_t(random() % 5));
  }
  if (kind.colourType == 3)
    for (unsigned i = 0; i < 1U << unsigned(kind.bitDepth); ++i)
      png.palette.push_back({std::uint8_t(random()), std::uint8_t(random()), std::uint8_t(i)});
  return png;
}

QString describe(const Kind& kind, Size size) {
  return QString("colour type %1, %2 bits, %3 x %4")
      .arg(kind.colourType)
      .arg(kind.bitDepth)
      .arg(size.width)
      .arg(size.height);
}

/// The result of a request: the pixels, or the error.
struct Answer {
  std::string error;
  Picture pixels{0, 0, 1};
  DecodeRoute route = DecodeRoute::Other;
};

Answer answer(ImageDecoder& decoder, DecodeRequest request, bool own) {
  request.ownDecoder = own;
  const auto image = decoder.decode(request);
  if (!image) return {image.error().message, {0, 0, 1}, DecodeRoute::Other};
  return {"", copyOf(image->pixels), image->route};
}

/// Empty if both decoders give the same answer and, with `mustBeOurs`, the built-in one does not
/// delegate.
QString differs(ImageDecoder& decoder, const DecodeRequest& request, bool mustBeOurs) {
  const Answer theirs = answer(decoder, request, false);
  const Answer ours = answer(decoder, request, true);
  if (ours.error != theirs.error)
    return QString::fromStdString("ours: " + ours.error + ", library: " + theirs.error);
  if (!ours.error.empty()) return mustBeOurs ? QString::fromStdString(ours.error) : QString();
  if (mustBeOurs && ours.route != DecodeRoute::OwnPng)
    return QString::fromStdString("went to the library: " + describe(ours.route));
  if (ours.pixels.view().size() != theirs.pixels.view().size()) return "other size";
  const QString found = difference(ours.pixels.view(), theirs.pixels, 0, 0);
  const Rect region = request.region;
  return found.isEmpty() ? found
                         : found + QString(" of region %1, %2, %3 x %4, form %5")
                                       .arg(region.x)
                                       .arg(region.y)
                                       .arg(region.width)
                                       .arg(region.height)
                                       .arg(int(request.form));
}

/// The whole picture in the three forms, then `regions` random regions.
QString formsOrRegionsDiffer(ImageDecoder& decoder, Size size, int regions, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&random](int n) { return int(random() % unsigned(n)); };
  for (int i = 0; i < 3 + regions; ++i) {
    DecodeRequest request;
    request.applyOrientation = false;
    request.form = static_cast<PixelForm>(i % 3);
    if (i >= 3) {
      request.region.width = 1 + below(size.width);
      request.region.height = 1 + below(size.height);
      request.region.x = below(size.width - request.region.width + 1);
      request.region.y = below(size.height - request.region.height + 1);
    }
    const QString found = differs(decoder, request, true);
    if (!found.isEmpty()) return found;
  }
  return {};
}

/// As above, for a file; its header must be valid.
QString fileDiffers(const Bytes& file, Size size, int regions, unsigned seed) {
  static ImageDecoder decoder;
  const auto info = decoder.open(file);
  if (!info) return QString::fromStdString(info.error().message);
  return formsOrRegionsDiffer(decoder, size, regions, seed);
}

/// Compares the answers of both for the whole file and for its upper half.
QString answersDiffer(const Bytes& file) {
  static ImageDecoder decoder;
  const auto info = decoder.open(file);
  if (!info) return {};
  const Size size = info->storedSize;
  const QString whole = differs(decoder, {.applyOrientation = false}, false);
  if (!whole.isEmpty()) return whole;
  return differs(decoder,
                 {.region = {0, 0, size.width, (size.height + 1) / 2},
                  .form = PixelForm::Index,
                  .applyOrientation = false},
                 false);
}

DecodeRoute routeOf(const Bytes& file, const DecodeRequest& request = {}) {
  ImageDecoder decoder;
  const auto info = decoder.open(file);
  if (!info) return DecodeRoute::Other;
  return answer(decoder, request, true).route;
}

std::string bytesOf(std::initializer_list<int> values) { return {values.begin(), values.end()}; }

void setChunkSum(Bytes& file, std::size_t chunk) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i)
    length = length << 8U | std::to_integer<std::size_t>(file[chunk + i]);
  std::uint32_t sum = 0xffffffffU;
  for (std::size_t i = 0; i < length + 4; ++i) {
    sum ^= std::to_integer<std::uint32_t>(file[chunk + 4 + i]);
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1U) != 0 ? sum >> 1U ^ 0xedb88320U : sum >> 1U;
  }
  for (std::size_t i = 0; i < 4; ++i)
    file[chunk + 8 + length + i] = std::byte(~sum >> (24U - 8U * unsigned(i)));
}

std::vector<std::filesystem::path> realPngs() {
  std::vector<std::filesystem::path> paths;
  const auto data = tests::realData();
  if (!data) return paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*data))
    if (entry.path().extension() == ".png") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

class TestOwnPng : public QObject {
  Q_OBJECT
 private slots:
  void pixelsAreThoseOfTheLibraryForEveryKindFilterAndRegion() {
    unsigned seed = 0;
    for (const Kind& kind : kKinds)
      for (const Size size : {Size{67, 45}, Size{200, 150}, Size{16, 16}, Size{9, 5}}) {
        const Bytes file = writePlainPng(noisePng(kind, size, ++seed));
        const QString found = fileDiffers(file, size, 20, seed);
        QVERIFY2(found.isEmpty(), qPrintable(describe(kind, size) + ": " + found));
      }
  }

  void pixelsOfTheSmallestPicturesAreThoseOfTheLibrary() {
    for (const Kind& kind : kKinds)
      for (int side = 1; side <= 65; ++side)
        for (const Size size : {Size{side, 66 - side}, Size{side, side}}) {
          const Bytes file = writePlainPng(noisePng(kind, size, unsigned(side)));
          const QString found = fileDiffers(file, size, 3, unsigned(side));
          QVERIFY2(found.isEmpty(), qPrintable(describe(kind, size) + ": " + found));
        }
  }

  void pixelsOfEveryCropAroundBlockEdgesAreThoseOfTheLibrary() {
    ImageDecoder decoder;
    for (const Kind& kind : kKinds) {
      const Bytes file = writePlainPng(noisePng(kind, {40, 40}, 3));
      VERIFY_OK(decoder.open(file));
      for (int x = 0; x <= 34; x += x == 2 ? 10 : 1)
        for (int y = 0; y <= 34; y += y == 2 ? 10 : 1)
          for (const int side : {1, 2, 6}) {
            const QString found = differs(decoder, {.region = {x, y, side, 7 - side}}, true);
            QVERIFY2(found.isEmpty(), qPrintable(describe(kind, {40, 40}) + ": " + found));
          }
    }
  }

  /// More than one strip, and packed data.
  void largePicturesGoInStrips() {
    for (const int channels : {1, 3, 4}) {
      const Size size{500, 300};
      const Picture picture = tests::colourful(size.width, size.height, channels, 5);
      const auto file = encodePng(picture.view());
      VERIFY_OK(file);
      const QString found = fileDiffers(*file, size, 6, 9);
      QVERIFY2(found.isEmpty(), qPrintable(found));
    }
  }

  void aRowMayBeLongerThanAStrip() {
    const Size size{100000, 3};
    const QString found = fileDiffers(writePlainPng(noisePng(kKinds[4], size, 2)), size, 6, 1);
    QVERIFY2(found.isEmpty(), qPrintable(found));
  }

  void pixelsOfRealFilesAreThoseOfTheLibrary() {
    if (!tests::realData()) QSKIP("no real data next to the project");
    ImageDecoder decoder;
    int ours = 0;
    for (const auto& path : realPngs()) {
      const Bytes file = tests::readFile(path.c_str());
      const auto info = decoder.open(file);
      if (!info) continue;
      const QString found = answersDiffer(file);
      QVERIFY2(found.isEmpty(), (path.string() + ": ").c_str() + found.toUtf8());
      const Size size = info->storedSize;
      const DecodeRequest corner{.region = {size.width / 3, 0, size.width - size.width / 3, 1}};
      if (answer(decoder, corner, true).route != DecodeRoute::OwnPng) continue;
      const Rect middle{size.width / 4, size.height / 4, (size.width + 1) / 2,
                        (size.height + 1) / 2};
      const QString part = differs(decoder, {.region = middle, .applyOrientation = false}, true);
      QVERIFY2(part.isEmpty(), (path.string() + ": ").c_str() + part.toUtf8());
      ++ours;
    }
    QVERIFY2(ours > 80, qPrintable(QString::number(ours)));
  }

  void dataMayComeInAnyNumberOfChunks() {
    for (const Kind& kind : {kKinds[3], kKinds[4]})
      for (const int bytes : {1, 2, 3, 1000, 40000})
        for (const bool empty : {false, true}) {
          PlainPng png = noisePng(kind, {120, bytes < 4 ? 9 : 300}, 4);
          png.idatBytes = bytes;
          png.emptyChunks = empty;
          const Size size{png.width, png.height};
          const QString found = fileDiffers(writePlainPng(png), size, 5, 3);
          QVERIFY2(found.isEmpty(), qPrintable(found));
        }
  }

  void chunksBesideThePictureDoNotMatter() {
    PlainPng png = noisePng(kKinds[8], {30, 20}, 1);
    png.chunks = {{"gAMA", bytesOf({0, 0, 177, 143})},
                  {"sRGB", bytesOf({9})},
                  {"tIME", "x"},
                  {"tEXt", std::string("Title\0yes", 9)},
                  {"pHYs", "123456789"}};
    QString found = fileDiffers(writePlainPng(png), {30, 20}, 3, 1);
    QVERIFY2(found.isEmpty(), qPrintable(found));
    png.chunks.emplace_back("vpAg", "unknown");
    png.chunks.emplace_back("iTXt", "wrong");
    png.transparency = {1, 2, 3};
    found = fileDiffers(writePlainPng(png), {30, 20}, 3, 1);
    QVERIFY2(found.isEmpty(), qPrintable(found));
  }

  void otherFilesGoToTheLibraryWithTheReason() {
    PlainPng interlaced = noisePng(kKinds[3], {1, 1}, 1);
    interlaced.interlaced = true;
    const PlainPng deep{.width = 2, .bitDepth = 16, .rows = {{0, 1, 0, 2}}};
    PlainPng late = noisePng(kKinds[4], {4, 4}, 1);
    late.palette.push_back({1, 2, 3});
    QCOMPARE(describe(routeOf(writePlainPng(noisePng(kKinds[4], {4, 4}, 1)))),
             std::string("PNG by the built-in decoder"));
    QCOMPARE(describe(routeOf(writePlainPng(interlaced))),
             std::string("PNG by libspng: interlaced"));
    QCOMPARE(describe(routeOf(writePlainPng(deep))), std::string("PNG by libspng: 16_bit"));
    QCOMPARE(describe(routeOf(writePlainPng(late))), std::string("PNG by libspng: head"));
  }

  void indicesBehindThePaletteAreBlack() {
    PlainPng png{.width = 4, .colourType = 3, .rows = {{0, 1, 2, 255}}, .palette = {{9, 8, 7}}};
    png.palette.push_back({6, 5, 4});
    const Bytes file = writePlainPng(png);
    QVERIFY(routeOf(file) == DecodeRoute::OwnPng);
    const QString found = fileDiffers(file, {4, 1}, 5, 1);
    QVERIFY2(found.isEmpty(), qPrintable(found));
  }

  void aStreamThatIsNotThePicturesIsAnsweredByTheLibrary() {
    const PlainPng sound = noisePng(kKinds[4], {20, 30}, 6);
    PlainPng wrongSum = sound;
    wrongSum.sumFlip = 1;
    PlainPng longer = sound;
    longer.behindRows = {1, 2, 3};
    PlainPng shorter = sound;
    shorter.rows.pop_back();
    PlainPng noFilter = sound;
    noFilter.filters[10] = 5;
    for (const PlainPng& png : {wrongSum, longer, shorter, noFilter}) {
      const Bytes file = writePlainPng(png);
      QVERIFY(routeOf(file) != DecodeRoute::OwnPng);
      const QString found = answersDiffer(file);
      QVERIFY2(found.isEmpty(), qPrintable(found));
      QVERIFY(routeOf(file, {.region = {0, 0, 20, 5}}) == DecodeRoute::OwnPng);
    }
    // To decode a row, the next row's filter is read too.
    QVERIFY(routeOf(writePlainPng(noFilter), {.region = {0, 0, 20, 10}}) == DecodeRoute::Other);
    QVERIFY(routeOf(writePlainPng(noFilter), {.region = {0, 0, 20, 9}}) == DecodeRoute::OwnPng);
  }

  void truncatedAndDamagedFilesAreAnsweredByTheLibrary() {
    std::mt19937 random(5);
    PlainPng png = noisePng(kKinds[8], {31, 40}, 2);
    png.idatBytes = 200;
    const Bytes sound = writePlainPng(png);
    for (std::size_t size = 8; size < sound.size(); size += 1 + size / 60) {
      const QString found = answersDiffer({sound.begin(), sound.begin() + std::ptrdiff_t(size)});
      QVERIFY2(found.isEmpty(), qPrintable(found));
    }
    for (int i = 0; i < 400; ++i) {
      Bytes file = sound;
      const std::size_t at = 8 + random() % (file.size() - 8);
      file[at] ^= std::byte(1U << random() % 8U);
      // For half of them the CRC is corrected, if the damage left a chunk.
      const std::size_t chunk = tests::chunkAt(file, "IDAT", int(random() % 3));
      if (i % 2 == 0 && chunk + 212 < file.size()) setChunkSum(file, chunk);
      const QString found = answersDiffer(file);
      QVERIFY2(found.isEmpty(), qPrintable(QString("byte %1: %2").arg(at).arg(found)));
    }
  }

  void packedDataWithFlippedBitsIsAnsweredByTheLibrary() {
    std::mt19937 random(6);
    const Picture picture = tests::colourful(40, 30, 3, 5);
    const Bytes sound = encodePng(picture.view()).take();
    const std::size_t chunk = tests::chunkAt(sound, "IDAT");
    int refused = 0;
    for (int i = 0; i < 400; ++i) {
      Bytes file = sound;
      file[chunk + 8 + random() % (file.size() - chunk - 24)] ^= std::byte(1U << random() % 8U);
      setChunkSum(file, chunk);
      const QString found = answersDiffer(file);
      QVERIFY2(found.isEmpty(), qPrintable(QString("%1: %2").arg(i).arg(found)));
      if (routeOf(file) != DecodeRoute::OwnPng) ++refused;
    }
    QVERIFY(refused > 300);
  }

  /// What follows the picture's end is ignored.
  void chunksAfterTheEndAreIgnored() {
    const Bytes sound = writePlainPng(noisePng(kKinds[4], {20, 30}, 6));
    Bytes file = sound;
    const std::size_t data = tests::chunkAt(sound, "IDAT");
    file.insert(file.end(), sound.begin() + std::ptrdiff_t(data), sound.end());
    QVERIFY(routeOf(file) == DecodeRoute::OwnPng);
    QVERIFY(answersDiffer(file).isEmpty());
    // Another chunk in the middle of the data ends it.
    Bytes parted = writePlainPng(noisePng(kKinds[4], {20, 30}, 6));
    const Bytes text = {std::byte{0},   std::byte{0},   std::byte{0},   std::byte{0},
                        std::byte{'t'}, std::byte{'E'}, std::byte{'X'}, std::byte{'t'},
                        std::byte{0},   std::byte{0},   std::byte{0},   std::byte{0}};
    PlainPng two = noisePng(kKinds[4], {20, 30}, 6);
    two.idatBytes = 900;
    parted = writePlainPng(two);
    const auto second = parted.begin() + std::ptrdiff_t(tests::chunkAt(parted, "IDAT", 1));
    parted.insert(second, text.begin(), text.end());
    QVERIFY(routeOf(parted) != DecodeRoute::OwnPng);
    QVERIFY(answersDiffer(parted).isEmpty());
  }
};

}  // namespace millrace

using millrace::TestOwnPng;
MILLRACE_TEST_CASE(TestOwnPng)
#include "tst_own_png.moc"
