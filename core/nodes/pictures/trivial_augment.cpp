// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/node_parts/change_text.h"
#include "core/node_parts/policy.h"

namespace millrace::nodes::trivial_augment {

namespace {

struct Params : PolicyParams {
  std::int64_t bins = 31;
};

void draws(const Params& p, Draw& draw, Size image, std::vector<PictureChange>& into) {
  const std::int64_t bin = draw.integer(0, p.bins - 1);
  into.push_back(drawChange(trivialAugmentSpace(), bin, p.bins, image, draw));
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  return policyStream(in, p, context);
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("trivial_augment", Category::Geometry, NodeRole::Sample);
  d.label("TrivialAugment")
      .help(
          "Applies one operation, drawn from 14 for each sample, at a random magnitude, with "
          "operations, magnitudes and pixels of torchvision's TrivialAugmentWide. Nothing to tune. "
          "Geometry moves masks, boxes and keypoints with the picture; colours change image and "
          "target alike.");
  d.example(R"({"num_magnitude_bins": 31})");
  d.cpuOnly();
  d.tags({"TrivialAugmentWide", "policy", "automatic augmentation", "augmentation"});
  d.integer("num_magnitude_bins", &Params::bins)
      .label("Steps")
      .help("Number of magnitudes between none and the strongest.")
      .range(2, 1001);
  d.infer(infer);
  policyNode(d, draws);
  policyExports(d, [](const Params& p) {
    return fmt::format("TrivialAugmentWide(num_magnitude_bins={}, ", p.bins);
  });
  return d.take();
}

}  // namespace millrace::nodes::trivial_augment
