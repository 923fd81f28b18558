// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/codecs/encode.h"
#include "core/pass/image_pass.h"
#include "tests/core/nodes/node_chain.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

const TextList kLarge{"view_1", "view_2"};
const TextList kSmall{"view_3", "view_4"};

std::vector<std::byte> jpegOf(int height, int width) {
  const auto picture = noise(height, width, 3, 5);
  return encodeJpeg({picture.data(), width, height, 3, std::ptrdiff_t{width} * 3}).take();
}

/// Two large and two small crops of a file, as DINO takes them.
NodeChain crops() {
  FieldSpec label;
  label.name = "label";
  label.role = Role::Label;
  label.dtype = DType::I64;
  NodeChain chain({encodedField("image", Role::Image), label});
  chain.add("decode", {{"scaling", std::string("full")}})
      .add("views", {{"count", std::int64_t{4}}})
      .add("random_resized_crop", {{"height", std::int64_t{24}},
                                   {"width", std::int64_t{32}},
                                   {"scale_min", 0.4},
                                   {"fields", kLarge}})
      .add("random_resized_crop", {{"height", std::int64_t{10}},
                                   {"width", std::int64_t{10}},
                                   {"scale_max", 0.4},
                                   {"fields", kSmall}})
      .add("flip")
      .add("normalise");
  return chain;
}

/// The fields after a chain with room for six, for the sample with this index.
Sample run(const NodeChain& chain, const std::vector<std::byte>& file, std::uint32_t index,
           Fuse fuse) {
  static std::int64_t label = 3;
  Sample sample(6);
  sample.reset({1, index, 0}, 6);
  setFile(sample, 0, file);
  sample.borrow(
      1, {DType::I64, Layout::Plain, {}, reinterpret_cast<std::byte*>(&label), sizeof(label)});
  if (const Status done = chain.run(sample, fuse); !done)
    qFatal("%s", done.error().message.c_str());
  return sample;
}

}  // namespace

class TestViews : public QObject {
  Q_OBJECT
 private slots:
  void thePictureBecomesFieldsInItsPlace() {
    const NodeChain chain = crops();
    QCOMPARE(chain.problemText(), std::string());
    QCOMPARE(chain.out().fields.size(), 5U);
    QCOMPARE(chain.out().fields[0].text(), std::string("view_1 f32 24x32x3 hwc"));
    QCOMPARE(chain.out().fields[3].text(), std::string("view_4 f32 10x10x3 hwc"));
    QCOMPARE(chain.out().fields[4].name, std::string("label"));
    const Sample sample = run(chain, jpegOf(60, 80), 0, Fuse::Yes);
    QVERIFY(sample[1].shape == Shape({24, 32, 3}));
    QVERIFY(sample[2].shape == Shape({10, 10, 3}));
    QCOMPARE(*sample[4].as<const std::int64_t>(), std::int64_t{3});
  }

  void oneDecodeGivesTheBitsOfSeparateNodes() {
    const NodeChain chain = crops();
    QCOMPARE(chain.operations(Fuse::Yes), 1U);
    QCOMPARE(chain.operations(Fuse::No), 6U);
    const auto file = jpegOf(90, 121);
    for (std::uint32_t index = 0; index < 20; ++index) {
      const Sample joined = run(chain, file, index, Fuse::Yes);
      const Sample separate = run(chain, file, index, Fuse::No);
      for (std::size_t view = 0; view < 4; ++view)
        QCOMPARE(bytesOf(joined[view]), bytesOf(separate[view]));
    }
  }

  void theDecodeScaleSuitsTheMostDemandingView() {
    const auto file = jpegOf(320, 480);
    const auto small = [&](const char* scaling, std::int64_t height) {
      NodeChain chain({encodedField("image", Role::Image)});
      chain.add("decode", {{"scaling", std::string(scaling)}})
          .add("views")
          .add("resize", {{"height", std::int64_t{40}},
                          {"width", std::int64_t{60}},
                          {"fields", TextList{"view_1"}}})
          .add("resize",
               {{"height", height}, {"width", height * 3 / 2}, {"fields", TextList{"view_2"}}});
      Sample sample(2);
      setFile(sample, 0, file);
      if (const Status done = chain.run(sample); !done) qFatal("%s", done.error().message.c_str());
      return bytesOf(sample[0]);
    };
    QVERIFY2(small("auto", 40) != small("full", 40), "both are an eighth: the decode is scaled");
    QCOMPARE(small("auto", 320), small("full", 320));
  }

  void everyViewHasADifferentCropWhateverTheirNumber() {
    const auto file = jpegOf(90, 120);
    const auto cropped = [&](std::int64_t views, std::uint32_t index) {
      NodeChain chain({encodedField("image", Role::Image)});
      chain.add("decode", {{"scaling", std::string("full")}})
          .add("views", {{"count", views}})
          .add("random_resized_crop", {{"height", std::int64_t{24}}, {"width", std::int64_t{32}}});
      Sample sample(static_cast<std::size_t>(views));
      sample.reset({1, index, 0}, static_cast<std::size_t>(views));
      setFile(sample, 0, file);
      if (const Status done = chain.run(sample); !done) qFatal("%s", done.error().message.c_str());
      return std::pair(bytesOf(sample[0]), bytesOf(sample[1]));
    };
    for (std::uint32_t index = 0; index < 20; ++index) {
      const auto two = cropped(2, index);
      QVERIFY(two.first != two.second);
      QVERIFY(cropped(5, index) == two);
    }
  }

  void colourNodesDrawSeparatelyToo() {
    NodeChain chain({pictureField("image", Role::Image, 3, 30, 40)});
    chain.add("views", {{"count", std::int64_t{3}}})
        .add("jitter", {{"brightness", 0.8}})
        .add("solarize", {{"probability", 1.0}, {"fields", TextList{"view_2"}}});
    QCOMPARE(chain.problemText(), std::string());
    const auto picture = noise(30, 40, 3, 6);
    Sample sample(3);
    setPicture(sample, 0, picture, 30, 40, 3);
    VERIFY_OK(chain.run(sample));
    QVERIFY(bytesOf(sample[0]) != picture);
    QVERIFY(bytesOf(sample[0]) != bytesOf(sample[2]));

    NodeChain one({pictureField("image", Role::Image, 3, 30, 40)});
    one.add("views", {{"count", std::int64_t{2}}})
        .add("jitter", {{"brightness", 0.8}, {"fields", TextList{"view_1"}}});
    Sample alone(2);
    setPicture(alone, 0, picture, 30, 40, 3);
    VERIFY_OK(one.run(alone));
    QCOMPARE(bytesOf(alone[0]), bytesOf(sample[0]));
    QCOMPARE(bytesOf(alone[1]), picture);
  }

  void whatIsNotOnePictureIsRefused() {
    const auto problem = [](std::vector<FieldSpec> fields) {
      NodeChain chain(std::move(fields));
      chain.add("views");
      return chain.problemText();
    };
    const auto says = [](const std::string& text, const char* part) {
      return text.find(part) != std::string::npos;
    };
    const FieldSpec image = pictureField("image", Role::Image);
    QVERIFY(says(problem({image, pictureField("mask", Role::Mask, 1)}), "`mask` belongs to it"));
    QVERIFY(says(problem({encodedField("image", Role::Image)}), "decode"));
    QVERIFY(says(problem({}), "no field"));
    NodeChain twice({image});
    twice.add("views").add("views");
    QVERIFY(says(twice.problemText(), "already have views"));
    NodeChain named({image, pictureField("view_2", Role::Features, 3)});
    named.add("views");
    QVERIFY(says(named.problemText(), "two fields named `view_2`"));
  }
};

MILLRACE_TEST_CASE(TestViews)

}  // namespace millrace

#include "tst_views.moc"
