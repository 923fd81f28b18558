// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// decode with `resize` set to `planes`, and the nodes after it: how close the result is to the
// exact one (tests/support/exact_jpeg.h), and which pictures are not affected.
#include <cmath>
#include <cstring>
#include <random>

#include "core/codecs/encode.h"
#include "core/kernels/half.h"
#include "core/pass/image_pass.h"
#include "tests/core/codecs/plain_jpeg.h"
#include "tests/core/nodes/node_chain.h"
#include "tests/support/exact_jpeg.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::bytesOf;
using tests::encodedField;
using tests::ExactPlane;
using tests::floatsOf;
using tests::Fuse;
using tests::NamedJpeg;
using tests::NodeChain;
using tests::setFile;

namespace {

using JpegBytes = std::vector<std::byte>;

std::vector<NamedJpeg> samplings() {
  return {{"444", {1, 1}}, {"422", {2, 1}}, {"440", {1, 2}},
          {"420", {2, 2}}, {"411", {4, 1}}, {"grey", {1, 1}, 1}};
}

/// Waves that even an eighth of the size preserves, in every colour.
tests::Picture waves(Size size, int channels) {
  tests::Picture picture(size.width, size.height, channels);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      for (int c = 0; c < channels; ++c)
        picture.at(x, y, c) = static_cast<std::uint8_t>(
            std::lround(128 + 90 * std::sin(x / (60.0 + 20 * c)) * std::cos(y / (80.0 - 15 * c))));
  return picture;
}

/// How a file is processed: from decode to f32 planes, unless other nodes follow.
struct Resizing {
  Rect crop;
  Size to;
  std::string resize = "planes";
  std::string scaling = "full";
  bool flipX = false;
  bool flipY = false;
  std::string filter = "bilinear";
};

NodeChain chainOf(const Resizing& how, const Values& decode = {}) {
  NodeChain chain({encodedField("image", Role::Image)});
  Values values{{"resize", how.resize}, {"scaling", how.scaling}};
  values.insert(decode.begin(), decode.end());
  chain.add("decode", values)
      .add("crop", {{"x", std::int64_t{how.crop.x}},
                    {"y", std::int64_t{how.crop.y}},
                    {"width", std::int64_t{how.crop.width}},
                    {"height", std::int64_t{how.crop.height}}})
      .add("resize", {{"height", std::int64_t{how.to.height}},
                      {"width", std::int64_t{how.to.width}},
                      {"filter", how.filter}})
      .add("flip", {{"horizontal", how.flipX ? 1.0 : 0.0}, {"vertical", how.flipY ? 1.0 : 0.0}});
  return chain;
}

/// f32 planes, 0 to 1.
std::vector<float> planesOf(const JpegBytes& file, const Resizing& how, Fuse fuse = Fuse::Yes) {
  NodeChain chain = chainOf(how);
  chain.add("precision");
  Sample sample(1);
  setFile(sample, 0, file);
  [&] { VERIFY_OK(chain.run(sample, fuse)); }();
  return floatsOf(sample[0]);
}

struct Distance {
  double mean = 0;
  double most = 0;
};
/// The distance in levels between planes and packed pixels; flips are undone.
Distance distance(const std::vector<float>& planes, const std::vector<double>& exact,
                  const Resizing& how) {
  Distance found;
  const Size to = how.to;
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x)
      for (int c = 0; c < 3; ++c) {
        const int fromX = how.flipX ? to.width - 1 - x : x;
        const int fromY = how.flipY ? to.height - 1 - y : y;
        const double off =
            std::abs(255.0 * double(planes[std::size_t((c * to.height + y) * to.width + x)]) -
                     exact[std::size_t((fromY * to.width + fromX) * 3 + c)]);
        found.mean += off / double(exact.size());
        found.most = std::max(found.most, off);
      }
  return found;
}

QString describe(const NamedJpeg& one, const Resizing& how, const Distance& off) {
  return QString("%1: %2 x %3 at %4, %5 to %6 x %7: mean %8, largest %9")
      .arg(one.name)
      .arg(how.crop.width)
      .arg(how.crop.height)
      .arg(how.crop.x)
      .arg(how.crop.y)
      .arg(how.to.width)
      .arg(how.to.height)
      .arg(off.mean)
      .arg(off.most);
}

/// Whether there are values between the levels, which only separately resized planes have.
bool hasFractions(const std::vector<float>& values) {
  for (const float value : values) {
    const double level = 255.0 * double(value);
    if (std::abs(level - std::round(level)) > 0.1) return true;
  }
  return false;
}

}  // namespace

class TestResizePlanes : public QObject {
  Q_OBJECT

  static void isNear(const NamedJpeg& one, const JpegBytes& file, const Resizing& how,
                     const Distance& allowed) {
    const std::vector<ExactPlane> planes = tests::exactPlanes(file);
    const std::vector<double> exact = tests::exactPixels(planes, how.crop, how.to);
    const std::vector<float> found = planesOf(file, how);
    QVERIFY2(hasFractions(found), one.name);
    const Distance off = distance(found, exact, how);
    QVERIFY2(off.mean <= allowed.mean && off.most <= allowed.most,
             qPrintable(describe(one, how, off)));
  }

 private slots:
  /// Samples are rounded to levels once, at decoding: by half a level, which a colour multiplies by
  /// up to 2.8; the integer transform adds a little.
  void resultsAreNearTheExactOnes() {
    std::mt19937 random(3);
    unsigned seed = 0;
    for (const NamedJpeg& one : samplings())
      for (const Size size : {Size{67, 45}, Size{130, 97}, Size{16, 16}}) {
        const JpegBytes file = writePlainJpeg(
            tests::colourful(size.width, size.height, one.channels, ++seed), one.how);
        for (int i = 0; i < 8; ++i) {
          Resizing how{tests::randomRegion(random, size), {24 + i, 31 - 2 * i}};
          if (i == 0) how.crop = {0, 0, size.width, size.height};
          if (i == 1) how.crop = {size.width - 9, size.height - 7, 9, 7};
          if (i == 2) how.crop = {0, size.height / 2, size.width, 8};
          how.flipX = i % 2 != 0;
          how.flipY = i % 3 == 0;
          isNear(one, file, how, {0.45, 2.2});
          if (QTest::currentTestFailed()) return;
        }
      }
  }

  /// A picture without what the smaller transforms omit. They average pixels, and a filter that
  /// covers fewer than two of the averages widens them. At an eighth, 4:1:1 has one chroma sample
  /// per 32 pixels of a row, which shows at the edges.
  void scaledResultsAreNearTheExactOnes() {
    for (NamedJpeg one : samplings()) {
      one.how.quality = 97;
      const JpegBytes file = writePlainJpeg(waves({651, 483}, one.channels), one.how);
      for (const int scale : {2, 4, 8}) {
        Resizing how{{5, 9, 640, 470}, {0, 0}, "planes", "auto"};
        how.to = {how.crop.width / scale - 1, how.crop.height / scale - 1};
        how.flipX = scale == 4;
        isNear(one, file, how, {1.0, one.how.horizontal == 4 ? 16.0 : 4.0});
        if (QTest::currentTestFailed()) return;
      }
    }
  }

  void aCutOfAResultHasItsPixels() {
    for (const NamedJpeg& one : samplings())
      for (const std::string scaling : {"full", "auto"}) {
        const JpegBytes file = writePlainJpeg(tests::colourful(131, 99, one.channels, 5), one.how);
        for (const Size to : {Size{48, 40}, Size{160, 140}}) {
          Resizing how{{3, 5, 121, 90}, to, "planes", scaling};
          // A cubic filter reaches twice as far.
          how.filter = one.how.vertical == 2 || to.width == 160 ? "bicubic" : "bilinear";
          const std::vector<float> whole = planesOf(file, how);
          NodeChain chain = chainOf(how);
          chain.add("centre_crop", {{"height", std::int64_t{10}}, {"width", std::int64_t{12}}})
              .add("precision");
          QCOMPARE(chain.operations(Fuse::Yes), 1U);
          Sample sample(1);
          setFile(sample, 0, file);
          VERIFY_OK(chain.run(sample));
          const std::vector<float> part = floatsOf(sample[0]);
          const int left = (to.width - 12) / 2;
          const int top = (to.height - 10) / 2;
          for (int c = 0; c < 3; ++c)
            for (int y = 0; y < 10; ++y)
              for (int x = 0; x < 12; ++x)
                QVERIFY(part[std::size_t((c * 10 + y) * 12 + x)] ==
                        whole[std::size_t((c * to.height + top + y) * to.width + left + x)]);
        }
      }
  }

  void everyTypeAndLayoutComesOutOfOneOperation() {
    const JpegBytes file = writePlainJpeg(tests::colourful(90, 70, 3, 2), {2, 2});
    const Resizing how{{2, 3, 80, 60}, {33, 21}};
    const std::vector<float> exact = planesOf(file, how);
    for (const std::string type : {"f32", "f16", "bf16", "u8"})
      for (const std::string layout : {"nchw", "nhwc"}) {
        NodeChain chain = chainOf(how);
        chain.add("precision", {{"dtype", type}, {"layout", layout}});
        QCOMPARE(chain.problemText(), std::string());
        QCOMPARE(chain.operations(Fuse::Yes), 1U);
        Sample sample(1);
        setFile(sample, 0, file);
        VERIFY_OK(chain.run(sample));
        const bool planar = layout == "nchw";
        QVERIFY(sample[0].shape == (planar ? Shape({3, 21, 33}) : Shape({21, 33, 3})));
        for (std::size_t i = 0; i < exact.size(); ++i) {
          const std::size_t at = planar ? i : i % 693 * 3 + i / 693;
          if (type == "f32") QVERIFY(sample[0].as<const float>()[at] == exact[i]);
          if (type == "f16")
            QCOMPARE(sample[0].as<const std::uint16_t>()[at], f16FromF32(exact[i]));
          if (type == "bf16")
            QCOMPARE(sample[0].as<const std::uint16_t>()[at], bf16FromF32(exact[i]));
          if (type == "u8")
            QVERIFY(std::abs(float(sample[0].as<const std::uint8_t>()[at]) - exact[i] * 255) <
                    0.501F);
        }
      }
  }

  void greyIsLumaAlone() {
    for (const NamedJpeg& one : samplings()) {
      const JpegBytes file = writePlainJpeg(tests::colourful(61, 50, one.channels, 7), one.how);
      const Resizing how{{0, 0, 61, 50}, {40, 30}};
      NodeChain chain = chainOf(how, {{"form", std::string("grey")}});
      chain.add("precision");
      Sample sample(1);
      setFile(sample, 0, file);
      VERIFY_OK(chain.run(sample));
      QVERIFY(sample[0].shape == Shape({1, 30, 40}));
      const auto exact = tests::exactlyResized(tests::exactPlanes(file)[0], how.crop, how.to);
      const std::vector<float> found = floatsOf(sample[0]);
      for (std::size_t i = 0; i < exact.size(); ++i)
        QVERIFY(std::abs(double(found[i]) * 255 - exact[i]) < 1);
    }
  }

  void paddedPicturesTakeItToo() {
    const JpegBytes file = writePlainJpeg(waves({120, 60}, 3), {2, 2});
    const auto resized = [&](const std::string& resize) {
      NodeChain chain({encodedField("image", Role::Image)});
      chain.add("decode", {{"resize", resize}, {"scaling", std::string("full")}})
          .add("resize", {{"height", std::int64_t{40}},
                          {"width", std::int64_t{40}},
                          {"mode", std::string("fit")},
                          {"fill", RealList{9}}});
      Sample sample(1);
      setFile(sample, 0, file);
      [&] { VERIFY_OK(chain.run(sample)); }();
      return bytesOf(sample[0]);
    };
    const auto planes = resized("planes");
    const auto rgb = resized("rgb");
    QCOMPARE(planes.size(), rgb.size());
    QVERIFY(planes != rgb);
    for (std::size_t i = 0; i < rgb.size(); ++i) {
      const bool isFill = i < 10 * 40 * 3 || i >= 30 * 40 * 3;
      QVERIFY(isFill ? planes[i] == rgb[i] : std::abs(int(planes[i]) - int(rgb[i])) <= 3);
    }
  }

  void withoutAResizeInTheSameOperationNothingChanges() {
    const JpegBytes file = writePlainJpeg(tests::colourful(61, 50, 3, 7), {2, 2});
    Resizing how{{4, 5, 50, 40}, {24, 20}};
    const auto planes = planesOf(file, how, Fuse::No);
    how.resize = "rgb";
    QVERIFY(planes == planesOf(file, how, Fuse::Yes));
    std::vector<std::uint8_t> found[2];
    for (const std::string resize : {"planes", "rgb"}) {
      NodeChain chain({encodedField("image", Role::Image)});
      chain.add("decode", {{"resize", resize}}).add("flip", {{"horizontal", 1.0}});
      Sample sample(1);
      setFile(sample, 0, file);
      VERIFY_OK(chain.run(sample));
      found[resize == "rgb" ? 1 : 0] = bytesOf(sample[0]);
    }
    QVERIFY(found[0] == found[1]);
  }

  void otherFilesAndMasksAreAsTheyWere() {
    const tests::Picture picture = tests::colourful(61, 50, 3, 7);
    JpegBytes damaged = writePlainJpeg(picture, {2, 2});
    // No encoder writes 0xff followed by anything but 0 in the data.
    damaged[damaged.size() - 200] = std::byte{0xff};
    damaged[damaged.size() - 199] = std::byte{0x05};
    const std::pair<const char*, JpegBytes> files[] = {
        {"progressive", writePlainJpeg(picture, {.horizontal = 2, .progressive = true})},
        {"4:1:0", writePlainJpeg(picture, {.horizontal = 4, .vertical = 2})},
        {"png", encodePng(picture.view()).take()},
        {"damaged", damaged}};
    Resizing how{{0, 0, 61, 50}, {24, 20}};
    for (const auto& [name, file] : files) {
      how.resize = "planes";
      const auto planes = planesOf(file, how);
      how.resize = "rgb";
      QVERIFY2(planes == planesOf(file, how), name);
    }
    const JpegBytes mask = writePlainJpeg(tests::colourful(61, 50, 1, 2), {});
    std::vector<std::uint8_t> found[2];
    for (const std::string resize : {"planes", "rgb"}) {
      NodeChain chain({encodedField("mask", Role::Mask)});
      chain.add("decode", {{"resize", resize}})
          .add("resize", {{"height", std::int64_t{20}}, {"width", std::int64_t{30}}});
      Sample sample(1);
      setFile(sample, 0, mask);
      VERIFY_OK(chain.run(sample));
      found[resize == "rgb" ? 1 : 0] = bytesOf(sample[0]);
    }
    QVERIFY(found[0] == found[1]);
  }

  void aTruncatedFileFailsWithTheSameWords() {
    JpegBytes file = writePlainJpeg(tests::colourful(90, 70, 3, 2), {2, 2});
    file.resize(file.size() / 2);
    std::string messages[2];
    for (const std::string resize : {"planes", "rgb"}) {
      Sample sample(1);
      setFile(sample, 0, file);
      const Status done = chainOf({{0, 0, 90, 70}, {24, 20}, resize}).run(sample);
      QVERIFY(!done.ok());
      messages[resize == "rgb" ? 1 : 0] = done.error().message;
    }
    QCOMPARE(messages[0], messages[1]);
  }
};

}  // namespace millrace

using millrace::TestResizePlanes;
MILLRACE_TEST_CASE(TestResizePlanes)
#include "tst_resize_planes.moc"
