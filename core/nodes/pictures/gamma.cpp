// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "core/node_parts/change_text.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::gamma {

namespace {

struct Params : ChangeParams {
  double gammaMin = 0.8;
  double gammaMax = 1.25;
};

/// The exponent for a number `u` from 0 to 1.
std::string exponent(const Params& p) {
  // Without the rounding of a difference in binary: 0.45, not 0.44999999999999996.
  const double range = std::round((p.gammaMax - p.gammaMin) * 1e9) / 1e9;
  return fmt::format("({} + u * {})", pythonReal(p.gammaMin), pythonReal(range));
}

ChangeText textOf(const Params& p, const ExportContext& context) {
  const double middle = (p.gammaMin + p.gammaMax) / 2;
  ChangeText text;
  text.torch =
      fmt::format("RandomGamma({}, {}, ", pythonReal(context.noRandom ? middle : p.gammaMin),
                  pythonReal(context.noRandom ? middle : p.gammaMax));
  text.torchSnippet = "random_gamma";
  text.tfdata =
      fmt::format("tf.saturate_cast(tf.pow(tf.cast(p, tf.float32) / 255, {}) * 255.999, tf.uint8)",
                  exponent(p));
  text.grain = fmt::format("((p / np.float32(255)) ** np.float32{} * 255.999).astype(np.uint8)",
                           exponent(p));
  text.grainImports = {"import numpy as np"};
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("gamma", Category::Colour, NodeRole::Sample);
  d.label("Gamma").help(
      "Raises values from 0 to 1 to a random power, with the pixels of torchvision's adjust_gamma: "
      "dark parts change more than bright ones. Image and target change alike; masks stay.");
  d.example(R"({"gamma_min": 0.7, "gamma_max": 1.5})");
  d.tags({"adjust_gamma", "RandomGamma", "brightness", "exposure", "augmentation"});
  d.real("gamma_min", &Params::gammaMin)
      .label("Smallest")
      .help("Smallest exponent. Below 1, pictures become brighter.")
      .range(0.01, 100)
      .live();
  d.real("gamma_max", &Params::gammaMax)
      .label("Largest")
      .help("Largest exponent. Above 1, pictures become darker.")
      .range(0.01, 100)
      .live();
  tableNode(d, [](const Params& p, Draw& draw) {
    return PictureChange{ChangeKind::Gamma, draw.uniform(p.gammaMin, p.gammaMax)};
  });
  changeExports(d, textOf);
  return d.take();
}

}  // namespace millrace::nodes::gamma
