// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/node_parts/change_text.h"

namespace millrace::nodes::equalize {

namespace {

struct Params : ChangeParams {};

}  // namespace

NodeSpec describe() {
  Describe<Params> d("equalize", Category::Colour, NodeRole::Sample);
  d.label("Equalize")
      .help(
          "Spreads the values of each channel evenly over 0 to 255, by its histogram, like "
          "torchvision's RandomEqualize. Image and target change alike; masks stay.");
  d.example(R"({"probability": 0.5})");
  d.cpuOnly();
  d.tags({"RandomEqualize", "histogram", "equalise", "RandAugment", "augmentation"});
  colourChangeNode(d, [](const Params&, Draw&) { return PictureChange{ChangeKind::Equalize, 0}; });
  changeExports(d, [](const Params&, const ExportContext&) {
    return ChangeText{
        "RandomEqualize(",
        "",
        "",
        "np.asarray(ImageOps.equalize(Image.fromarray(p.squeeze()))).reshape(p.shape)",
        {"import numpy as np", "from PIL import Image, ImageOps"}};
  });
  return d.take();
}

}  // namespace millrace::nodes::equalize
