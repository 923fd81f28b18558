// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The fields and draws of the colour nodes. Their pixel rules are tested with the kernels.
#include <algorithm>
#include <cmath>

#include "tests/core/nodes/node_chain.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

using Pixels = std::vector<std::uint8_t>;

constexpr const char* kColourKinds[] = {"jitter",   "channel_shift", "grayscale", "gamma",
                                        "equalize", "sharpness",     "posterize", "solarize",
                                        "invert",   "autocontrast"};

Values always(const std::string& kind) {
  if (kind == "jitter" || kind == "channel_shift" || kind == "blur") return {};
  return {{"probability", 1.0}};
}

struct Three {
  Pixels image, target, mask;
};

/// Runs a node on image, target (the same picture) and mask.
Three runOnThree(const std::string& kind, const Values& values, const Pixels& picture,
                 const Pixels& mask, std::uint32_t index = 0) {
  NodeChain chain({pictureField("image", Role::Image), pictureField("target", Role::Target),
                   pictureField("mask", Role::Mask, 1)});
  chain.add(kind, values);
  Sample sample(3);
  sample.reset({0, index, 0}, 3);
  setPicture(sample, 0, picture, 16, 20, 3);
  setPicture(sample, 1, picture, 16, 20, 3);
  setPicture(sample, 2, mask, 16, 20, 1);
  [&] { VERIFY_OK(chain.run(sample)); }();
  return {bytesOf(sample[0]), bytesOf(sample[1]), bytesOf(sample[2])};
}

}  // namespace

class TestColour : public QObject {
  Q_OBJECT
 private slots:
  void colourChangesImageAndTargetAlikeAndNoMask() {
    const Pixels picture = noise(16, 20, 3, 1);
    const Pixels mask = noise(16, 20, 1, 2);
    for (const char* kind : kColourKinds) {
      const Three result = runOnThree(kind, always(kind), picture, mask);
      QVERIFY2(result.image != picture, kind);
      QCOMPARE(result.target, result.image);
      QCOMPARE(result.mask, mask);
    }
  }

  void degradationsChangeTheImageAlone() {
    const Pixels picture = noise(16, 20, 3, 3);
    const Pixels mask = noise(16, 20, 1, 4);
    for (const char* kind : {"blur", "erase", "noise", "jpeg_artefacts", "coarse_dropout"}) {
      const Three result = runOnThree(kind, always(kind), picture, mask);
      QVERIFY2(result.image != picture, kind);
      QCOMPARE(result.target, picture);
      QCOMPARE(result.mask, mask);
    }
  }

  void theSourcesOwnPixelsAreNeverWrittenTo() {
    const Pixels picture = noise(16, 20, 3, 5);
    const Pixels before = picture;
    const Pixels mask(16 * 20);
    for (const char* kind : {"jitter", "channel_shift", "grayscale", "blur", "erase"}) {
      runOnThree(kind, always(kind), picture, mask);
      QCOMPARE(picture, before);
    }
  }

  void jitterWithOneStrengthStaysInItsRange() {
    const Pixels picture(16 * 20 * 3, 100);
    const Pixels mask(16 * 20);
    int darkest = 255;
    int brightest = 0;
    for (std::uint32_t index = 0; index < 200; ++index) {
      const Three result = runOnThree(
          "jitter", {{"contrast", 0.0}, {"saturation", 0.0}, {"hue", 0.0}}, picture, mask, index);
      darkest = std::min(darkest, int(result.image[0]));
      brightest = std::max(brightest, int(result.image[0]));
    }
    QVERIFY(darkest >= 59 && darkest < 65);
    QVERIFY(brightest <= 140 && brightest > 135);
  }

  void jitterTakesItsStepsInAnyOrder() {
    // Brightness before or after contrast gives different results: more distinct results than with
    // a fixed order.
    const Pixels picture = coordinates(16, 20, 3);
    const Pixels mask(16 * 20);
    const Three a = runOnThree("jitter", {}, picture, mask, 1);
    const Three b = runOnThree("jitter", {}, picture, mask, 2);
    QVERIFY(a.image != b.image);
    QCOMPARE(runOnThree("jitter", {}, picture, mask, 1).image, a.image);
  }

  void channelShiftAddsOneNumberToAChannel() {
    const Pixels picture(16 * 20 * 3, 128);
    const Pixels mask(16 * 20);
    bool channelsDiffer = false;
    for (std::uint32_t index = 0; index < 50; ++index) {
      const Pixels each = runOnThree("channel_shift", {}, picture, mask, index).image;
      const Pixels all =
          runOnThree("channel_shift", {{"per_channel", false}}, picture, mask, index).image;
      for (std::size_t i = 3; i < each.size(); ++i) QCOMPARE(each[i], each[i % 3]);
      for (std::size_t i = 1; i < all.size(); ++i) QCOMPARE(all[i], all[0]);
      QVERIFY(each[0] >= 108 && each[0] <= 148);
      channelsDiffer = channelsDiffer || each[0] != each[1];
    }
    QVERIFY(channelsDiffer);
  }

  void grayscaleHappensAsOftenAsAsked() {
    const Pixels picture = noise(16, 20, 3, 6);
    const Pixels mask(16 * 20);
    int grey = 0;
    for (std::uint32_t index = 0; index < 400; ++index) {
      const Pixels result =
          runOnThree("grayscale", {{"probability", 0.25}}, picture, mask, index).image;
      if (result == picture) continue;
      ++grey;
      QCOMPARE(result[0], result[1]);
      QCOMPARE(result[0], result[2]);
    }
    QVERIFY(grey > 60 && grey < 145);  // 100 with five standard deviations
  }

  void eraseCoversOneRectangleOfTheAskedArea() {
    const Pixels picture(16 * 20 * 3, 1);
    const Pixels mask(16 * 20);
    for (std::uint32_t index = 0; index < 100; ++index) {
      const Pixels result = runOnThree("erase", {{"probability", 1.0}, {"value", RealList{250}}},
                                       picture, mask, index)
                                .image;
      int left = 99, top = 99, right = -1, bottom = -1, count = 0;
      for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 20; ++x) {
          if (result[static_cast<std::size_t>((y * 20 + x) * 3)] != 250) continue;
          left = std::min(left, x), right = std::max(right, x);
          top = std::min(top, y), bottom = std::max(bottom, y);
          ++count;
        }
      if (count == 0) continue;  // ten attempts found no place
      QCOMPARE(count, (right - left + 1) * (bottom - top + 1));
      QVERIFY(count >= 3 && count <= 16 * 20 * 4 / 10);
    }
  }

  void withoutRandomnessNothingChanges() {
    const Pixels picture = noise(16, 20, 3, 7);
    for (const char* kind : {"jitter", "channel_shift", "grayscale", "erase"}) {
      NodeChain chain({pictureField("image", Role::Image)});
      chain.add(kind).noRandom();
      Sample sample(1);
      setPicture(sample, 0, picture, 16, 20, 3);
      VERIFY_OK(chain.run(sample));
      QCOMPARE(bytesOf(sample[0]), picture);
    }
  }

  void floatsAreRefusedWithARemedy() {
    for (const char* kind : {"jitter", "channel_shift", "grayscale", "blur", "erase"}) {
      NodeChain chain({pictureField("image", Role::Image)});
      chain.add("normalise").add(kind);
      QVERIFY2(chain.problemText().find("before normalise") != std::string::npos, kind);
    }
  }

  void masksByNameAreRefused() {
    NodeChain chain({pictureField("image", Role::Image), pictureField("mask", Role::Mask, 1)});
    chain.add("jitter", {{"fields", TextList{"mask"}}});
    QVERIFY(chain.problems().anyError());
  }

  void evenKernelsAreRefused() {
    NodeChain chain({pictureField("image", Role::Image)});
    chain.add("blur", {{"kernel", std::int64_t{4}}});
    QCOMPARE(chain.problems().all().front().field, std::string("kernel"));
  }
};

MILLRACE_TEST_CASE(TestColour)

}  // namespace millrace

#include "tst_colour.moc"
