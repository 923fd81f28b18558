// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Pictures of more than 8 bits, decoded with form stored, through the kinds that work on pictures.
#include <cstdint>
#include <vector>

#include "tests/core/codecs/plain_png.h"
#include "tests/core/nodes/node_chain.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

using Numbers = std::vector<float>;
using Bytes = std::vector<std::byte>;

constexpr int kHeight = 6;
constexpr int kWidth = 8;
constexpr int kChannels = 3;

/// Exact in f32, above 255 almost everywhere, and different everywhere.
float numberAt(int x, int y, int channel) { return float(9000 * channel + 1000 * y + 100 * x + 7); }

/// A 16-bit RGB PNG of them.
const Bytes& deepFile() {
  static const Bytes file = [] {
    PlainPng png{.width = kWidth, .height = kHeight, .bitDepth = 16, .colourType = 2};
    for (int y = 0; y < kHeight; ++y) {
      std::vector<std::uint8_t> row;
      for (int x = 0; x < kWidth; ++x)
        for (int c = 0; c < kChannels; ++c) {
          const auto number = std::uint16_t(numberAt(x, y, c));
          row.push_back(std::uint8_t(number >> 8));
          row.push_back(std::uint8_t(number));
        }
      png.rows.push_back(row);
    }
    return writePlainPng(png);
  }();
  return file;
}

Values stored(std::int64_t channels = kChannels) {
  return {{"form", std::string("stored")}, {"channels", channels}};
}

struct Step {
  std::string kind;
  Values values;
};

struct Deep {
  Status status;
  Shape shape;
  DType dtype = DType::U8;
  Numbers numbers;
  std::vector<std::uint8_t> bytes;
  std::string problems;
};

Deep runOn(const std::vector<Step>& steps, Fuse fuse = Fuse::Yes, const Values& decode = stored()) {
  NodeChain chain({encodedField("image", Role::Image)});
  chain.add("decode", decode);
  for (const Step& step : steps) chain.add(step.kind, step.values);
  Deep deep;
  deep.problems = chain.problemText();
  if (chain.problems().anyError()) {
    deep.status = Error{deep.problems};
    return deep;
  }
  Sample sample(1);
  sample.reset({0, 3, 0}, 1);
  setFile(sample, 0, deepFile());
  deep.status = chain.run(sample, fuse);
  if (!deep.status) return deep;
  deep.shape = sample[0].shape;
  deep.dtype = sample[0].dtype;
  deep.bytes = bytesOf(sample[0]);
  if (deep.dtype == DType::F32) deep.numbers = floatsOf(sample[0]);
  return deep;
}

/// The picture's numbers where `place` says they come from; {-1, -1}: the fill.
template <class Place>
Numbers taken(int height, int width, const Numbers& fill, Place place) {
  Numbers numbers;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto [fromX, fromY] = place(x, y);
      const bool inside = fromX >= 0 && fromX < kWidth && fromY >= 0 && fromY < kHeight;
      for (int c = 0; c < kChannels; ++c)
        numbers.push_back(inside ? numberAt(fromX, fromY, c) : fill[std::size_t(c)]);
    }
  return numbers;
}

Values sized(std::int64_t height, std::int64_t width) {
  return {{"height", height}, {"width", width}};
}

}  // namespace

class TestStoredPictures : public QObject {
  Q_OBJECT
 private slots:
  void everyNumberOfTheFileArrives() {
    const Deep deep = runOn({});
    VERIFY_OK(deep.status);
    QCOMPARE(deep.dtype, DType::F32);
    QVERIFY(deep.shape == Shape({kHeight, kWidth, kChannels}));
    QCOMPARE(deep.numbers,
             taken(kHeight, kWidth, {}, [](int x, int y) { return std::pair(x, y); }));
  }

  void cropsAndFlipsKeepThem() {
    Values crop = sized(3, 4);
    crop["x"] = std::int64_t{2};
    crop["y"] = std::int64_t{1};
    const std::vector<Step> steps = {{"crop", crop},
                                     {"flip", {{"horizontal", 1.0}, {"vertical", 1.0}}}};
    for (const Fuse fuse : {Fuse::Yes, Fuse::No}) {
      const Deep deep = runOn(steps, fuse);
      VERIFY_OK(deep.status);
      QCOMPARE(deep.numbers, taken(3, 4, {}, [](int x, int y) { return std::pair(5 - x, 3 - y); }));
    }
  }

  void paddingHasAnyNumbers() {
    const Values pad = {{"left", std::int64_t{1}},
                        {"top", std::int64_t{2}},
                        {"right", std::int64_t{0}},
                        {"bottom", std::int64_t{1}},
                        {"fill", RealList{-1024, 70000, 0.5}}};
    for (const Fuse fuse : {Fuse::Yes, Fuse::No}) {
      const Deep deep = runOn({{"pad", pad}}, fuse);
      VERIFY_OK(deep.status);
      QCOMPARE(deep.numbers, taken(kHeight + 3, kWidth + 1, {-1024, 70000, 0.5F},
                                   [](int x, int y) { return std::pair(x - 1, y - 2); }));
    }
  }

  void centreCropAndFitPadToo() {
    Values larger = sized(8, 8);
    larger["pad"] = true;
    larger["fill"] = RealList{-1};
    const Deep padded = runOn({{"centre_crop", larger}});
    VERIFY_OK(padded.status);
    QCOMPARE(padded.numbers,
             taken(8, 8, {-1, -1, -1}, [](int x, int y) { return std::pair(x, y - 1); }));
    Values fit = sized(8, 8);
    fit["mode"] = std::string("fit");
    fit["fill"] = RealList{-1};
    const Deep fitted = runOn({{"resize", fit}});
    VERIFY_OK(fitted.status);
    QCOMPARE(fitted.numbers, padded.numbers);
  }

  void aReducedPictureIsTheMeanOfItsPixels() {
    Values half = sized(kHeight / 2, kWidth / 2);
    half["antialias"] = false;  // Bilinear between two pixels, at their middle.
    for (const Fuse fuse : {Fuse::Yes, Fuse::No}) {
      const Deep deep = runOn({{"resize", half}}, fuse);
      VERIFY_OK(deep.status);
      for (int y = 0; y < kHeight / 2; ++y)
        for (int x = 0; x < kWidth / 2; ++x)
          for (int c = 0; c < kChannels; ++c)
            QCOMPARE(deep.numbers[std::size_t((y * kWidth / 2 + x) * kChannels + c)],
                     numberAt(2 * x, 2 * y, c) + 550);
    }
  }

  void affineMapsMoveThem() {
    const Values still = {{"rotation", 0.0}};
    const Deep same = runOn({{"affine", still}});
    VERIFY_OK(same.status);
    QCOMPARE(same.numbers, runOn({}).numbers);
    const Values turned = {{"rotation", 0.0},
                           {"zoom_min", 0.5},
                           {"zoom_max", 0.5},
                           {"filter", std::string("nearest")},
                           {"fill", RealList{-5}}};
    const Deep small = runOn({{"affine", turned}});
    VERIFY_OK(small.status);
    QCOMPARE(small.numbers, taken(kHeight, kWidth, {-5, -5, -5}, [](int x, int y) {
               const bool inside = x >= 2 && x < 6 && y >= 1 && y < 4;
               return inside ? std::pair(2 * (x - 2) + 1, 2 * (y - 1)) : std::pair(-1, -1);
             }));
  }

  void planesAreMovedAlike() {
    const Values planar = {{"layout", std::string("nchw")}};
    const Values zoomed = {{"rotation", 0.0}, {"zoom_min", 0.7}, {"zoom_max", 0.7}};
    const Deep before = runOn({{"affine", zoomed}, {"precision", planar}});
    const Deep after = runOn({{"precision", planar}, {"affine", zoomed}});
    VERIFY_OK(before.status);
    VERIFY_OK(after.status);
    QCOMPARE(after.numbers, before.numbers);
  }

  void normaliseTakesTheirScale() {
    const Values values = {{"mean", RealList{1000, 2000, 3000}},
                           {"deviation", RealList{10, 20, 40}}};
    for (const Fuse fuse : {Fuse::Yes, Fuse::No}) {
      const Deep deep = runOn({{"normalise", values}}, fuse);
      VERIFY_OK(deep.status);
      for (std::size_t i = 0; i < deep.numbers.size(); ++i) {
        const std::size_t c = i % 3;
        const int pixel = int(i / 3);
        const float number = numberAt(pixel % kWidth, pixel / kWidth, int(c));
        const float wanted = (number - float(1000 * (c + 1))) / float(10 << c);
        QCOMPARE(deep.numbers[i], wanted);
      }
    }
  }

  void batchesOfU16HoldThemExactly() {
    const Deep deep =
        runOn({{"precision", {{"dtype", std::string("u16")}, {"layout", std::string("keep")}}}});
    VERIFY_OK(deep.status);
    QCOMPARE(deep.dtype, DType::U16);
    const Numbers wanted = taken(kHeight, kWidth, {}, [](int x, int y) { return std::pair(x, y); });
    const auto* const numbers = reinterpret_cast<const std::uint16_t*>(deep.bytes.data());
    for (std::size_t i = 0; i < wanted.size(); ++i) QCOMPARE(float(numbers[i]), wanted[i]);
  }

  void anotherNumberOfChannelsFailsTheSample() {
    const Deep deep = runOn({}, Fuse::Yes, stored(4));
    QVERIFY(!deep.status);
    QCOMPARE(deep.status.error().message,
             std::string("it has 3 channels, but decode.channels is 4"));
  }

  void whatNeedsBytesIsAProblemBeforeTheRun() {
    QVERIFY(runOn({{"jitter", {}}}).problems.find("is f32 hwc here") != std::string::npos);
    const Values fill = {{"fill", RealList{300}}};
    const Deep pad = runOn({{"pad", fill}}, Fuse::Yes, {});
    QVERIFY2(
        pad.problems.find("300 is no byte, but `image` is a picture of bytes") != std::string::npos,
        pad.problems.c_str());
    const Values deep = {{"dtype", std::string("u16")}};
    QVERIFY(runOn({{"precision", deep}}, Fuse::Yes, {}).problems.find("would not improve") !=
            std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestStoredPictures;
MILLRACE_TEST_CASE(TestStoredPictures)
#include "tst_stored_pictures.moc"
