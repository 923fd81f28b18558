// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/image_pass.h"

#include <cstring>

#include "core/codecs/encode.h"
#include "core/kernels/half.h"
#include "tests/core/nodes/node_chain.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

ImageView viewOf(const std::vector<std::uint8_t>& bytes, int height, int width, int channels) {
  return {bytes.data(), width, height, channels, std::ptrdiff_t{width} * channels};
}

std::vector<std::byte> pngOf(const std::vector<std::uint8_t>& bytes, int height, int width,
                             int channels) {
  return encodePng(viewOf(bytes, height, width, channels), {1, {}}).take();
}

/// A chain of every axis-aligned kind with the usual end of training pipelines.
NodeChain training(std::vector<FieldSpec> fields, const std::string& scaling) {
  NodeChain chain(std::move(fields));
  chain.add("decode", {{"scaling", scaling}})
      .add("random_resized_crop", {{"height", std::int64_t{24}}, {"width", std::int64_t{32}}})
      .add("flip", {{"vertical", 0.5}})
      .add("normalise")
      .add("precision", {{"dtype", std::string("f16")}});
  return chain;
}

}  // namespace

class TestImagePass : public QObject {
  Q_OBJECT
 private slots:
  void decodeAloneGivesTheFilesPixels() {
    const auto picture = noise(21, 34, 3, 1);
    const auto file = pngOf(picture, 21, 34, 3);
    NodeChain chain({encodedField("image", Role::Image)});
    chain.add("decode");
    QCOMPARE(chain.problemText(), std::string());
    Sample sample(1);
    setFile(sample, 0, file);
    VERIFY_OK(chain.run(sample));
    QVERIFY(sample[0].shape == Shape({21, 34, 3}));
    QCOMPARE(bytesOf(sample[0]), picture);
  }

  void joinedNodesGiveTheBitsOfSeparateOnes() {
    const auto picture = noise(90, 120, 3, 2);
    const auto file = encodeJpeg(viewOf(picture, 90, 120, 3)).take();
    const NodeChain chain = training({encodedField("image", Role::Image)}, "full");
    QCOMPARE(chain.problemText(), std::string());
    QCOMPARE(chain.operations(Fuse::Yes), 1U);
    QCOMPARE(chain.operations(Fuse::No), 5U);
    for (std::uint32_t index = 0; index < 20; ++index) {
      Sample joined(1);
      Sample separate(1);
      joined.reset({1, index, 0}, 1);
      separate.reset({1, index, 0}, 1);
      setFile(joined, 0, file);
      setFile(separate, 0, file);
      VERIFY_OK(chain.run(joined, Fuse::Yes));
      VERIFY_OK(chain.run(separate, Fuse::No));
      QVERIFY(joined[0].shape == Shape({3, 24, 32}));
      QVERIFY(joined[0].dtype == DType::F16);
      QCOMPARE(bytesOf(joined[0]), bytesOf(separate[0]));
    }
  }

  void paddingKindsJoinBitForBit() {
    const auto picture = noise(30, 40, 3, 3);
    NodeChain chain({pictureField("image", Role::Image)});
    chain.add("flip", {{"horizontal", 1.0}})
        .add("pad", {{"left", std::int64_t{5}}, {"border", std::string("reflect")}})
        .add("random_crop", {{"height", std::int64_t{30}}, {"width", std::int64_t{40}}})
        .add("flip", {{"vertical", 0.5}})
        .add("precision");
    QCOMPARE(chain.problemText(), std::string());
    QCOMPARE(chain.operations(Fuse::Yes), 1U);
    for (std::uint32_t index = 0; index < 10; ++index) {
      Sample joined(1);
      Sample separate(1);
      joined.reset({0, index, 0}, 1);
      separate.reset({0, index, 0}, 1);
      setPicture(joined, 0, picture, 30, 40, 3);
      setPicture(separate, 0, picture, 30, 40, 3);
      VERIFY_OK(chain.run(joined, Fuse::Yes));
      VERIFY_OK(chain.run(separate, Fuse::No));
      QCOMPARE(bytesOf(joined[0]), bytesOf(separate[0]));
    }
  }

  void scalingDecodesFewerPixelsAndStaysNearTheFullResult() {
    std::vector<std::uint8_t> smooth;
    for (int y = 0; y < 320; ++y)
      for (int x = 0; x < 480; ++x)
        for (int c = 0; c < 3; ++c)
          smooth.push_back(static_cast<std::uint8_t>(x * (c + 1) / 9 + y / 5));
    const auto file = encodeJpeg(viewOf(smooth, 320, 480, 3)).take();
    Sample scaled(1);
    Sample full(1);
    setFile(scaled, 0, file);
    setFile(full, 0, file);
    const auto chainOf = [](const char* scaling) {
      NodeChain chain({encodedField("image", Role::Image)});
      chain.add("decode", {{"scaling", std::string(scaling)}})
          .add("resize", {{"height", std::int64_t{60}}, {"width", std::int64_t{90}}});
      return chain;
    };
    VERIFY_OK(chainOf("auto").run(scaled));
    VERIFY_OK(chainOf("full").run(full));
    const auto a = bytesOf(scaled[0]);
    const auto b = bytesOf(full[0]);
    QVERIFY2(a != b, "a scaled decode rounds differently");
    for (std::size_t i = 0; i < a.size(); ++i) QVERIFY(std::abs(int(a[i]) - int(b[i])) <= 4);
  }

  void pairsOfDifferentSizeStayInStep() {
    const auto small = coordinates(30, 40, 3);
    std::vector<std::uint8_t> large;  // each pixel of the small one twice, in both directions
    for (int y = 0; y < 60; ++y)
      for (int x = 0; x < 80; ++x)
        for (int c = 0; c < 3; ++c)
          large.push_back(small[static_cast<std::size_t>((y / 2 * 40 + x / 2) * 3 + c)]);
    const auto smallFile = pngOf(small, 30, 40, 3);
    const auto largeFile = pngOf(large, 60, 80, 3);
    FieldSpec target = encodedField("target", Role::Target);
    target.scale = 2;
    NodeChain chain({encodedField("image", Role::Image), target});
    chain.add("decode")
        .add("random_crop", {{"height", std::int64_t{8}}, {"width", std::int64_t{12}}})
        .add("flip", {{"vertical", 0.5}});
    QCOMPARE(chain.problemText(), std::string());
    QVERIFY(chain.out().fields[1].shape == Shape({16, 24, 3}));
    for (std::uint32_t index = 0; index < 10; ++index) {
      Sample sample(2);
      sample.reset({0, index, 0}, 2);
      setFile(sample, 0, smallFile);
      setFile(sample, 1, largeFile);
      VERIFY_OK(chain.run(sample));
      QVERIFY(sample[0].shape == Shape({8, 12, 3}));
      QVERIFY(sample[1].shape == Shape({16, 24, 3}));
      const auto a = bytesOf(sample[0]);
      const auto b = bytesOf(sample[1]);
      for (std::size_t y = 0; y < 16; ++y)
        for (std::size_t x = 0; x < 24; ++x)
          QCOMPARE(b[(y * 24 + x) * 3], a[(y / 2 * 12 + x / 2) * 3]);
    }
  }

  void aCropIsDrawnOnTheCoarserGridWhenTheImageIsTheLargerOne() {
    const auto image = coordinates(64, 64, 3);
    const auto mask = coordinates(32, 32, 1);
    FieldSpec maskField = pictureField("mask", Role::Mask, 1);
    maskField.scale = 0.5;
    NodeChain chain({pictureField("image", Role::Image), maskField});
    chain.add("random_crop", {{"height", std::int64_t{16}}, {"width", std::int64_t{16}}});
    QVERIFY(chain.out().fields[1].shape == Shape({8, 8, 1}));
    for (std::uint32_t index = 0; index < 20; ++index) {
      Sample sample(2);
      sample.reset({0, index, 0}, 2);
      setPicture(sample, 0, image, 64, 64, 3);
      setPicture(sample, 1, mask, 32, 32, 1);
      VERIFY_OK(chain.run(sample));
      QCOMPARE(int(bytesOf(sample[0])[0]), 2 * int(bytesOf(sample[1])[0]));
    }
  }

  void pairsWithoutAWholeRatioFailTheirSampleAlone() {
    const auto image = coordinates(30, 40, 3);
    const auto target = coordinates(45, 60, 3);
    NodeChain chain({pictureField("image", Role::Image), pictureField("target", Role::Target)});
    chain.add("flip");
    Sample sample(2);
    setPicture(sample, 0, image, 30, 40, 3);
    setPicture(sample, 1, target, 45, 60, 3);
    const Status done = chain.run(sample);
    QVERIFY(!done.ok());
    QVERIFY(done.error().message.find("not a whole multiple") != std::string::npos);
    QVERIFY(done.error().message.ends_with("one crop does not fit both"));
  }

  void masksTakeTheNearestPixelAndAreNeverNormalised() {
    std::vector<std::uint8_t> mask(64 * 64);
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = (i / 64 + i % 64) % 2 == 0 ? 3 : 200;
    const auto image = noise(64, 64, 3, 5);
    const auto imageFile = pngOf(image, 64, 64, 3);
    const auto maskFile = pngOf(mask, 64, 64, 1);
    const NodeChain chain =
        training({encodedField("image", Role::Image), encodedField("mask", Role::Mask)}, "auto");
    QCOMPARE(chain.problemText(), std::string());
    QCOMPARE(chain.operations(Fuse::Yes), 1U);
    Sample sample(2);
    setFile(sample, 0, imageFile);
    setFile(sample, 1, maskFile);
    VERIFY_OK(chain.run(sample));
    QVERIFY(sample[1].dtype == DType::U8);
    QVERIFY(sample[1].shape == Shape({24, 32, 1}));
    for (const std::uint8_t value : bytesOf(sample[1])) QVERIFY(value == 3 || value == 200);
  }

  void aColourMaskReadAsIndicesFailsWithTheRemedy() {
    const auto file = pngOf(noise(8, 8, 3, 6), 8, 8, 3);
    NodeChain chain({encodedField("mask", Role::Mask)});
    chain.add("decode");
    Sample sample(1);
    setFile(sample, 0, file);
    const Status done = chain.run(sample);
    QVERIFY(!done.ok());
    QVERIFY(done.error().message.find("decode.mask") != std::string::npos);
    NodeChain rgb({encodedField("mask", Role::Mask)});
    rgb.add("decode", {{"mask", std::string("rgb")}});
    setFile(sample, 0, file);
    VERIFY_OK(rgb.run(sample));
  }

  void drawsDependOnTheSampleAndNotOnTheOrder() {
    const auto picture = noise(50, 60, 3, 8);
    NodeChain chain({pictureField("image", Role::Image)});
    chain.add("random_resized_crop", {{"height", std::int64_t{8}}, {"width", std::int64_t{8}}});
    std::vector<std::vector<std::uint8_t>> forwards;
    const auto result = [&](std::uint32_t index, std::uint32_t round) {
      Sample sample(1);
      sample.reset({0, index, round}, 1);
      setPicture(sample, 0, picture, 50, 60, 3);
      [&] { VERIFY_OK(chain.run(sample)); }();
      return bytesOf(sample[0]);
    };
    for (std::uint32_t i = 0; i < 8; ++i) forwards.push_back(result(i, 0));
    for (std::uint32_t i = 8; i-- > 0;) QCOMPARE(result(i, 0), forwards[i]);
    QVERIFY(result(0, 0) != result(1, 0));
    QVERIFY(result(0, 0) != result(0, 1));
  }

  void floatsGoThroughGeometryToo() {
    const auto picture = noise(12, 16, 3, 9);
    NodeChain chain({pictureField("image", Role::Image)});
    chain.add("precision")
        .add("crop", {{"x", std::int64_t{3}},
                      {"y", std::int64_t{2}},
                      {"width", std::int64_t{5}},
                      {"height", std::int64_t{4}}});
    QCOMPARE(chain.problemText(), std::string());
    QCOMPARE(chain.operations(Fuse::Yes), 2U);
    Sample sample(1);
    setPicture(sample, 0, picture, 12, 16, 3);
    VERIFY_OK(chain.run(sample));
    QVERIFY(sample[0].shape == Shape({3, 4, 5}));
    const auto values = floatsOf(sample[0]);
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t y = 0; y < 4; ++y)
        for (std::size_t x = 0; x < 5; ++x)
          QCOMPARE(values[(c * 4 + y) * 5 + x],
                   static_cast<float>(picture[((y + 2) * 16 + x + 3) * 3 + c]) / 255.0F);
  }

  void namedFieldsLeaveTheOthersAlone() {
    const auto picture = coordinates(10, 10, 3);
    NodeChain chain({pictureField("image", Role::Image), pictureField("target", Role::Target)});
    chain.add("flip", {{"horizontal", 1.0}, {"fields", TextList{"target"}}});
    Sample sample(2);
    setPicture(sample, 0, picture, 10, 10, 3);
    setPicture(sample, 1, picture, 10, 10, 3);
    VERIFY_OK(chain.run(sample));
    QCOMPARE(bytesOf(sample[0]), picture);
    QCOMPARE(int(bytesOf(sample[1])[0]), 9);
  }

  void theGrammarSaysWhatJoins() {
    const auto step = [](const char* kind, Values values = {}) {
      NodeChain chain({pictureField("image", Role::Image)});
      chain.add(kind, values);
      return chain;
    };
    const auto together = [&](const char* first, const char* second, Values values = {}) {
      NodeChain chain({pictureField("image", Role::Image)});
      chain.add(first, values).add(second);
      return chain.operations(Fuse::Yes) == 1;
    };
    QCOMPARE(step("flip").operations(Fuse::Yes), 1U);
    QVERIFY(together("resize", "flip"));
    QVERIFY(together("resize", "centre_crop"));
    QVERIFY(together("crop", "resize"));
    QVERIFY(!together("resize", "resize"));
    QVERIFY(!together("pad", "resize"));
    QVERIFY(together("pad", "random_crop"));
    QVERIFY(!together("resize", "pad", {{"mode", std::string("fit")}}));
    QVERIFY(together("flip", "normalise"));
    QVERIFY(!together("normalise", "flip"));
    QVERIFY(together("normalise", "precision"));
    QVERIFY(!together("precision", "precision"));
    QVERIFY(!together("flip", "flip", {{"fields", TextList{"other"}}}));
  }

  void sizesThatAPairMakesAbsurdAreRefusedBeforeMemoryIsTaken() {
    const auto dot = coordinates(1, 1, 3);
    const auto picture = noise(40, 40, 3, 4);
    NodeChain chain({pictureField("image", Role::Image), pictureField("target", Role::Target)});
    chain.add("resize", {{"height", std::int64_t{16000}}, {"width", std::int64_t{16000}}});
    Sample sample(2);
    setPicture(sample, 0, dot, 1, 1, 3);
    setPicture(sample, 1, picture, 40, 40, 3);
    const Status done = chain.run(sample);
    QVERIFY(!done.ok());
    QVERIFY(done.error().message.find("640000 x 640000") != std::string::npos);
  }
};

MILLRACE_TEST_CASE(TestImagePass)

}  // namespace millrace

#include "tst_image_pass.moc"
