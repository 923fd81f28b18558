// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/image_steps.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestImageSteps : public QObject {
  Q_OBJECT
 private slots:
  void aWindowBeginsAsTheWholePicture() {
    const Window window({64, 48}, 1);
    QVERIFY(window.size() == (Size{64, 48}));
    QVERIFY(window.source() == (Rect{0, 0, 64, 48}));
    QVERIFY(window.cut() == (Rect{0, 0, 64, 48}));
    QVERIFY(window.resizedTo() == (Size{64, 48}));
    QVERIFY(!window.resized() && !window.padded() && !window.flippedX() && !window.flippedY());
  }

  void cropsAddUp() {
    Window window({100, 80}, 1);
    window.crop({10, 20, 50, 40});
    window.crop({5, 6, 7, 8});
    QVERIFY(window.source() == (Rect{15, 26, 7, 8}));
    QVERIFY(window.size() == (Size{7, 8}));
  }

  void aCropAfterAResizeIsOfTheResizedPicture() {
    Window window({100, 80}, 1);
    window.crop({0, 0, 50, 40});
    window.resize({25, 20}, Filter::Nearest, false);
    window.crop({1, 2, 10, 11});
    window.crop({1, 1, 5, 5});
    QVERIFY(window.source() == (Rect{0, 0, 50, 40}));
    QVERIFY(window.resizedTo() == (Size{25, 20}));
    QVERIFY(window.cut() == (Rect{2, 3, 5, 5}));
    QVERIFY(window.size() == (Size{5, 5}));
    QVERIFY(window.filter() == Filter::Nearest && !window.antialias());
  }

  void aCropOfAMirroredPictureTakesTheOtherSide() {
    Window window({100, 80}, 1);
    window.flipHorizontally();
    window.crop({10, 20, 30, 40});
    QVERIFY(window.source() == (Rect{60, 20, 30, 40}));
    window.flipVertically();
    window.crop({0, 0, 30, 10});
    QVERIFY(window.source() == (Rect{60, 50, 30, 10}));
    window.flipHorizontally();
    QVERIFY(!window.flippedX() && window.flippedY());
  }

  void paddingPlacesThePictureOnACanvas() {
    Window window({10, 8}, 1);
    PadFill fill;
    fill.border = Border::Reflect;
    fill.mask = {255, 255, 255, 255};
    window.pad(1, 2, 3, 4, fill);
    QVERIFY(window.size() == (Size{14, 14}));
    QVERIFY(window.canvas() == (Size{14, 14}));
    QVERIFY(window.placed() == (Rect{1, 2, 10, 8}));
    QVERIFY(window.fill().border == Border::Reflect && window.fill().mask == fill.mask);
    window.crop({2, 3, 5, 6});
    QVERIFY(window.view() == (Rect{2, 3, 5, 6}));
    QVERIFY(window.placed() == (Rect{1, 2, 10, 8}));
    QVERIFY(window.cut() == (Rect{0, 0, 10, 8}));
    QVERIFY(window.size() == (Size{5, 6}));
  }

  void paddingOfAMirroredPictureGoesToTheOtherSide() {
    Window window({10, 8}, 1);
    window.flipHorizontally();
    window.flipVertically();
    window.pad(1, 2, 3, 4, {});
    QVERIFY(window.placed() == (Rect{3, 4, 10, 8}));
  }

  void lengthsOfThePictureAreWholePixelsOfASmallerPartner() {
    const Window window({10, 10}, 4);
    QCOMPARE(window.imageRatio(), 4);
    QCOMPARE(*window.fromImagePixels(12), 3);
    QCOMPARE(*window.fromImagePixels(0), 0);
    const Result<int> between = window.fromImagePixels(10);
    QVERIFY(!between);
    QVERIFY(between.error().message.find("10 image pixels") == 0);
    QVERIFY(between.error().message.find("4 times smaller") != std::string::npos);
    QCOMPARE(*Window({10, 10}, 1).fromImagePixels(7), 7);
  }
};

}  // namespace millrace

using millrace::TestImageSteps;
MILLRACE_TEST_CASE(TestImageSteps)
#include "tst_image_steps.moc"
