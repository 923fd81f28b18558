// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The side index of JPEG files changes the speed but never the pixels, and no content of it does
// harm.
#include "core/codecs/jpeg/side_index.h"

#include <cstring>
#include <filesystem>
#include <random>
#include <string>

#include "core/base/crc32c.h"
#include "core/codecs/codec.h"
#include "tests/core/codecs/plain_jpeg.h"
#include "tests/support/real_data.h"
#include "tests/support/test_case.h"

namespace millrace {
using tests::copyOf;
using tests::NamedJpeg;
using tests::PlainJpeg;

namespace {

using IndexBytes = std::vector<std::byte>;
using FileBytes = std::vector<std::byte>;

/// Every sampling, with short and long codes, and restart markers within rows and between them.
std::vector<NamedJpeg> indexedKinds() {
  std::vector<NamedJpeg> kinds;
  for (const int quality : {1, 75, 100})
    for (const auto& [name, horizontal, vertical, channels] : {std::tuple{"444", 1, 1, 3},
                                                               {"422", 2, 1, 3},
                                                               {"440", 1, 2, 3},
                                                               {"420", 2, 2, 3},
                                                               {"411", 4, 1, 3},
                                                               {"grey", 1, 1, 1}})
      for (const int restart : {0, 1, 3, 7}) {
        PlainJpeg how{.horizontal = horizontal, .vertical = vertical, .quality = quality};
        how.restartMcus = restart;
        how.optimised = restart % 2 == 1;
        kinds.push_back({name, how, channels});
      }
  PlainJpeg rows{2, 2};
  rows.restartRows = 1;
  kinds.push_back({"420 by rows", rows, 3});
  return kinds;
}

DecodeRequest cropOf(std::mt19937& random, Size size) {
  DecodeRequest request;
  request.applyOrientation = false;
  request.region = tests::randomRegion(random, size);
  const int scale = 1 << random() % 4;
  request.cover = {request.region.width / scale, request.region.height / scale};
  return request;
}

/// Empty if `request` gives the same result with `index` as without.
QString differsIndexed(ImageDecoder& decoder, DecodeRequest request, IndexBytes& index,
                       SideIndexUse* use = nullptr) {
  const auto plain = decoder.decode(request);
  if (!plain) return "plain: " + QString::fromStdString(plain.error().message);
  const tests::Picture expected = copyOf(plain->pixels);
  const Box box = plain->region;
  request.sideIndex = &index;
  const auto indexed = decoder.decode(request);
  if (!indexed) return "indexed: " + QString::fromStdString(indexed.error().message);
  if (use != nullptr) *use = indexed->sideIndex;
  if (indexed->route != plain->route) return "another route";
  if (indexed->region.left != box.left || indexed->region.bottom != box.bottom) return "other box";
  if (indexed->pixels.size() != expected.view().size()) return "other size";
  return difference(indexed->pixels, expected, 0, 0);
}

constexpr std::size_t kAcross = 5;
/// 24 rows of kAcross MCUs of 8 x 8; nothing outside a region is read.
FileBytes tallFile(unsigned seed = 1, int restartMcus = 0) {
  PlainJpeg how;
  how.restartMcus = restartMcus;
  return writePlainJpeg(tests::colourful(40, 192, 3, seed), how);
}

/// The index after decoding `file` from MCU row `row` to the last one.
IndexBytes indexOf(const FileBytes& file, int row = 23) {
  ImageDecoder decoder;
  IndexBytes index;
  if (decoder.open(file))
    (void)decoder.decode({.region = {0, row * 8, 40, 192 - row * 8}, .sideIndex = &index});
  return index;
}

/// Corrects the CRC after a change, as an attacker would.
void signIndex(IndexBytes& index) {
  const std::uint32_t sum = crc32c(std::span(index).subspan(8));
  std::memcpy(index.data() + 4, &sum, sizeof sum);
}

}  // namespace

class TestSideIndex : public QObject {
  Q_OBJECT
 private slots:
  void pixelsAreTheSameWithAndWithout() {
    ImageDecoder decoder;
    unsigned seed = 0;
    for (const NamedJpeg& one : indexedKinds())
      for (const Size size : {Size{67, 45}, Size{131, 150}, Size{9, 200}, Size{16, 16}}) {
        const FileBytes file = writePlainJpeg(
            tests::colourful(size.width, size.height, one.channels, ++seed), one.how);
        VERIFY_OK(decoder.open(file));
        std::mt19937 random(seed);
        IndexBytes index;
        for (int i = 0; i < 24; ++i) {
          SideIndexUse use;
          const QString found = differsIndexed(decoder, cropOf(random, size), index, &use);
          QVERIFY2(found.isEmpty() && !use.wrong,
                   qPrintable(QString("%1 quality %2 restart %3, %4 x %5: ")
                                  .arg(one.name)
                                  .arg(one.how.quality)
                                  .arg(one.how.restartMcus)
                                  .arg(size.width)
                                  .arg(size.height) +
                              found));
        }
      }
  }

  void everyCropRowAroundBlockEdgesIsTheSame() {
    ImageDecoder decoder;
    for (const auto& [horizontal, vertical] : {std::pair{1, 1}, {2, 2}, {1, 2}}) {
      PlainJpeg how{horizontal, vertical};
      for (const int restart : {0, 4}) {
        how.restartMcus = restart;
        const FileBytes file = writePlainJpeg(tests::colourful(50, 90, 3, 3), how);
        VERIFY_OK(decoder.open(file));
        IndexBytes grown;
        for (const bool downwards : {true, false})
          for (int i = 0; i < 90; ++i) {
            const int y = downwards ? i : 89 - i;
            for (const int height : {1, 8, 90 - y}) {
              if (y + height > 90) continue;
              IndexBytes fresh;
              const DecodeRequest request{.region = {3, y, 40, height}};
              for (IndexBytes* index : {&grown, &fresh, &fresh}) {
                const QString found = differsIndexed(decoder, request, *index);
                QVERIFY2(found.isEmpty(), qPrintable(QString("row %1: ").arg(y) + found));
              }
            }
          }
      }
    }
  }

  void realPhotosAreTheSame() {
    const auto data = tests::realData();
    if (!data) QSKIP("no real data next to the project");
    ImageDecoder decoder;
    int files = 0;
    int skipped = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*data)) {
      const std::string suffix = entry.path().extension();
      if (suffix != ".jpg" && suffix != ".jpeg" && suffix != ".JPEG") continue;
      const FileBytes file = tests::readFile(entry.path().c_str());
      const auto info = decoder.open(file);
      if (!info || info->route != DecodeRoute::Own) continue;
      std::mt19937 random(4);
      IndexBytes index;
      for (int i = 0; i < (info->size.width > 1500 ? 3 : 8); ++i) {
        const DecodeRequest request = cropOf(random, info->storedSize);
        if (!decoder.decode(request)) continue;  // Damaged files have valid parts.
        SideIndexUse use;
        const QString found = differsIndexed(decoder, request, index, &use);
        QVERIFY2(found.isEmpty(), (entry.path().string() + ": ").c_str() + found.toUtf8());
        skipped += int(use.skippedMcus);
      }
      ++files;
    }
    QVERIFY(files > 60);
    QVERIFY(skipped > 10000);
  }

  void whatIsAboveTheRegionAndRightOfItIsSkippedFromTheSecondDecodeOn() {
    for (const int restart : {0, 3}) {
      ImageDecoder decoder;
      const FileBytes file = tallFile(1, restart);
      VERIFY_OK(decoder.open(file));
      IndexBytes index;
      const auto decode = [&](int row, int rows) {
        const auto image =
            decoder.decode({.region = {0, row * 8, 40, rows * 8}, .sideIndex = &index});
        return image ? image->sideIndex : SideIndexUse{0, false, true};
      };
      SideIndexUse use = decode(0, 24);
      QCOMPARE(use.skippedMcus, std::size_t{0});
      QVERIFY2(!use.changed && index.empty(), "the whole picture uses no index and creates none");
      use = decode(4, 6);
      QCOMPARE(use.skippedMcus, std::size_t{0});
      QVERIFY(use.changed);
      QCOMPARE(index.size(), std::size_t{24 + 9 * 10});  // rows 1 to 9; the last row is not left
      use = decode(7, 2);
      QCOMPARE(use.skippedMcus, std::size_t{7 * kAcross});
      QVERIFY(!use.changed);
      use = decode(20, 4);
      QCOMPARE(use.skippedMcus, std::size_t{9 * kAcross});
      QVERIFY2(use.changed, "it continues where it ended");
      QCOMPARE(index.size(), std::size_t{24 + 23 * 10});
      use = decode(23, 1);
      QCOMPARE(use.skippedMcus, std::size_t{23 * kAcross});
      QVERIFY(!use.changed && !use.wrong);
      const auto corner = decoder.decode({.region = {0, 0, 17, 80}, .sideIndex = &index});
      VERIFY_OK(corner);
      QCOMPARE(corner->sideIndex.skippedMcus, std::size_t{9 * 2});
    }
  }

  void greyFilesTakeSixBytesARow() {
    ImageDecoder decoder;
    const FileBytes file = writePlainJpeg(tests::colourful(40, 64, 1, 1), {});
    VERIFY_OK(decoder.open(file));
    IndexBytes index;
    VERIFY_OK(decoder.decode({.region = {0, 56, 40, 8}, .sideIndex = &index}));
    QCOMPARE(index.size(), std::size_t{24 + 7 * 6});
  }

  void whatIsDamagedIsLeftAsideAndMadeAnew() {
    ImageDecoder decoder;
    const FileBytes file = tallFile();
    const IndexBytes sound = indexOf(file);
    VERIFY_OK(decoder.open(file));
    const DecodeRequest request{.region = {5, 150, 30, 42}};
    const auto isMadeAnew = [&](IndexBytes index) {
      SideIndexUse use;
      const QString found = differsIndexed(decoder, request, index, &use);
      return found.isEmpty() && use.wrong && use.changed && use.skippedMcus == 0 && index == sound;
    };
    for (std::size_t bit = 0; bit < sound.size() * 8; ++bit) {
      IndexBytes index = sound;
      index[bit / 8] ^= std::byte(1U << bit % 8);
      QVERIFY2(isMadeAnew(index), qPrintable(QString("bit %1").arg(bit)));
    }
    for (std::size_t size = 1; size < sound.size(); ++size)
      QVERIFY(isMadeAnew({sound.begin(), sound.begin() + std::ptrdiff_t(size)}));
    IndexBytes longer = sound;
    longer.resize(sound.size() + 10);
    QVERIFY(isMadeAnew(longer));
    std::mt19937 random(6);
    for (std::byte& byte : longer) byte = std::byte(random());
    QVERIFY(isMadeAnew(longer));
  }

  void thatOfAnotherFileIsLeftAsideAndMadeAnew() {
    const FileBytes file = tallFile();
    FileBytes touched = file;
    touched[touched.size() / 3] ^= std::byte{4};  // in the scan, and of the same size
    for (const FileBytes& other :
         {tallFile(2), touched, writePlainJpeg(tests::colourful(40, 192, 1, 1), {})}) {
      const IndexBytes foreign = indexOf(other, 12);
      IndexBytes index = indexOf(file);
      ImageDecoder decoder;
      VERIFY_OK(decoder.open(other));
      SideIndexUse use;
      const QString found = differsIndexed(decoder, {.region = {0, 96, 40, 96}}, index, &use);
      QVERIFY2(found.isEmpty(), qPrintable(found));
      // In the modified file the damage may be found; the library then decodes and no rows are
      // added.
      if (foreign.empty()) continue;
      QVERIFY(use.wrong && use.changed);
      QVERIFY(index == foreign);
    }
  }

  /// Correct CRCs over wrong positions: whatever is decoded comes from the file.
  void inventedPositionsDoNoHarm() {
    std::mt19937 random(8);
    int refused = 0;
    int met = 0;
    for (const int restart : {0, 3}) {
      const FileBytes file = tallFile(3, restart);
      const IndexBytes sound = indexOf(file);
      ImageDecoder decoder;
      VERIFY_OK(decoder.open(file));
      for (int i = 0; i < 2000; ++i) {
        IndexBytes index = sound;
        for (unsigned n = 0; n < 1 + random() % 4; ++n)
          index[24 + random() % (index.size() - 24)] = std::byte(random());
        signIndex(index);
        const int row = 1 + int(random() % 23);
        const auto image = decoder.decode({.region = {0, row * 8, 40, 8}, .sideIndex = &index});
        VERIFY_OK(image);
        (image->sideIndex.wrong ? refused : met) += 1;
      }
    }
    QVERIFY(refused > 100 && met > 100);
  }

  void placesOutsideTheFileOrOutOfOrderAreRefused() {
    const FileBytes file = tallFile();
    const IndexBytes sound = indexOf(file);
    jpeg::Head head;
    QVERIFY(readHead(file, head) == DecodeRoute::Own);
    jpeg::SideIndex index;
    QVERIFY(index.read(sound, file, head));
    QCOMPARE(index.rows(), 24);
    const auto refuses = [&](std::size_t row, std::uint32_t bit) {
      IndexBytes bytes = sound;
      std::memcpy(bytes.data() + 24 + (row - 1) * 10, &bit, sizeof bit);
      signIndex(bytes);
      return !index.read(bytes, file, head) && index.rows() == 1;
    };
    const auto scanBits = std::uint32_t(file.size() - head.scanStart) * 8;
    QVERIFY(refuses(23, scanBits));
    QVERIFY(refuses(23, 0xffffffffU));
    QVERIFY(!refuses(23, scanBits - 1));
    QVERIFY(refuses(1, 0));
    QVERIFY(index.read(sound, file, head));
    QVERIFY(refuses(5, std::uint32_t(index.row(4).bit)));
    QVERIFY(index.read(sound, file, head));
    QVERIFY(refuses(5, std::uint32_t(index.row(6).bit)));
    IndexBytes tooManyRows = sound;
    tooManyRows.insert(tooManyRows.end(), sound.end() - 10, sound.end());
    tooManyRows[10] = std::byte{24};
    signIndex(tooManyRows);
    QVERIFY(!index.read(tooManyRows, file, head));
  }

  void whatIsReadIsWhatWasWritten() {
    const FileBytes file = tallFile();
    const IndexBytes sound = indexOf(file);
    jpeg::Head head;
    QVERIFY(readHead(file, head) == DecodeRoute::Own);
    jpeg::SideIndex index;
    QVERIFY(index.read(sound, file, head));
    IndexBytes again;
    index.write(file, again);
    QVERIFY(again == sound);
    // Starting there gives the same as starting at the top.
    jpeg::EntropyDecoder decoder;
    QVERIFY(decoder.setTables(head) == DecodeRoute::Own);
    const auto scan = std::span(file).subspan(head.scanStart);
    for (int row = 1; row < 24; ++row) {
      decoder.begin(head, scan, index.row(row - 1), std::size_t(row - 1) * 5);
      jpeg::ScanPlace place;
      QVERIFY(decoder.tellPlace(place) && place == index.row(row - 1));
      QVERIFY(decoder.skip(5) && decoder.tellPlace(place));
      QVERIFY(place == index.row(row));
    }
  }

  /// The result is the library's, as without an index, and the index is kept.
  void damageBelowIsHandledAsWithoutAnIndex() {
    const FileBytes whole = tallFile();
    const FileBytes file(whole.begin(), whole.begin() + std::ptrdiff_t(whole.size() * 6 / 10));
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(file));
    IndexBytes index;
    VERIFY_OK(decoder.decode({.region = {0, 40, 40, 24}, .sideIndex = &index}));
    const IndexBytes known = index;
    QVERIFY(!known.empty());
    const DecodeRequest below{.region = {0, 56, 40, 136}};
    const auto plain = decoder.decode(below);
    QVERIFY(!plain.ok());
    const std::string message = plain.error().message;
    DecodeRequest indexed = below;
    indexed.sideIndex = &index;
    const auto found = decoder.decode(indexed);
    QVERIFY(!found.ok());
    QCOMPARE(found.error().message, message);
    QVERIFY(index == known);
    SideIndexUse use;
    QVERIFY(differsIndexed(decoder, {.region = {0, 40, 40, 24}}, index, &use).isEmpty());
    QCOMPARE(use.skippedMcus, std::size_t{5 * kAcross});
  }
};

}  // namespace millrace

using millrace::TestSideIndex;
MILLRACE_TEST_CASE(TestSideIndex)
#include "tst_side_index.moc"
