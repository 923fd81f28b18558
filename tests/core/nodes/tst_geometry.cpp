// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The geometric kinds, compared one by one with simple loops. The image pass has a separate file.
#include <algorithm>
#include <cmath>

#include "tests/core/nodes/node_chain.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

using Pixels = std::vector<std::uint8_t>;

/// One node on one picture, `index` as the sample's index.
struct Outcome {
  Status status;
  Shape shape;
  Pixels pixels;
  std::string problems;
  StreamType out;
};

Outcome runOn(const Pixels& picture, int height, int width, int channels, const std::string& kind,
              const Values& values, std::uint32_t index = 0, bool noRandom = false) {
  NodeChain chain({pictureField("image", Role::Image, channels)});
  chain.add(kind, values);
  if (noRandom) chain.noRandom();
  Sample sample(1);
  sample.reset({0, index, 0}, 1);
  setPicture(sample, 0, picture, height, width, channels);
  Outcome outcome;
  outcome.status = chain.run(sample);
  outcome.shape = sample[0].shape;
  outcome.pixels = bytesOf(sample[0]);
  outcome.problems = chain.problemText();
  outcome.out = chain.out();
  return outcome;
}

Values sized(std::int64_t height, std::int64_t width) {
  return {{"height", height}, {"width", width}};
}

Values with(Values values, const Values& more) {
  for (const auto& [name, value] : more) values[name] = value;
  return values;
}

/// Crop or pad with zeros, as documented for tf.image.resize_with_crop_or_pad.
Pixels cropOrPad(const Pixels& from, int height, int width, int channels, int toHeight,
                 int toWidth) {
  const auto offset = [](int have, int want) {
    return have > want ? (have - want) / 2 : -((want - have) / 2);
  };
  const int top = offset(height, toHeight);
  const int left = offset(width, toWidth);
  Pixels to;
  for (int y = 0; y < toHeight; ++y)
    for (int x = 0; x < toWidth; ++x)
      for (int c = 0; c < channels; ++c) {
        const int sy = y + top;
        const int sx = x + left;
        const bool inside = sy >= 0 && sy < height && sx >= 0 && sx < width;
        to.push_back(inside ? from[static_cast<std::size_t>((sy * width + sx) * channels + c)] : 0);
      }
  return to;
}

}  // namespace

class TestGeometry : public QObject {
  Q_OBJECT
 private slots:
  void cropTakesExactlyItsPlace() {
    const Pixels picture = coordinates(20, 30, 3);
    const Outcome cut = runOn(picture, 20, 30, 3, "crop",
                              with(sized(5, 7), {{"x", std::int64_t{11}}, {"y", std::int64_t{9}}}));
    VERIFY_OK(cut.status);
    QVERIFY(cut.shape == Shape({5, 7, 3}));
    QCOMPARE(int(cut.pixels[0]), 11);
    QCOMPARE(int(cut.pixels[1]), 9);
    QCOMPARE(int(cut.pixels[cut.pixels.size() - 3]), 17);
    QCOMPARE(int(cut.pixels[cut.pixels.size() - 2]), 13);
  }

  void cropOutsideOfThePictureFailsTheSample() {
    const Outcome cut = runOn(coordinates(20, 30, 3), 20, 30, 3, "crop",
                              with(sized(5, 7), {{"x", std::int64_t{24}}}));
    QVERIFY(!cut.status.ok());
    QVERIFY(cut.status.error().message.find("30 x 20") != std::string::npos);
  }

  void centreCropWithPadIsCropOrPad_data() {
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("width");
    QTest::newRow("crops") << 10 << 13;
    QTest::newRow("pads") << 31 << 44;
    QTest::newRow("crops one side, pads the other") << 9 << 40;
    QTest::newRow("stays") << 20 << 31;
  }

  void centreCropWithPadIsCropOrPad() {
    QFETCH(int, height);
    QFETCH(int, width);
    const Pixels picture = noise(20, 31, 3, 1);
    const Outcome cut =
        runOn(picture, 20, 31, 3, "centre_crop", with(sized(height, width), {{"pad", true}}));
    VERIFY_OK(cut.status);
    QCOMPARE(cut.pixels, cropOrPad(picture, 20, 31, 3, height, width));
  }

  void cropsLargerThanThePictureFailTheSampleAndSayTheSizes() {
    for (const char* kind : {"centre_crop", "random_crop"}) {
      const Outcome cut = runOn(coordinates(20, 30, 3), 20, 30, 3, kind, sized(21, 5));
      QVERIFY(!cut.status.ok());
      QVERIFY(cut.status.error().message.find("30 x 20") != std::string::npos);
      QVERIFY(cut.status.error().message.find("5 x 21") != std::string::npos);
      QVERIFY(cut.status.error().message.ends_with("insert a resize before it"));
    }
  }

  void cropsLargerThanAKnownSizeAreProblemsBeforeTheRun() {
    NodeChain chain({pictureField("image", Role::Image, 3, 20, 30)});
    chain.add("random_crop", sized(21, 5));
    QVERIFY(chain.problems().anyError());
    QCOMPARE(chain.problems().all().front().field, std::string("height"));
  }

  void randomCropReachesEveryPlaceAndNoOther() {
    const Pixels picture = coordinates(6, 9, 3);
    std::vector<int> seen(4 * 5);
    for (std::uint32_t index = 0; index < 400; ++index) {
      const Outcome cut = runOn(picture, 6, 9, 3, "random_crop", sized(3, 5), index);
      VERIFY_OK(cut.status);
      QVERIFY(cut.pixels[0] <= 4 && cut.pixels[1] <= 3);
      ++seen[static_cast<std::size_t>(cut.pixels[1] * 5 + cut.pixels[0])];
    }
    // 20 each on average; fewer than 4 or more than 45 occurs once in ten thousand runs.
    QVERIFY(*std::min_element(seen.begin(), seen.end()) >= 4);
    QVERIFY(*std::max_element(seen.begin(), seen.end()) <= 45);
  }

  void withoutRandomnessCropsAreCentred() {
    const Pixels picture = coordinates(20, 30, 3);
    const Outcome cut = runOn(picture, 20, 30, 3, "random_crop", sized(10, 10), 5, true);
    QCOMPARE(int(cut.pixels[0]), 10);
    QCOMPARE(int(cut.pixels[1]), 5);
    const Outcome flipped = runOn(picture, 20, 30, 3, "flip", {}, 5, true);
    QCOMPARE(flipped.pixels, picture);
  }

  void randomResizedCropDrawsAreasAndShapesAsAsked() {
    // The red channel is x and the green one y: with nearest they show the position and width of
    // the part.
    const Pixels picture = coordinates(200, 250, 3);
    double areas = 0;
    double logRatios = 0;
    int count = 0;
    for (std::uint32_t index = 0; index < 600; ++index) {
      const Outcome cut = runOn(picture, 200, 250, 3, "random_resized_crop",
                                with(sized(200, 200), {{"filter", std::string("nearest")}}), index);
      VERIFY_OK(cut.status);
      const std::size_t last = cut.pixels.size() - 3;
      const int width = cut.pixels[last] - cut.pixels[0] + 1;
      const int height = cut.pixels[last + 1] - cut.pixels[1] + 1;
      const double area = width * height / (200.0 * 250.0);
      const double ratio = static_cast<double>(width) / height;
      QVERIFY(area > 0.07 && area <= 1.0);
      QVERIFY(ratio > 0.70 && ratio < 1.42);
      areas += area;
      logRatios += std::log(ratio);
      ++count;
    }
    // Attempts that do not fit make large parts rarer than the mean of 0.54.
    QVERIFY2(std::abs(areas / count - 0.50) < 0.05, qPrintable(QString::number(areas / count)));
    QVERIFY(std::abs(logRatios / count) < 0.05);
  }

  void randomResizedCropFallsBackToTheCentreOfStrips() {
    const Pixels strip = coordinates(4, 200, 3);
    const Outcome cut = runOn(strip, 4, 200, 3, "random_resized_crop",
                              {{"height", std::int64_t{4}},
                               {"width", std::int64_t{5}},
                               {"scale_min", 1.0},
                               {"filter", std::string("nearest")}});
    VERIFY_OK(cut.status);
    // 4 rows at 4 : 3 are 5 columns, centred in 200.
    QCOMPARE(int(cut.pixels[0]), 97);
    QCOMPARE(int(cut.pixels[cut.pixels.size() - 3]), 101);
  }

  void squashTakesEachNearestPixel() {
    const Pixels picture = noise(10, 15, 3, 3);
    const Outcome small = runOn(picture, 10, 15, 3, "resize",
                                with(sized(4, 7), {{"filter", std::string("nearest")}}));
    Pixels expected;
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 7; ++x)
        for (int c = 0; c < 3; ++c) {
          const int sy = static_cast<int>((y + 0.5) * 10 / 4);
          const int sx = static_cast<int>((x + 0.5) * 15 / 7);
          expected.push_back(picture[static_cast<std::size_t>((sy * 15 + sx) * 3 + c)]);
        }
    QCOMPARE(small.pixels, expected);
  }

  void fitShowsTheWholePictureOnAPaddedGround() {
    const Pixels white(10 * 20 * 3, 255);
    const Outcome fitted =
        runOn(white, 10, 20, 3, "resize",
              with(sized(20, 20), {{"mode", std::string("fit")}, {"fill", RealList{9, 8, 7}}}));
    VERIFY_OK(fitted.status);
    QVERIFY(fitted.shape == Shape({20, 20, 3}));
    for (int y = 0; y < 20; ++y) {
      const bool inside = y >= 5 && y < 15;
      const std::size_t at = static_cast<std::size_t>(y) * 60;
      QCOMPARE(int(fitted.pixels[at]), inside ? 255 : 9);
      QCOMPARE(int(fitted.pixels[at + 2]), inside ? 255 : 7);
    }
  }

  void coverFillsTheSizeFromTheMiddle() {
    const Pixels picture = coordinates(10, 40, 3);
    const Outcome covered = runOn(
        picture, 10, 40, 3, "resize",
        with(sized(20, 20), {{"mode", std::string("cover")}, {"filter", std::string("nearest")}}));
    QVERIFY(covered.shape == Shape({20, 20, 3}));
    QCOMPARE(int(covered.pixels[0]), 15);
    QCOMPARE(int(covered.pixels[19 * 3]), 24);
  }

  /// As torchvision: the longer side is cut to whole pixels, int(size * long / short).
  void aFreeResizeKeepsTheWholePictureAndItsAspectRatio_data() {
    QTest::addColumn<QString>("mode");
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("width");
    QTest::addColumn<QSize>("to");
    QTest::addColumn<QSize>("result");
    QTest::newRow("shorter side, high") << "at_least" << 30 << 11 << QSize(8, 8) << QSize(8, 21);
    QTest::newRow("shorter side, wide") << "at_least" << 11 << 30 << QSize(8, 8) << QSize(21, 8);
    QTest::newRow("larger") << "at_least" << 7 << 9 << QSize(20, 20) << QSize(25, 20);
    QTest::newRow("around a box") << "at_least" << 10 << 10 << QSize(9, 14) << QSize(14, 14);
    QTest::newRow("longer side") << "at_most" << 11 << 30 << QSize(8, 8) << QSize(8, 2);
    QTest::newRow("within a box") << "at_most" << 20 << 10 << QSize(7, 30) << QSize(7, 14);
    QTest::newRow("never without pixels") << "at_most" << 1 << 90 << QSize(5, 5) << QSize(5, 1);
  }

  void aFreeResizeKeepsTheWholePictureAndItsAspectRatio() {
    QFETCH(QString, mode);
    QFETCH(int, height);
    QFETCH(int, width);
    QFETCH(QSize, to);
    QFETCH(QSize, result);
    const Values values = with(sized(to.height(), to.width()), {{"mode", mode.toStdString()}});
    const Outcome resized =
        runOn(coordinates(height, width, 3), height, width, 3, "resize", values);
    VERIFY_OK(resized.status);
    QVERIFY2(resized.shape == Shape({result.height(), result.width(), 3}),
             resized.shape.text().c_str());
    QCOMPARE(resized.out.fields[0].width(), Shape::kUnknown);
    NodeChain known({pictureField("image", Role::Image, 3, height, width)});
    known.add("resize", values);
    QVERIFY(known.out().fields[0].shape == resized.shape);
  }

  /// The margins are int(round(rest / 2)) in Python, which rounds half to even.
  void anEvenCentreCropIsThatOfTorchvision_data() {
    QTest::addColumn<int>("rest");
    QTest::addColumn<int>("left");
    int rest = 0;
    for (const int left : {0, 0, 1, 2, 2, 2, 3, 4, 4})
      QTest::addRow("%d pixels", rest) << rest << left, ++rest;
  }

  void anEvenCentreCropIsThatOfTorchvision() {
    QFETCH(int, rest);
    QFETCH(int, left);
    const Pixels picture = coordinates(10, 7 + rest, 3);
    const Values even = with(sized(10, 7), {{"rounding", std::string("even")}});
    const Outcome rounded = runOn(picture, 10, 7 + rest, 3, "centre_crop", even);
    VERIFY_OK(rounded.status);
    QCOMPARE(int(rounded.pixels[0]), left);
    const Outcome usual = runOn(picture, 10, 7 + rest, 3, "centre_crop", sized(10, 7));
    QCOMPARE(int(usual.pixels[0]), rest / 2);
  }

  void padShowsWhatTheBorderSays() {
    const Pixels row{1, 2, 3, 4};
    const auto padded = [&](const char* border) {
      return runOn(row, 1, 4, 1, "pad",
                   {{"left", std::int64_t{3}},
                    {"right", std::int64_t{2}},
                    {"top", std::int64_t{0}},
                    {"bottom", std::int64_t{0}},
                    {"fill", RealList{9}},
                    {"border", std::string(border)}})
          .pixels;
    };
    QCOMPARE(padded("constant"), (Pixels{9, 9, 9, 1, 2, 3, 4, 9, 9}));
    QCOMPARE(padded("edge"), (Pixels{1, 1, 1, 1, 2, 3, 4, 4, 4}));
    QCOMPARE(padded("reflect"), (Pixels{4, 3, 2, 1, 2, 3, 4, 3, 2}));
    QCOMPARE(padded("symmetric"), (Pixels{3, 2, 1, 1, 2, 3, 4, 4, 3}));
    QCOMPARE(padded("wrap"), (Pixels{2, 3, 4, 1, 2, 3, 4, 1, 2}));
  }

  void masksOfColoursArePaddedWithAColour() {
    const Values sides{{"left", std::int64_t{1}},
                       {"right", std::int64_t{0}},
                       {"top", std::int64_t{0}},
                       {"bottom", std::int64_t{0}}};
    NodeChain chain({pictureField("mask", Role::Mask, 3)});
    chain.add("pad", with(sides, {{"mask_fill", RealList{224, 223, 192}}}));
    QCOMPARE(chain.problemText(), std::string());
    Sample sample(1);
    sample.reset({0, 0, 0}, 1);
    const Pixels pixel{1, 2, 3};
    setPicture(sample, 0, pixel, 1, 1, 3);
    VERIFY_OK(chain.run(sample));
    QCOMPARE(bytesOf(sample[0]), (Pixels{224, 223, 192, 1, 2, 3}));

    NodeChain grey({pictureField("mask", Role::Mask, 3)});
    grey.add("pad", with(sides, {{"mask_fill", RealList{11}}}));
    QVERIFY2(grey.problemText().find("its padding becomes the colour #0b0b0b") != std::string::npos,
             grey.problemText().c_str());
    for (const RealList& wrong : {RealList{}, RealList{1, 2}, RealList{1.5}}) {
      NodeChain refused({pictureField("mask", Role::Mask, 3)});
      refused.add("pad", with(sides, {{"mask_fill", wrong}}));
      QVERIFY(refused.problems().anyError());
    }
  }

  void paddingOfAFlippedPictureStaysOnTheSideThatAPersonSees() {
    NodeChain chain({pictureField("image", Role::Image, 1)});
    chain.add("flip", {{"horizontal", 1.0}})
        .add("pad", {{"left", std::int64_t{2}},
                     {"right", std::int64_t{0}},
                     {"top", std::int64_t{0}},
                     {"bottom", std::int64_t{0}}});
    QCOMPARE(chain.operations(Fuse::Yes), 1U);
    const Pixels row{1, 2, 3};
    Sample sample(1);
    setPicture(sample, 0, row, 1, 3, 1);
    VERIFY_OK(chain.run(sample));
    QCOMPARE(bytesOf(sample[0]), (Pixels{0, 0, 3, 2, 1}));
  }

  void flipMirrorsAboutHalfOfThem() {
    const Pixels row{1, 2, 3};
    int mirrored = 0;
    for (std::uint32_t index = 0; index < 400; ++index)
      if (runOn(row, 1, 3, 1, "flip", {}, index).pixels == Pixels{3, 2, 1}) ++mirrored;
    QVERIFY(mirrored > 150 && mirrored < 250);  // five standard deviations
    QCOMPARE(runOn({1, 2}, 2, 1, 1, "flip", {{"horizontal", 0.0}, {"vertical", 1.0}}).pixels,
             (Pixels{2, 1}));
  }

  void affineOfNothingIsThePicture() {
    const Pixels picture = noise(15, 22, 3, 4);
    const Outcome same = runOn(picture, 15, 22, 3, "affine", {{"rotation", 0.0}});
    VERIFY_OK(same.status);
    QCOMPARE(same.pixels, picture);
    QCOMPARE(same.out.randomFrom, std::string());
  }

  void affineZoomsAroundTheCentre() {
    const Pixels picture = coordinates(8, 8, 3);
    const Outcome zoomed = runOn(picture, 8, 8, 3, "affine",
                                 {{"rotation", 0.0},
                                  {"zoom_min", 2.0},
                                  {"zoom_max", 2.0},
                                  {"filter", std::string("nearest")}});
    for (std::size_t x = 0; x < 8; ++x) QCOMPARE(int(zoomed.pixels[x * 3]), int(2 + x / 2));
  }

  void turningADiscAroundItsCentreLeavesIt() {
    Pixels disc;
    for (int y = 0; y < 41; ++y)
      for (int x = 0; x < 41; ++x)
        disc.push_back((x - 20) * (x - 20) + (y - 20) * (y - 20) < 15 * 15 ? 255 : 0);
    for (std::uint32_t index = 0; index < 10; ++index) {
      const Outcome turned = runOn(disc, 41, 41, 1, "affine",
                                   {{"rotation", 90.0}, {"filter", std::string("nearest")}}, index);
      int differ = 0;
      for (std::size_t i = 0; i < disc.size(); ++i) differ += disc[i] != turned.pixels[i];
      // Only pixels on the edge can change; it has 94 pixels.
      QVERIFY2(differ < 94, qPrintable(QString::number(differ)));
    }
  }

  void affineMovesPairsAlikeAndMasksByTheNearest() {
    const Pixels image = noise(24, 24, 3, 5);
    Pixels mask(24 * 24);
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = image[i * 3] > 127 ? 200 : 1;
    Pixels target;  // the mask, twice as large
    for (std::size_t y = 0; y < 48; ++y)
      for (std::size_t x = 0; x < 48; ++x) target.push_back(mask[y / 2 * 24 + x / 2]);
    NodeChain chain({pictureField("mask", Role::Mask, 1), pictureField("large", Role::Mask, 1)});
    chain.add("affine", {{"rotation", 45.0}, {"mask_fill", RealList{255}}});
    for (std::uint32_t index = 0; index < 5; ++index) {
      Sample sample(2);
      sample.reset({0, index, 0}, 2);
      setPicture(sample, 0, mask, 24, 24, 1);
      setPicture(sample, 1, target, 48, 48, 1);
      VERIFY_OK(chain.run(sample));
      const Pixels small = bytesOf(sample[0]);
      const Pixels large = bytesOf(sample[1]);
      int same = 0;
      for (std::size_t y = 0; y < 24; ++y)
        for (std::size_t x = 0; x < 24; ++x) {
          const std::uint8_t value = small[y * 24 + x];
          QVERIFY(value == 200 || value == 1 || value == 255);
          // The centre of a small pixel is the corner of four large ones.
          same +=
              value == large[y * 2 * 48 + x * 2] || value == large[(y * 2 + 1) * 48 + x * 2 + 1];
        }
      QVERIFY2(same > 24 * 24 * 9 / 10, qPrintable(QString::number(same)));
    }
  }

  void geometryRefusesWhatIsNotDecodedWithARemedy() {
    for (const char* kind : {"resize", "flip", "affine", "random_crop", "pad"}) {
      NodeChain chain({encodedField("image", Role::Image)});
      chain.add(kind);
      QVERIFY2(chain.problemText().find("decode") != std::string::npos, kind);
    }
  }

  void randomKindsSaySo() {
    const auto from = [](const char* kind, const Values& values) {
      NodeChain chain({pictureField("image", Role::Image)});
      chain.add(kind, values);
      return chain.out().randomFrom;
    };
    QCOMPARE(from("flip", {{"horizontal", 0.0}}), std::string());
    QCOMPARE(from("flip", {}), std::string("flip_0"));
    QCOMPARE(from("random_crop", {}), std::string("random_crop_0"));
    QCOMPARE(from("random_resized_crop", {}), std::string("random_resized_crop_0"));
    QCOMPARE(from("resize", {}), std::string());
    QCOMPARE(from("affine", {}), std::string("affine_0"));
  }
};

MILLRACE_TEST_CASE(TestGeometry)

}  // namespace millrace

#include "tst_geometry.moc"
