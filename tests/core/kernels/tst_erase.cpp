// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/erase.h"

#include "tests/core/kernels/picture.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::Picture;

namespace {

bool inside(Rect r, int x, int y) {
  return x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height;
}

}  // namespace

class TestErase : public QObject {
  Q_OBJECT
 private slots:
  void aColourFillsTheRectangleAndNothingElse() {
    for (const int channels : {1, 3, 4})
      for (const Rect rect :
           {Rect{0, 0, 0, 0}, Rect{0, 0, 13, 7}, Rect{12, 6, 1, 1}, Rect{3, 2, 5, 4}}) {
        const Picture in(13, 7, channels);
        Picture got = in;
        eraseWithColour(got.edit(), rect, {1, 2, 3, 4});
        Picture wanted = in;
        for (int y = 0; y < 7; ++y)
          for (int x = 0; x < 13; ++x)
            for (int c = 0; c < channels; ++c)
              if (inside(rect, x, y)) wanted.at(x, y, c) = static_cast<std::uint8_t>(c + 1);
        QVERIFY(got == wanted);
      }
  }

  void noiseIsTheDrawsBytes() {
    const Picture in(13, 7, 3);
    const Rect rect{3, 2, 5, 4};
    Picture got = in;
    Draw draw(DrawKey{1, 2, 3});
    eraseWithNoise(got.edit(), rect, draw);
    Draw again(DrawKey{1, 2, 3});
    Picture wanted = in;
    for (int y = rect.y; y < rect.y + rect.height; ++y) {
      std::uint32_t bits = 0;
      for (int i = 0; i < 15; ++i) {
        bits = i % 4 == 0 ? again.bits() : bits / 256;
        wanted.at(rect.x + i / 3, y, i % 3) = static_cast<std::uint8_t>(bits % 256);
      }
    }
    QVERIFY(got == wanted);
  }
};

}  // namespace millrace

using millrace::TestErase;
MILLRACE_TEST_CASE(TestErase)
#include "tst_erase.moc"
