// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/node_parts/change_text.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::solarize {

namespace {

struct Params : ChangeParams {
  double threshold = 128;
};

}  // namespace

NodeSpec describe() {
  Describe<Params> d("solarize", Category::Colour, NodeRole::Sample);
  d.label("Solarize")
      .help(
          "Inverts the values that are at least the threshold, as an overexposed negative "
          "looks, like torchvision's RandomSolarize. Image and target change alike; masks "
          "stay.");
  d.example(R"({"threshold": 128, "probability": 0.5})");
  d.tags({"RandomSolarize", "Sabattier", "RandAugment", "augmentation"});
  d.real("threshold", &Params::threshold)
      .label("Threshold")
      .help("The lowest value that is inverted. 0 inverts all.")
      .range(0, 255)
      .unit("levels of 255")
      .live();
  tableNode(
      d, [](const Params& p, Draw&) { return PictureChange{ChangeKind::Solarize, p.threshold}; });
  changeExports(d, [](const Params& p, const ExportContext&) {
    return ChangeText{
        fmt::format("RandomSolarize(threshold={}, ", pythonReal(p.threshold)),
        fmt::format("tf.where(tf.cast(p, tf.float32) < {}, p, 255 - p)", pythonReal(p.threshold)),
        fmt::format("p * (p < {0}) + (255 - p) * (p >= {0})", pythonReal(p.threshold)),
        fmt::format("np.where(p < {}, p, 255 - p)", pythonReal(p.threshold)),
        {"import numpy as np"}};
  });
  return d.take();
}

}  // namespace millrace::nodes::solarize
