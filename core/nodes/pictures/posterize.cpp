// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/node_parts/change_text.h"

namespace millrace::nodes::posterize {

namespace {

struct Params : ChangeParams {
  std::int64_t bits = 4;
};

/// The mask of the bits that stay.
int kept(const Params& p) { return 0xff00 >> p.bits & 0xff; }

}  // namespace

NodeSpec describe() {
  Describe<Params> d("posterize", Category::Colour, NodeRole::Sample);
  d.label("Posterize")
      .help(
          "Keeps only the highest bits of each value, so that areas of few colours form, like "
          "torchvision's RandomPosterize. Image and target change alike; masks stay.");
  d.example(R"({"bits": 3, "probability": 0.5})");
  d.tags({"RandomPosterize", "bits", "levels", "RandAugment", "augmentation"});
  d.integer("bits", &Params::bits)
      .label("Bits")
      .help("Bits that stay of 8. With 3, each channel has 8 different values.")
      .range(0, 8)
      .unit("bits")
      .live();
  tableNode(d, [](const Params& p, Draw&) {
    return PictureChange{ChangeKind::Posterize, static_cast<double>(p.bits)};
  });
  changeExports(d, [](const Params& p, const ExportContext&) {
    return ChangeText{fmt::format("RandomPosterize(bits={}, ", p.bits),
                      fmt::format("tf.bitwise.bitwise_and(p, tf.constant({}, tf.uint8))", kept(p)),
                      fmt::format("p & {}", kept(p)), fmt::format("p & {}", kept(p))};
  });
  return d.take();
}

}  // namespace millrace::nodes::posterize
