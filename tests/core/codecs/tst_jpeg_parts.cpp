// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The parts of the built-in JPEG decoder: every vector level gives the bits of the code without
// vectors, and invalid tables are rejected.
#include <random>

#include "core/codecs/jpeg/block_layout.h"
#include "core/codecs/jpeg/colour_rows.h"
#include "core/codecs/jpeg/huffman_table.h"
#include "core/codecs/jpeg/inverse_dct.h"
#include "core/codecs/jpeg/scan_bytes.h"
#include "tests/core/kernels/levels.h"
#include "tests/support/test_case.h"

namespace millrace {
namespace {

using jpeg::HuffmanSpec;
using jpeg::HuffmanTable;

constexpr std::size_t kGroups = 3;

/// Coefficients as in photos, or (wild) arbitrary ones.
std::vector<std::int16_t> coefficients(std::mt19937& random, bool wild) {
  std::vector<std::int16_t> all(kGroups * jpeg::kGroupStride);
  const auto spread = wild ? 65536U : 64U;
  const auto share = 1 + random() % 20;
  for (std::int16_t& value : all)
    if (random() % 20 < share) value = std::int16_t(int(random() % spread) - int(spread / 2));
  return all;
}

/// A table with `counts` codes per length from 1 on, and the symbols 1, 2, 3, ...
HuffmanSpec specOf(std::initializer_list<int> counts) {
  HuffmanSpec spec;
  spec.present = true;
  std::size_t length = 0;
  for (const int count : counts) spec.counts[++length] = std::uint8_t(count);
  for (std::size_t i = 0; i < spec.symbols.size(); ++i) spec.symbols[i] = std::uint8_t(i + 1);
  return spec;
}

}  // namespace

class TestJpegParts : public QObject {
  Q_OBJECT
 private slots:
  void everyLevelTransformsLikeThePlainCode() {
    std::mt19937 random(1);
    for (int turn = 0; turn < 400; ++turn) {
      const bool wild = turn % 4 == 3;
      const auto from = coefficients(random, wild);
      jpeg::QuantTable quant{};
      for (auto& step : quant) step = std::uint16_t(1 + random() % (wild ? 255 : 20));
      for (const int size : {8, 4, 2, 1}) {
        const std::size_t width = kGroups * 4 * std::size_t(size);
        std::vector<std::uint8_t> expected(width * 8);
        const bool plausible =
            jpeg::plain::inverseDct(from.data(), kGroups, quant, size, expected.data(), width);
        for (const std::int64_t level : tests::vectorLevels()) {
          const tests::ForcedLevel forced(level);
          std::vector<std::uint8_t> made(width * 8);
          QCOMPARE(jpeg::inverseDct(from.data(), kGroups, quant, size, made.data(), width),
                   plausible);
          QVERIFY2(made == expected, (tests::levelName(level) + " size " + std::to_string(size) +
                                      " turn " + std::to_string(turn))
                                         .c_str());
        }
      }
    }
  }

  void everyLevelConvertsEveryColourLikeThePlainCode() {
    std::vector<std::uint8_t> y(65536), cb(65536), cr(65536);
    std::mt19937 random(2);
    for (std::size_t i = 0; i < y.size(); ++i) {
      y[i] = std::uint8_t(random());
      cb[i] = std::uint8_t(i);
      cr[i] = std::uint8_t(i >> 8U);
    }
    std::vector<std::uint8_t> expected(3 * y.size());
    jpeg::plain::ycbcrToRgb(y.data(), cb.data(), cr.data(), 65536, expected.data());
    for (const std::int64_t level : tests::vectorLevels()) {
      const tests::ForcedLevel forced(level);
      for (const int width : {65536, 65535, 1, 31, 33, 63}) {
        std::vector<std::uint8_t> padded(3 * y.size() + jpeg::kRowOverrun);
        for (auto* plane : {&y, &cb, &cr}) plane->resize(65536 + jpeg::kRowOverrun);
        jpeg::ycbcrToRgb(y.data(), cb.data(), cr.data(), width, padded.data());
        QVERIFY2(std::equal(expected.begin(), expected.begin() + 3 * width, padded.begin()),
                 tests::levelName(level).c_str());
      }
    }
  }

  void everyLevelUpsamplesLikeThePlainCode() {
    using jpeg::Upsampling;
    auto above = tests::noise(300, 1);
    auto row = tests::noise(300, 2);
    for (const std::int64_t level : tests::vectorLevels())
      for (const auto how :
           {Upsampling::None, Upsampling::Repeat2, Upsampling::Repeat4, Upsampling::SmoothAcross})
        for (const int count : {1, 2, 3, 15, 16, 17, 63, 64, 65, 131})
          for (unsigned flags = 0; flags < 16; ++flags) {
            const tests::ForcedLevel forced(level);
            jpeg::ChromaRow from{row.data() + 10,   (flags & 1U) != 0 ? above.data() + 10 : nullptr,
                                 (flags & 2U) != 0, count,
                                 (flags & 4U) != 0, (flags & 8U) != 0};
            if (from.near != nullptr && (how == Upsampling::Repeat2 || how == Upsampling::Repeat4))
              continue;
            std::vector<std::uint8_t> expected(700 + jpeg::kRowOverrun), made(expected.size());
            std::vector<std::int16_t> sums(400);
            jpeg::plain::upsampleRow(from, how, expected.data());
            jpeg::upsampleRow(from, how, sums.data(), made.data());
            QVERIFY2(std::equal(expected.begin(), expected.begin() + 4 * count, made.begin()),
                     (tests::levelName(level) + " " + std::to_string(count)).c_str());
          }
  }

  void aScanLosesItsStuffingAndIsPartedAtRestartMarkers() {
    const auto assign = [](std::initializer_list<int> values, bool restarts) {
      std::vector<std::byte> data;
      for (const int value : values) data.push_back(std::byte(value));
      jpeg::ScanBytes scan;
      scan.assign(data, restarts);
      std::vector<std::vector<std::uint8_t>> parts;
      for (std::size_t i = 0; i < scan.segments(); ++i)
        parts.emplace_back(scan.segment(i).begin(), scan.segment(i).end());
      return parts;
    };
    using Parts = std::vector<std::vector<std::uint8_t>>;
    QCOMPARE(assign({1, 0xff, 0, 2, 0xff, 0xd9, 3}, false), (Parts{{1, 0xff, 2}}));
    QCOMPARE(assign({1, 0xff, 0, 0xff, 0, 2, 0xff}, false), (Parts{{1, 0xff, 0xff, 2}}));
    QCOMPARE(assign({1, 0xff, 0xff, 0, 2, 0xff}, false), (Parts{{1}}));
    QCOMPARE(assign({1, 0xff, 0xd0, 2, 0xff, 0xff, 0xd1, 3}, true), (Parts{{1}, {2}, {3}}));
    QCOMPARE(assign({1, 0xff, 0xd0, 2, 0xff, 0xd2, 3}, true), (Parts{{1}, {2}}));
    QCOMPARE(assign({1, 0xff, 0xd0, 2}, false), (Parts{{1}}));
    QCOMPARE(assign({}, true), (Parts{{}}));
  }

  void segmentsFromTheMiddleOfAScanKnowTheirPlace() {
    std::vector<std::byte> data;
    for (const int value : {1, 0xff, 0, 0xff, 0xd3, 2, 0xff, 0xff, 0xd4, 5})
      data.push_back(std::byte(value));
    jpeg::ScanBytes scan;
    scan.assign(data, true, 3);
    QCOMPARE(scan.segments(), std::size_t{3});
    QCOMPARE(scan.origin(0), std::size_t{0});
    QCOMPARE(scan.origin(1), std::size_t{5});
    QCOMPARE(scan.origin(2), std::size_t{9});
    QCOMPARE(int(scan.segment(2)[0]), 5);
    scan.assign(data, true, 2);
    QCOMPARE(scan.segments(), std::size_t{1});
    scan.assign(data, true, 11);
    QCOMPARE(scan.segments(), std::size_t{3});
  }

  void everyLevelCopiesUpToTheSameByteAndCountsAlike() {
    auto from = tests::noise(500, 3);
    for (auto& byte : from)
      if (byte == 0xff) byte = 0;
    for (const std::int64_t level : tests::vectorLevels())
      for (std::size_t at = 0; at < 200; ++at) {
        const tests::ForcedLevel forced(level);
        auto marked = from;
        marked[at] = 0xff;
        std::vector<std::uint8_t> to(600);
        QCOMPARE(jpeg::copyUntilFf(marked.data(), 200, to.data()), at);
        QCOMPARE(jpeg::countFf(std::span(marked).first(at)), std::size_t{0});
        QCOMPARE(jpeg::countFf(std::span(marked).first(200)), std::size_t{1});
        QCOMPARE(jpeg::countFf(std::vector<std::uint8_t>(at, 0xff)), at);
        QVERIFY(std::equal(to.begin(), to.begin() + std::ptrdiff_t(at), from.begin()));
      }
  }

  void tablesThatNoEncoderWritesAreRefused() {
    using Kind = HuffmanTable::Kind;
    HuffmanTable table;
    QVERIFY(table.build(specOf({0, 3}), Kind::Ac));
    QVERIFY(table.build(specOf({1, 1, 1}), Kind::Dc));
    QVERIFY2(!table.build(specOf({}), Kind::Ac), "empty");
    QVERIFY2(!table.build(specOf({2}), Kind::Ac), "a code of all ones");
    QVERIFY2(!table.build(specOf({0, 4}), Kind::Ac), "a code of all ones");
    QVERIFY2(!table.build(specOf({0, 5}), Kind::Ac), "over-subscribed");
    QVERIFY2(!table.build(specOf({1, 1, 3}), Kind::Ac), "over-subscribed");
    HuffmanSpec wide = specOf({1, 1, 1});
    wide.symbols[2] = 16;
    QVERIFY2(!HuffmanTable().build(wide, Kind::Dc), "a DC category over 15");
    QVERIFY(HuffmanTable().build(wide, Kind::Ac));
    QVERIFY2(table.build(specOf({1, 1, 1}), Kind::Dc), "a table after a rejected one");
  }

  void aLongCodeIsFoundAndAMissingOneIsNot() {
    // One code of each length 1 to 16: 0, 10, 110, ...
    HuffmanTable table;
    QVERIFY(table.build(specOf({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}),
                        HuffmanTable::Kind::Ac));
    for (unsigned length = 11; length <= 16; ++length) {
      const std::uint64_t bits = ~0ULL << (64 - length + 1);
      QCOMPARE(table.lookup(bits), HuffmanTable::Entry{0});
      QCOMPARE(table.symbol(bits).length, int(length));
      QCOMPARE(table.symbol(bits).symbol, length);
    }
    QCOMPARE(table.symbol(~0ULL).length, 0);
    QCOMPARE(table.longEntry(~0ULL), HuffmanTable::Entry{0});
  }

  /// A table holds few long codes, more are searched; the result is the same.
  void longCodesBringTheirValueAndRun() {
    std::mt19937 random(2);
    for (const HuffmanSpec& spec :
         {specOf({1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 2, 3, 9, 20}),  // few are long
          specOf({1, 0, 0, 0, 0, 0, 0, 0, 0, 40, 20, 0, 9, 0, 0, 60})}) {
      HuffmanTable table;
      QVERIFY(table.build(spec, HuffmanTable::Kind::Ac));
      int met = 0;
      for (std::uint64_t top = 0; top < 65536; ++top) {
        const std::uint64_t bits = top << 48U | (std::uint64_t{random()} << 16U);
        if (table.lookup(bits) != 0) continue;
        const HuffmanTable::Entry entry = table.longEntry(bits);
        const HuffmanTable::Symbol symbol = table.symbol(bits);
        if (symbol.length == 0) {
          QCOMPARE(entry, HuffmanTable::Entry{0});
          continue;
        }
        ++met;
        const unsigned category = symbol.symbol & 15U;
        const unsigned run = symbol.symbol >> 4U;
        QCOMPARE(entry & 0xffU, std::uint64_t(symbol.length) + category);
        QCOMPARE(entry >> 8U & 0xffU, std::uint64_t{63});
        const bool ends = category == 0 && run != 15;
        QCOMPARE(entry >> 16U & 0xffU, std::uint64_t(ends ? HuffmanTable::kEndOfBlock : run));
        QCOMPARE(entry >> 24U & 0xffU, std::uint64_t{0});
        int value = 0;  // T.81, figure F.12
        if (category > 0) {
          const auto extra = int(bits << unsigned(symbol.length) >> (64 - category));
          value = extra < 1 << (category - 1) ? extra - (1 << category) + 1 : extra;
        }
        QCOMPARE(std::int16_t(entry >> 32U), std::int16_t(value));
        QCOMPARE(std::int16_t(entry >> 48U), std::int16_t(value));
      }
      QVERIFY(met > 100);
    }
  }
};

}  // namespace millrace

using millrace::TestJpegParts;
MILLRACE_TEST_CASE(TestJpegParts)
#include "tst_jpeg_parts.moc"
