// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/colour/blur.h"

#include <cmath>

#include "tests/core/kernels/picture.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::Picture;

namespace {

/// Reflects the index at the edges until it is inside.
int mirrored(int i, int size) {
  if (size == 1) return 0;
  while (i < 0 || i >= size) i = i < 0 ? -i : 2 * (size - 1) - i;
  return i;
}

double blurred(const Picture& in, int x, int y, int c, const GaussianSpec& spec) {
  double sum = 0;
  double weights = 0;
  for (int dy = -(spec.size.height / 2); dy <= spec.size.height / 2; ++dy)
    for (int dx = -(spec.size.width / 2); dx <= spec.size.width / 2; ++dx) {
      const double w = std::exp(-dx * dx / (2 * spec.sigmaX * spec.sigmaX) -
                                dy * dy / (2 * spec.sigmaY * spec.sigmaY));
      sum += w * in.at(mirrored(x + dx, in.width), mirrored(y + dy, in.height), c);
      weights += w;
    }
  return sum / weights;
}

}  // namespace

class TestBlur : public QObject {
  Q_OBJECT
 private slots:
  /// 0.5 for the rounding, plus the error of f32 sums of at most 255: 46 terms of 255 * 2^-24 each.
  void isTheGaussianSumOnEveryLevel() {
    GaussianBlur blur;
    const GaussianSpec specs[] = {
        {{3, 3}, 0.8, 0.8}, {{5, 1}, 2, 1}, {{1, 9}, 1, 3}, {{23, 23}, 2.5, 1.5}};
    const Size sizes[] = {{1, 1}, {2, 3}, {13, 1}, {12, 13}, {65, 31}};
    for (const GaussianSpec& spec : specs)
      for (const Size size : sizes)
        for (const int channels : {1, 3, 4}) {
          const Picture in(size.width, size.height, channels);
          Picture first = in;
          blur.run(first.edit(), spec);
          for (int y = 0; y < in.height; ++y)
            for (int x = 0; x < in.width; ++x)
              for (int c = 0; c < channels; ++c)
                QVERIFY(std::abs(first.at(x, y, c) - blurred(in, x, y, c, spec)) < 0.5 + 1e-3);
          for (const std::int64_t level : tests::vectorLevels()) {
            const tests::ForcedLevel forced(level);
            Picture got = in;
            blur.run(got.edit(), spec);
            QVERIFY2(got == first, tests::levelName(level).c_str());
          }
        }
  }

  void aFlatPictureStaysFlat() {
    Picture in(40, 20, 3);
    std::fill(in.bytes.begin(), in.bytes.end(), std::uint8_t{255});
    Picture got = in;
    GaussianBlur().run(got.edit(), {{7, 7}, 1.7, 1.7});
    QVERIFY(got == in);
  }
};

}  // namespace millrace

using millrace::TestBlur;
MILLRACE_TEST_CASE(TestBlur)
#include "tst_blur.moc"
