// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/picture_figures.h"

#include <bit>
#include <cmath>
#include <vector>

#include "core/base/random.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

struct DrawnPicture {
  int width;
  int height;
  int channels;
  std::vector<std::uint8_t> values;

  ImageView view() const {
    return {values.data(), width, height, channels, std::ptrdiff_t{width} * channels};
  }
};

/// `value(x, y, c)` for every pixel.
template <class Value>
DrawnPicture drawn(int width, int height, int channels, Value value) {
  DrawnPicture picture{width, height, channels, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c)
        picture.values.push_back(static_cast<std::uint8_t>(value(x, y, c)));
  return picture;
}

std::uint8_t drawnNoise(int x, int y, int c) {
  const auto at = static_cast<char>(c);
  const std::string text = std::to_string(x) + "," + std::to_string(y) + at;
  return static_cast<std::uint8_t>(fnv1a(text) >> 20U);
}

}  // namespace

class TestPictureFigures : public QObject {
  Q_OBJECT
 private slots:
  void sumsAreThoseOfAPlainLoopAtEveryWidth() {
    for (const int channels : {1, 2, 3, 4})
      for (int width = 1; width < 140; width += 3) {
        const DrawnPicture picture = drawn(width, 3, channels, drawnNoise);
        const PictureFigures figures = figuresOf(picture.view());
        for (int c = 0; c < channels; ++c) {
          std::uint64_t sum = 0;
          std::uint64_t squares = 0;
          for (std::size_t i = static_cast<std::size_t>(c); i < picture.values.size();
               i += static_cast<std::size_t>(channels)) {
            sum += picture.values[i];
            squares += std::uint64_t{picture.values[i]} * picture.values[i];
          }
          QCOMPARE(figures.sum.at(static_cast<std::size_t>(c)), sum);
          QCOMPARE(figures.squares.at(static_cast<std::size_t>(c)), squares);
        }
      }
  }

  void whiteRowsOfAnyLengthDoNotOverflow() {
    const DrawnPicture picture = drawn(70001, 2, 3, [](int, int, int) { return 255; });
    const PictureFigures figures = figuresOf(picture.view());
    QCOMPARE(figures.squares[1], std::uint64_t{70001} * 2 * 255 * 255);
    QVERIFY(figures.isConstant());
    QCOMPARE(figures.deviation(2), 0.0);
  }

  void meanAndDeviationAreThoseOfTheValues() {
    const DrawnPicture picture =
        drawn(2, 1, 3, [](int x, int, int c) { return c == 0 ? 100 * x : 7; });
    const PictureFigures figures = figuresOf(picture.view());
    QCOMPARE(figures.mean(0), 50.0);
    QCOMPARE(figures.deviation(0), 50.0);
    QCOMPARE(figures.mean(1), 7.0);
    QVERIFY(!figures.isConstant());
  }

  void aHashHasABitForEachRisingStep() {
    QCOMPARE(differenceHash(drawn(90, 80, 3, [](int x, int, int) { return x; }).view()),
             ~std::uint64_t{0});
    QCOMPARE(differenceHash(drawn(90, 80, 3, [](int x, int, int) { return 200 - x; }).view()),
             std::uint64_t{0});
    // Only in the second of nine columns of the first of eight rows is it bright.
    const DrawnPicture spot =
        drawn(90, 80, 1, [](int x, int y, int) { return x / 10 == 1 && y < 10 ? 90 : 5; });
    QCOMPARE(differenceHash(spot.view()), std::uint64_t{1});
  }

  void copiesOfAnotherSizeHaveNearlyTheSameHash() {
    const auto waves = [](int side) {
      return drawn(side, side, 3, [side](int x, int y, int c) {
        const double u = 6.28 * x / side;
        const double v = 6.28 * y / side;
        return 128 + 60 * std::sin(2 * u + c) + 50 * std::cos(3 * v + u);
      });
    };
    const std::uint64_t large = differenceHash(waves(400).view());
    const std::uint64_t small = differenceHash(waves(150).view());
    QVERIFY(std::popcount(large ^ small) <= 3);
    QVERIFY(std::popcount(large ^ differenceHash(drawn(400, 400, 3, drawnNoise).view())) > 12);
  }

  void picturesSmallerThanTheGridHaveAHash() {
    for (int side = 1; side < 10; ++side)
      QCOMPARE(differenceHash(drawn(side, side, 3, drawnNoise).view()),
               differenceHash(drawn(side, side, 3, drawnNoise).view()));
  }
};

}  // namespace millrace

using millrace::TestPictureFigures;
MILLRACE_TEST_CASE(TestPictureFigures)
#include "tst_picture_figures.moc"
