// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/onehot.h"

#include <cstring>

#include "tests/core/kernels/picture.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::Picture;

namespace {

Picture indexMask(int width, int height, int classes) {
  Picture mask(width, height, 1);
  for (auto& byte : mask.bytes) byte = static_cast<std::uint8_t>(byte % classes);
  return mask;
}

std::vector<ColourTable::Colour> manyColours(std::size_t count) {
  std::vector<ColourTable::Colour> colours;
  for (std::size_t i = 0; i < count; ++i)
    colours.push_back({static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(255 - i),
                       static_cast<std::uint8_t>(i * 7)});
  return colours;
}

}  // namespace

class TestOnehot : public QObject {
  Q_OBJECT
 private slots:
  void aMaskHasOneInItsClassAndNoughtElsewhere() {
    for (const Size size : {Size{1, 1}, Size{9, 5}})
      for (const Layout layout : {Layout::Hwc, Layout::Chw}) {
        const Picture mask = indexMask(size.width, size.height, 6);
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size.width * size.height * 6), 77);
        std::vector<float> floats(bytes.size(), 77);
        QCOMPARE(oneHotMask(mask.view(), 6, DType::U8, layout,
                            reinterpret_cast<std::byte*>(bytes.data()))
                     .count,
                 0);
        (void)oneHotMask(mask.view(), 6, DType::F32, layout,
                         reinterpret_cast<std::byte*>(floats.data()));
        for (int y = 0; y < size.height; ++y)
          for (int x = 0; x < size.width; ++x)
            for (int k = 0; k < 6; ++k) {
              const int at = layout == Layout::Chw ? (k * size.height + y) * size.width + x
                                                   : (y * size.width + x) * 6 + k;
              const int wanted = mask.at(x, y, 0) == k ? 1 : 0;
              QCOMPARE(int{bytes[static_cast<std::size_t>(at)]}, wanted);
              QCOMPARE(floats[static_cast<std::size_t>(at)], static_cast<float>(wanted));
            }
      }
  }

  void indicesWithoutAClassAreCountedAndTheFirstIsNamed() {
    Picture mask = indexMask(9, 5, 3);
    mask.at(4, 2, 0) = 200;
    mask.at(1, 3, 0) = 3;
    std::vector<std::uint8_t> out(9 * 5 * 3, 77);
    const UnknownPixels unknown = oneHotMask(mask.view(), 3, DType::U8, Layout::Hwc,
                                             reinterpret_cast<std::byte*>(out.data()));
    QCOMPARE(unknown.count, 2);
    QCOMPARE(unknown.x, 4);
    QCOMPARE(unknown.y, 2);
    QCOMPARE(unknown.value, 200U);
    for (std::size_t k = 0; k < 3; ++k) QCOMPARE(int{out[(2 * 9 + 4) * 3 + k]}, 0);
  }

  void labelsBecomeVectorsOfEachType() {
    std::array<std::byte, 16> out{};
    QVERIFY(oneHotLabel(2, 4, DType::F32, out.data()));
    std::array<float, 4> floats{};
    std::memcpy(floats.data(), out.data(), 16);
    QVERIFY((floats == std::array<float, 4>{0, 0, 1, 0}));
    QVERIFY(oneHotLabel(0, 4, DType::F16, out.data()));
    std::array<std::uint16_t, 4> halves{};
    std::memcpy(halves.data(), out.data(), 8);
    QVERIFY((halves == std::array<std::uint16_t, 4>{0x3c00, 0, 0, 0}));
    QVERIFY(oneHotLabel(3, 4, DType::BF16, out.data()));
    std::memcpy(halves.data(), out.data(), 8);
    QVERIFY((halves == std::array<std::uint16_t, 4>{0, 0, 0, 0x3f80}));
    QVERIFY(oneHotLabel(1, 4, DType::U8, out.data()));
    QCOMPARE(static_cast<int>(out[1]), 1);
    QVERIFY(!oneHotLabel(4, 4, DType::F32, out.data()));
    QVERIFY(!oneHotLabel(-1, 4, DType::F32, out.data()));
    std::memcpy(floats.data(), out.data(), 16);
    QVERIFY((floats == std::array<float, 4>{}));
  }

  void colourTablesRefuseWhatTheyCannotTellApart() {
    QVERIFY(!ColourTable::of({}).ok());
    QVERIFY(!ColourTable::of(manyColours(257)).ok());
    const auto twice = ColourTable::of({{1, 2, 3}, {4, 5, 6}, {1, 2, 3}});
    QVERIFY(!twice.ok());
    QCOMPARE(twice.error().message,
             std::string("classes 0 and 2 of the colour table have the same colour"));
  }

  void aFullTableFindsEveryColourAndNoOther() {
    const auto colours = manyColours(256);
    const auto table = ColourTable::of(colours);
    VERIFY_OK(table);
    QCOMPARE(table->classes(), 256);
    for (std::size_t i = 0; i < colours.size(); ++i)
      QCOMPARE(table->classOf(colours[i]), static_cast<int>(i));
    for (int i = 0; i < 4096; ++i)
      QCOMPARE(table->classOf({static_cast<std::uint8_t>(i), 0, static_cast<std::uint8_t>(i / 16)}),
               i % 256 == 255 && i / 16 == (255 * 7) % 256 ? 255 : -1);
  }

  void colourMasksBecomeIndices() {
    const auto colours = manyColours(32);
    const auto table = ColourTable::of(colours);
    VERIFY_OK(table);
    for (const int channels : {3, 4}) {
      Picture mask(21, 8, channels);
      Picture wanted(21, 8, 1);
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 21; ++x) {
          const auto k = static_cast<std::size_t>((x / 3 + y * 5) % 32);
          for (int c = 0; c < 3; ++c) mask.at(x, y, c) = colours[k][static_cast<std::size_t>(c)];
          wanted.at(x, y, 0) = static_cast<std::uint8_t>(k);
        }
      mask.at(20, 6, 1) = 3;
      mask.at(2, 7, 2) = 250;
      wanted.at(20, 6, 0) = 255;
      wanted.at(2, 7, 0) = 255;
      Picture got(21, 8, 1);
      const UnknownPixels unknown = table->toIndices(mask.view(), 255, got.edit());
      QVERIFY(got == wanted);
      QCOMPARE(unknown.count, 2);
      QCOMPARE(unknown.x, 20);
      QCOMPARE(unknown.y, 6);
      QCOMPARE(unknown.value, static_cast<std::uint32_t>((mask.at(20, 6, 0) << 16) | (3 << 8) |
                                                         mask.at(20, 6, 2)));
    }
  }
};

}  // namespace millrace

using millrace::TestOnehot;
MILLRACE_TEST_CASE(TestOnehot)
#include "tst_onehot.moc"
