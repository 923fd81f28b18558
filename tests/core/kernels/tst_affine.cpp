// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/affine.h"

#include <cmath>

#include "core/kernels/pad.h"
#include "tests/core/kernels/picture.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::Picture;

namespace {

constexpr std::array<std::uint8_t, 4> kFill{9, 99, 199, 250};
constexpr Border kBorders[] = {Border::Constant, Border::Edge, Border::Symmetric, Border::Reflect,
                               Border::Wrap};

/// Steps from the edge one pixel at a time.
int place(int i, int size, Border border) {
  int at = i < 0 ? 0 : size - 1;
  int direction = 1;
  int steps = i < 0 ? -i : i - size + 1;
  if (i >= 0 && i < size) return i;
  if (border == Border::Constant) return -1;
  if (border == Border::Edge) return at;
  if (border == Border::Wrap) return ((i % size) + size) % size;
  direction = i < 0 ? 1 : -1;
  if (border == Border::Reflect && size == 1) return 0;
  if (border == Border::Symmetric) --steps;  // the first step repeats the edge
  for (; steps > 0; --steps) {
    if (at + direction >= 0 && at + direction < size) {
      at += direction;
    } else {
      direction = -direction;
      if (border == Border::Reflect) at += direction;
    }
  }
  return at;
}

int sample(const Picture& in, int x, int y, int c, Border border) {
  const int column = place(x, in.width, border);
  const int row = place(y, in.height, border);
  return column < 0 || row < 0 ? kFill[static_cast<std::size_t>(c)] : in.at(column, row, c);
}

double bilinear(const Picture& in, double x, double y, int c, Border border) {
  const int column = static_cast<int>(std::floor(x - 0.5));
  const int row = static_cast<int>(std::floor(y - 0.5));
  const double right = x - 0.5 - column;
  const double down = y - 0.5 - row;
  return (1 - down) * ((1 - right) * sample(in, column, row, c, border) +
                       right * sample(in, column + 1, row, c, border)) +
         down * ((1 - right) * sample(in, column, row + 1, c, border) +
                 right * sample(in, column + 1, row + 1, c, border));
}

}  // namespace

class TestAffine : public QObject {
  Q_OBJECT
 private slots:
  void bordersContinueThePicture() {
    for (const Border border : kBorders)
      for (const int size : {1, 2, 3, 7})
        for (int i = -20; i < 30; ++i)
          QCOMPARE(static_cast<int>(borderIndex(i, size, border)), place(i, size, border));
  }

  void theIdentityCopies() {
    for (const int channels : {1, 2, 3, 4})
      for (const Filter filter : {Filter::Nearest, Filter::Bilinear}) {
        const Picture in(17, 9, channels);
        Picture out = in;
        for (auto& byte : out.bytes) byte = static_cast<std::uint8_t>(~byte);
        warpAffine(in.view(), {}, filter, Border::Constant, kFill, out.edit());
        for (int y = 0; y < 9; ++y)
          for (int x = 0; x < 17; ++x)
            for (int c = 0; c < channels; ++c) QCOMPARE(int{out.at(x, y, c)}, in.at(x, y, c));
      }
  }

  /// Weights truncated to 2^-11 on both axes change a value by at most 2 * 255 * 2^-11, rounding by
  /// 0.5.
  void bilinearMixesItsFourNeighbours() {
    const AffineMap map{0.83, -0.41, 3.2, 0.37, 1.21, -7.9};
    for (const Size size : {Size{1, 1}, Size{23, 19}})
      for (const Border border : kBorders)
        for (const int channels : {1, 3, 4}) {
          const Picture in(size.width, size.height, channels);
          Picture out(31, 27, channels);
          warpAffine(in.view(), map, Filter::Bilinear, border, kFill, out.edit());
          for (int y = 0; y < 27; ++y)
            for (int x = 0; x < 31; ++x)
              for (int c = 0; c < channels; ++c) {
                const double fromX = map.xx * (x + 0.5) + map.xy * (y + 0.5) + map.x0;
                const double fromY = map.yx * (x + 0.5) + map.yy * (y + 0.5) + map.y0;
                QVERIFY(std::abs(out.at(x, y, c) - bilinear(in, fromX, fromY, c, border)) < 0.75);
              }
        }
  }

  void nearestTakesThePixelThatHoldsThePlace() {
    // A quarter turn about the centre: exact in binary, so rounding moves no point across an edge.
    const AffineMap map{0, 1, 0, -1, 0, 12};
    const Picture in(12, 12, 1);
    Picture out(12, 12, 1);
    warpAffine(in.view(), map, Filter::Nearest, Border::Constant, kFill, out.edit());
    for (int y = 0; y < 12; ++y)
      for (int x = 0; x < 12; ++x) QCOMPARE(int{out.at(x, y, 0)}, in.at(y, 11 - x, 0));
    const AffineMap shear{1, 0.25, -3.3125, 0.125, 1, 2.4375};
    for (const Border border : kBorders) {
      warpAffine(in.view(), shear, Filter::Nearest, border, kFill, out.edit());
      for (int y = 0; y < 12; ++y)
        for (int x = 0; x < 12; ++x) {
          const double fromX = x + 0.5 + 0.25 * (y + 0.5) - 3.3125;
          const double fromY = 0.125 * (x + 0.5) + y + 0.5 + 2.4375;
          QCOMPARE(int{out.at(x, y, 0)}, sample(in, static_cast<int>(std::floor(fromX)),
                                                static_cast<int>(std::floor(fromY)), 0, border));
        }
    }
  }

  void paddingContinuesThePicture() {
    for (const Border border : kBorders)
      for (const int channels : {1, 2, 3, 4})
        for (const Size size : {Size{1, 1}, Size{5, 3}}) {
          const Picture in(size.width, size.height, channels);
          Picture out(23, 17, channels, 3);
          pad(in.view(), 9, 4, border, kFill, out.edit());
          for (int y = 0; y < 17; ++y)
            for (int x = 0; x < 23; ++x)
              for (int c = 0; c < channels; ++c)
                QCOMPARE(int{out.at(x, y, c)}, sample(in, x - 9, y - 4, c, border));
        }
  }
};

}  // namespace millrace

using millrace::TestAffine;
MILLRACE_TEST_CASE(TestAffine)
#include "tst_affine.moc"
