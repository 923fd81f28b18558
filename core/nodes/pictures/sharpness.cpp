// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/node_parts/change_text.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::sharpness {

namespace {

struct Params : ChangeParams {
  double factor = 2;
};

}  // namespace

NodeSpec describe() {
  Describe<Params> d("sharpness", Category::Colour, NodeRole::Sample);
  d.label("Sharpness")
      .help(
          "Sharpens or softens some pictures: their distance to a smoothed picture is "
          "multiplied, like torchvision's RandomAdjustSharpness. Image and target change "
          "alike; masks stay.");
  d.example(R"({"factor": 2.0, "probability": 0.5})");
  d.cpuOnly();
  d.tags({"RandomAdjustSharpness", "sharpen", "unsharp", "RandAugment", "augmentation"});
  d.real("factor", &Params::factor)
      .label("Factor")
      .help("0 smooths, 1 changes nothing, 2 doubles the distance to the smoothed picture.")
      .range(0, 10)
      .live();
  colourChangeNode(
      d, [](const Params& p, Draw&) { return PictureChange{ChangeKind::Sharpness, p.factor}; });
  changeExports(d, [](const Params& p, const ExportContext&) {
    return ChangeText{
        fmt::format("RandomAdjustSharpness(sharpness_factor={}, ", pythonReal(p.factor)), "", "",
        ""};
  });
  return d.take();
}

}  // namespace millrace::nodes::sharpness
