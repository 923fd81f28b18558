// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/change/clahe.h"

#include <vector>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

using Pixels = std::vector<std::uint8_t>;

Pixels greyPicture(int width, int height) {
  Pixels pixels;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      pixels.push_back(static_cast<std::uint8_t>(
          (x * 3 + y * 2 + (x * y) % 23 + (x / 9) * (y / 7) * 5) % 200 + 20));
  return pixels;
}

MutableImageView viewOf(Pixels& pixels, int width, int height, int channels) {
  return {pixels.data(), width, height, channels, std::ptrdiff_t{width} * channels};
}

/// FNV-1a.
std::uint64_t hashOf(const Pixels& pixels) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const std::uint8_t pixel : pixels) hash = (hash ^ pixel) * 1099511628211ULL;
  return hash;
}

/// Size, limit, tiles, and the hash of what cv2.createCLAHE(limit, (tiles, tiles)).apply() of
/// OpenCV 5.0 makes of greyPicture().
struct Example {
  int width;
  int height;
  double limit;
  int tiles;
  std::uint64_t hash;
};
constexpr Example kExamples[] = {{64, 48, 2.0, 8, 13851157711631241099ULL},
                                 {45, 38, 4.0, 8, 11569403743896148049ULL},
                                 {30, 21, 1.0, 4, 16682891428033127528ULL},
                                 {17, 40, 40.0, 3, 10083974430640682829ULL}};

}  // namespace

class TestClahe : public QObject {
  Q_OBJECT
 private slots:
  void greyPicturesGetThePixelsOfOpenCv() {
    Clahe clahe;
    for (const Example& each : kExamples) {
      Pixels pixels = greyPicture(each.width, each.height);
      clahe.run(viewOf(pixels, each.width, each.height, 1), each.limit, each.tiles);
      QCOMPARE(hashOf(pixels), each.hash);
    }
  }

  void coloursChangeWithTheirLumaAndAlphaStays() {
    constexpr int kWidth = 40;
    constexpr int kHeight = 30;
    Clahe clahe;
    Pixels grey = greyPicture(kWidth, kHeight);
    Pixels colours;
    for (const std::uint8_t value : grey)
      colours.insert(colours.end(), {value, value, value, static_cast<std::uint8_t>(value / 2)});
    const Pixels before = colours;
    clahe.run(viewOf(grey, kWidth, kHeight, 1), 3, 4);
    clahe.run(viewOf(colours, kWidth, kHeight, 4), 3, 4);
    for (std::size_t i = 0; i < grey.size(); ++i) {
      for (std::size_t c = 0; c < 3; ++c) QCOMPARE(colours[4 * i + c], grey[i]);
      QCOMPARE(colours[4 * i + 3], before[4 * i + 3]);
    }
  }

  void aPictureOfOnePixelIsOne() {
    Pixels pixel{7};
    Clahe().run(viewOf(pixel, 1, 1, 1), 2, 8);
    QCOMPARE(pixel.size(), std::size_t{1});
    Clahe().run(viewOf(pixel, 0, 0, 1), 2, 8);
  }
};

}  // namespace millrace

using millrace::TestClahe;
MILLRACE_TEST_CASE(TestClahe)
#include "tst_clahe.moc"
