// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Changes that differ from place to place in a picture: CLAHE and grid distortion.
#include <algorithm>
#include <set>

#include "core/kernels/change/clahe.h"
#include "tests/core/nodes/node_chain.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

constexpr int kHeight = 30;
constexpr int kWidth = 40;

using Pixels = std::vector<std::uint8_t>;

const std::vector<FieldSpec>& fieldsOfAPair() {
  static const std::vector<FieldSpec> fields{pictureField("image", Role::Image, 1),
                                             pictureField("target", Role::Target, 1),
                                             pictureField("mask", Role::Mask, 1)};
  return fields;
}

/// The three pictures after the node; all are `picture` before.
std::vector<Pixels> changed(const std::string& kind, const Values& values, const Pixels& picture,
                            std::uint32_t index = 0, bool noRandom = false) {
  NodeChain chain(fieldsOfAPair());
  chain.add(kind, values);
  if (noRandom) chain.noRandom();
  Sample sample(3);
  sample.reset({0, index, 0}, 3);
  for (std::size_t i = 0; i < 3; ++i) setPicture(sample, i, picture, kHeight, kWidth, 1);
  const Status done = chain.run(sample);
  if (!done) return {};
  return {tests::bytesOf(sample[0]), tests::bytesOf(sample[1]), tests::bytesOf(sample[2])};
}

/// Values that rise from left to right, and from top to bottom by less.
Pixels slope() {
  Pixels pixels;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) pixels.push_back(static_cast<std::uint8_t>(5 * x + y));
  return pixels;
}

}  // namespace

class TestLocalChanges : public QObject {
  Q_OBJECT
 private slots:
  void claheChangesImageAndTargetAlikeAndLeavesTheMask() {
    Pixels picture = noise(kHeight, kWidth, 1, 3);
    for (std::uint8_t& pixel : picture) pixel /= 4;  // few values, so that every limit clips
    Pixels expected = picture;
    Clahe().run({expected.data(), kWidth, kHeight, 1, kWidth}, 2.5, 1);
    const Values always{{"probability", 1.0}, {"tiles", std::int64_t{1}}};
    const auto middle = changed("clahe", always, picture, 0, true);
    QCOMPARE(middle[0], expected);
    QCOMPARE(middle[1], expected);
    QCOMPARE(middle[2], picture);
    std::set<Pixels> drawn;
    for (std::uint32_t index = 0; index < 8; ++index)
      drawn.insert(changed("clahe", always, picture, index)[0]);
    QVERIFY(drawn.size() > 4);
    QCOMPARE(changed("clahe", {{"probability", 0.0}}, picture)[0], picture);
  }

  void claheRefusesLimitsInTheWrongOrder() {
    NodeChain chain(fieldsOfAPair());
    chain.add("clahe", {{"limit_min", 4.0}, {"limit_max", 2.0}});
    QVERIFY(chain.problemText().find("larger than limit_max") != std::string::npos);
  }

  void aGridKeepsOrderAndBorders() {
    const Values always{{"probability", 1.0}, {"limit", 0.6}, {"cells", std::int64_t{4}}};
    const Pixels picture = slope();
    std::set<Pixels> drawn;
    for (std::uint32_t index = 0; index < 8; ++index) {
      const auto out = changed("grid_distortion", always, picture, index);
      drawn.insert(out[0]);
      QCOMPARE(out[0], out[1]);
      for (int y = 0; y < kHeight; ++y) {
        const auto row = out[0].begin() + y * kWidth;
        QVERIFY(std::is_sorted(row, row + kWidth));
        // The first and last columns come from within half a pixel and a cell's stretch of the
        // edge.
        QVERIFY(row[0] <= 5 * 2 + kHeight && row[kWidth - 1] >= 5 * (kWidth - 3));
      }
      // Masks take the nearest pixel, so they have no new values.
      const std::set<std::uint8_t> before(picture.begin(), picture.end());
      QVERIFY(std::ranges::all_of(out[2], [&](std::uint8_t v) { return before.contains(v); }));
    }
    QCOMPARE(drawn.size(), std::size_t{8});
  }

  void aGridWithoutChangesIsThePicture() {
    const Pixels picture = noise(kHeight, kWidth, 1, 5);
    QCOMPARE(changed("grid_distortion", {{"probability", 1.0}, {"limit", 0.0}}, picture)[2],
             picture);
    QCOMPARE(changed("grid_distortion", {{"probability", 1.0}}, picture, 0, true)[0], picture);
    QCOMPARE(changed("grid_distortion", {{"probability", 0.0}}, picture)[0], picture);
  }

  void aGridIsRefusedWithBoxes() {
    std::vector<FieldSpec> fields = fieldsOfAPair();
    fields.push_back({"boxes", DType::F32, {Shape::kUnknown, 4}, Layout::Plain, Role::Boxes});
    NodeChain chain(fields);
    chain.add("grid_distortion");
    QVERIFY(chain.problemText().find("`boxes` cannot follow it") != std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestLocalChanges;
MILLRACE_TEST_CASE(TestLocalChanges)
#include "tst_local_changes.moc"
