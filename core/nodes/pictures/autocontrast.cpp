// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/node_parts/change_text.h"

namespace millrace::nodes::autocontrast {

namespace {

struct Params : ChangeParams {};

}  // namespace

NodeSpec describe() {
  Describe<Params> d("autocontrast", Category::Colour, NodeRole::Sample);
  d.label("Autocontrast")
      .help(
          "Stretches each channel so that its darkest value becomes 0 and its brightest 255, "
          "like torchvision's RandomAutocontrast. Image and target change alike; masks stay.");
  d.example(R"({"probability": 0.5})");
  d.cpuOnly();
  d.tags({"RandomAutocontrast", "normalise", "stretch", "RandAugment", "augmentation"});
  colourChangeNode(d,
                   [](const Params&, Draw&) { return PictureChange{ChangeKind::AutoContrast, 0}; });
  changeExports(d, [](const Params&, const ExportContext&) {
    return ChangeText{"RandomAutocontrast(", "", "", ""};
  });
  return d.take();
}

}  // namespace millrace::nodes::autocontrast
