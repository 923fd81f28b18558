// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/node_parts/change_text.h"
#include "core/node_parts/policy.h"

namespace millrace::nodes::rand_augment {

namespace {

struct Params : PolicyParams {
  std::int64_t operations = 2;
  std::int64_t magnitude = 9;
  std::int64_t bins = 31;
};

void draws(const Params& p, Draw& draw, Size image, std::vector<PictureChange>& into) {
  for (std::int64_t i = 0; i < p.operations; ++i)
    into.push_back(drawChange(randAugmentSpace(), p.magnitude, p.bins, image, draw));
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  if (p.magnitude >= p.bins)
    context.error("magnitude",
                  fmt::format("it must be below num_magnitude_bins, which is {}", p.bins),
                  fmt::format("choose 0 to {}", p.bins - 1));
  return policyStream(in, p, context);
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("rand_augment", Category::Geometry, NodeRole::Sample);
  d.label("RandAugment")
      .help(
          "Applies a few operations, drawn from 14 for each sample, at one magnitude, with "
          "operations, magnitudes and pixels of torchvision's RandAugment. Geometry moves masks, "
          "boxes and keypoints with the picture; colours change image and target alike.");
  d.example(R"({"num_ops": 2, "magnitude": 9})");
  d.cpuOnly();
  d.tags({"RandAugment", "policy", "automatic augmentation", "augmentation"});
  d.integer("num_ops", &Params::operations)
      .label("Operations")
      .help("How many operations are applied to each sample, one after the other.")
      .range(1, 16)
      .live();
  d.integer("magnitude", &Params::magnitude)
      .label("Magnitude")
      .help("Strength of all operations, from 0 to one below the number of steps.")
      .range(0, 1000)
      .live();
  d.integer("num_magnitude_bins", &Params::bins)
      .label("Steps")
      .help("Number of magnitudes between none and the strongest.")
      .range(2, 1001);
  d.infer(infer);
  policyNode(d, draws);
  policyExports(d, [](const Params& p) {
    return fmt::format("RandAugment(num_ops={}, magnitude={}, num_magnitude_bins={}, ",
                       p.operations, p.magnitude, p.bins);
  });
  return d.take();
}

}  // namespace millrace::nodes::rand_augment
