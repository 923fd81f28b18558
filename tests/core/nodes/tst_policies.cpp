// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What policies draw, and which fields they change. The pixels of their operations are tested with
// the kernels.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>

#include "core/node_parts/policy.h"
#include "tests/core/nodes/node_chain.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;
using nodes::PolicyOp;

namespace {

constexpr int kRows = 90;
constexpr int kColumns = 120;
using Pixels = std::vector<std::uint8_t>;
using Edges = std::array<float, 4>;

constexpr const char* kMovers[] = {"rand_augment", "trivial_augment", "auto_augment",
                                   "perspective"};

std::vector<FieldSpec> maskedFields() {
  FieldSpec boxes;
  boxes.name = "boxes";
  boxes.dtype = DType::F32;
  boxes.role = Role::Boxes;
  boxes.shape = {Shape::kUnknown, 4};
  return {pictureField("image", Role::Image), pictureField("mask", Role::Mask, 1),
          std::move(boxes)};
}

/// A mask with a rectangle of class 1.
Pixels rectangleMask(const Edges& box) {
  Pixels mask(static_cast<std::size_t>(kRows) * kColumns);
  for (int y = static_cast<int>(box[1]); y < static_cast<int>(box[3]); ++y)
    for (int x = static_cast<int>(box[0]); x < static_cast<int>(box[2]); ++x)
      mask[static_cast<std::size_t>(y * kColumns + x)] = 1;
  return mask;
}

/// The edges of the pixels of class 1.
Edges edgesOf(const Pixels& mask) {
  Edges edges{kColumns, kRows, 0, 0};
  for (int y = 0; y < kRows; ++y)
    for (int x = 0; x < kColumns; ++x) {
      if (mask[static_cast<std::size_t>(y * kColumns + x)] != 1) continue;
      edges[0] = std::min(edges[0], static_cast<float>(x));
      edges[1] = std::min(edges[1], static_cast<float>(y));
      edges[2] = std::max(edges[2], static_cast<float>(x + 1));
      edges[3] = std::max(edges[3], static_cast<float>(y + 1));
    }
  return edges;
}

struct Result3 {
  Pixels image, mask;
  Edges box{};
};

Result3 runOn(const NodeChain& chain, const Pixels& picture, const Pixels& mask, const Edges& box,
              std::uint32_t index) {
  Sample sample(3);
  sample.reset({0, index, 0}, 3);
  setPicture(sample, 0, picture, kRows, kColumns, 3);
  setPicture(sample, 1, mask, kRows, kColumns, 1);
  const TensorView to = sample.replace(2, DType::F32, {1, 4}, Layout::Plain);
  std::memcpy(to.data, box.data(), sizeof(box));
  [&] { VERIFY_OK(chain.run(sample)); }();
  Result3 result{bytesOf(sample[0]), bytesOf(sample[1]), {}};
  std::memcpy(result.box.data(), sample[2].data, sizeof(result.box));
  return result;
}

Values oneOperation(const std::string& kind) {
  if (kind != "rand_augment") return {};
  return {{"num_ops", std::int64_t{1}}, {"magnitude", std::int64_t{20}}};
}

double amountOf(std::span<const PolicyOp> space, ChangeKind kind, std::int64_t bin,
                std::int64_t bins) {
  const auto op = std::ranges::find(space, kind, &PolicyOp::kind);
  Draw draw({1, 0, 0, 0, 0});
  return std::abs(nodes::changeOf(*op, bin, bins, {224, 200}, draw).amount);
}

}  // namespace

class TestPolicies : public QObject {
  Q_OBJECT
 private slots:
  void masksAndBoxesMoveWithThePicture() {
    const Pixels picture = noise(kRows, kColumns, 3, 1);
    const Edges box{45, 30, 80, 62};
    const Pixels mask = rectangleMask(box);
    for (const char* kind : kMovers) {
      NodeChain chain(maskedFields());
      Values values = oneOperation(kind);
      values["mask_fill"] = RealList{255};
      chain.add(kind, values);
      QVERIFY2(chain.problems().all().empty(), chain.problemText().c_str());
      int moved = 0;
      for (std::uint32_t index = 0; index < 120; ++index) {
        const Result3 result = runOn(chain, picture, mask, box, index);
        const bool changed = result.mask != mask;
        moved += changed ? 1 : 0;
        QCOMPARE(result.box != box, changed);
        if (!changed || std::string(kind) == "auto_augment") continue;
        // A corner outside the picture is clipped on its own, not with the pixels.
        if (result.box[0] <= 0 || result.box[1] <= 0 || result.box[2] >= kColumns ||
            result.box[3] >= kRows)
          continue;
        const Edges edges = edgesOf(result.mask);
        for (std::size_t i = 0; i < 4; ++i)
          QVERIFY2(std::abs(result.box[i] - edges[i]) <= 2.0F,
                   (std::string(kind) + " " + std::to_string(index)).c_str());
      }
      QVERIFY2(moved > 10 && moved < 110, kind);
    }
  }

  void aSampleIsDrawnByItsKeyAlone() {
    const Pixels picture = noise(kRows, kColumns, 3, 2);
    const Pixels mask = rectangleMask({1, 1, 9, 9});
    for (const char* kind : {"rand_augment", "trivial_augment", "auto_augment", "aug_mix"}) {
      NodeChain chain(maskedFields());
      chain.add(kind);
      std::map<Pixels, int> results;
      for (std::uint32_t index = 0; index < 30; ++index) {
        const Result3 first = runOn(chain, picture, mask, {1, 1, 9, 9}, index);
        QVERIFY(runOn(chain, picture, mask, {1, 1, 9, 9}, index).image == first.image);
        ++results[first.image];
      }
      QVERIFY2(results.size() > 15, kind);
      NodeChain still(maskedFields());
      still.noRandom().add(kind);
      QVERIFY(runOn(still, picture, mask, {1, 1, 9, 9}, 3).image == picture);
    }
  }

  void aMixtureLeavesMasksAndBoxes() {
    const Pixels picture = noise(kRows, kColumns, 3, 3);
    const Edges box{45, 30, 80, 62};
    NodeChain chain(maskedFields());
    chain.add("aug_mix");
    for (std::uint32_t index = 0; index < 10; ++index) {
      const Result3 result = runOn(chain, picture, rectangleMask(box), box, index);
      QVERIFY(result.image != picture);
      QCOMPARE(result.mask, rectangleMask(box));
      QCOMPARE(result.box, box);
    }
  }

  /// The numbers are torchvision's.
  void magnitudesAreThoseOfTorchvision() {
    const auto rand = nodes::randAugmentSpace();
    const auto trivial = nodes::trivialAugmentSpace();
    const auto mix = nodes::augMixSpace(true);
    QCOMPARE(amountOf(rand, ChangeKind::ShearX, 9, 31), 0.09000000357627869);
    QCOMPARE(amountOf(rand, ChangeKind::TranslateX, 7, 31), 23.685800552368164);
    QCOMPARE(amountOf(rand, ChangeKind::TranslateY, 3, 31), 9.063444137573242);
    QCOMPARE(amountOf(rand, ChangeKind::Solarize, 8, 31), 255 * 0.7333333492279053);
    QCOMPARE(amountOf(rand, ChangeKind::Posterize, 9, 31), 7.0);
    QCOMPARE(amountOf(trivial, ChangeKind::Rotate, 8, 31), 36.0);
    QCOMPARE(amountOf(trivial, ChangeKind::Posterize, 9, 31), 6.0);
    QCOMPARE(amountOf(mix, ChangeKind::Posterize, 5, 10), 2.0);
    QCOMPARE(amountOf(mix, ChangeKind::TranslateX, 3, 10), 24.88888931274414);
  }

  void everyOperationIsDrawnEquallyOften() {
    constexpr int kDraws = 14000;
    std::map<ChangeKind, int> counts;
    int negative = 0;
    int isSigned = 0;
    for (std::uint32_t i = 0; i < kDraws; ++i) {
      Draw draw({1, 0, i, 0, 5});
      const PictureChange change =
          nodes::drawChange(nodes::randAugmentSpace(), 9, 31, {224, 224}, draw);
      ++counts[change.kind];
      if (change.kind != ChangeKind::Rotate) continue;
      ++isSigned;
      negative += change.amount < 0 ? 1 : 0;
    }
    QCOMPARE(counts.size(), nodes::randAugmentSpace().size());
    // Five standard deviations of a binomial distribution.
    for (const auto& [kind, count] : counts) QVERIFY(std::abs(count - 1000) < 5 * 31);
    QVERIFY(std::abs(negative - isSigned / 2) < 5 * 16);
  }

  void whatDoesNotFitIsReported() {
    NodeChain beyond(maskedFields());
    beyond.add("rand_augment", {{"magnitude", std::int64_t{31}}});
    QVERIFY2(beyond.problemText().find("below num_magnitude_bins") != std::string::npos,
             beyond.problemText().c_str());
    for (const char* kind : {"rand_augment", "aug_mix", "equalize", "jitter", "grayscale"}) {
      NodeChain two({pictureField("image", Role::Image, 2)});
      two.add(kind);
      QVERIFY2(two.problemText().find("has 2 channels") != std::string::npos, kind);
    }
  }
};

}  // namespace millrace

using millrace::TestPolicies;
MILLRACE_TEST_CASE(TestPolicies)
#include "tst_policies.moc"
