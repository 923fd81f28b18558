// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/node_parts/change_text.h"

namespace millrace::nodes::invert {

namespace {

struct Params : ChangeParams {};

}  // namespace

NodeSpec describe() {
  Describe<Params> d("invert", Category::Colour, NodeRole::Sample);
  d.label("Invert").help(
      "Turns some pictures into their negative, like torchvision's RandomInvert. Image "
      "and target change alike; masks stay.");
  d.example(R"({"probability": 0.5})");
  d.tags({"RandomInvert", "negative", "augmentation"});
  tableNode(d, [](const Params&, Draw&) { return PictureChange{ChangeKind::Invert, 0}; });
  changeExports(d, [](const Params&, const ExportContext&) {
    return ChangeText{"RandomInvert(", "255 - p", "255 - p", "255 - p"};
  });
  return d.take();
}

}  // namespace millrace::nodes::invert
