// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "core/kernels/erase.h"
#include "core/node_parts/degradation.h"
#include "core/node_parts/degradation_text.h"

namespace millrace::nodes::coarse_dropout {

namespace {

struct Params : DegradationParams {
  std::int64_t holesMin = 1;
  std::int64_t holesMax = 2;
  double sizeMin = 0.1;
  double sizeMax = 0.2;
  RealList fill{0};
};

class Work {
 public:
  explicit Work(const Params& params)
      : m_params(params), m_colour(padFill(Border::Constant, params.fill, {}).colour) {}

  Status run(MutableImageView picture, Draw& draw) const {
    const std::int64_t holes = draw.integer(m_params.holesMin, m_params.holesMax);
    for (std::int64_t i = 0; i < holes; ++i) {
      const int height = side(picture.height, draw);
      const int width = side(picture.width, draw);
      const auto y = static_cast<int>(draw.integer(0, picture.height - height));
      const auto x = static_cast<int>(draw.integer(0, picture.width - width));
      eraseWithColour(picture, {x, y, width, height}, m_colour);
    }
    return {};
  }

 private:
  /// A fraction of the picture's side, at least a pixel.
  int side(int whole, Draw& draw) const {
    const double part = draw.uniform(m_params.sizeMin, m_params.sizeMax);
    return std::clamp(static_cast<int>(part * whole), 1, whole);
  }

  Params m_params;
  std::array<std::uint8_t, 4> m_colour;
};

void check(const Params& p, const StreamType& in, InferContext& context) {
  if (p.holesMin > p.holesMax)
    context.error("holes_min", "it is larger than holes_max", "swap the two");
  if (p.sizeMin > p.sizeMax)
    context.error("size_min", "it is larger than size_max", "swap the two");
  checkFill(in, imageFields(in, p.fields), p.fill, {0}, context);
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("coarse_dropout", Category::Colour, NodeRole::Sample);
  d.label("Coarse dropout")
      .help(
          "Fills several random rectangles of the image with a colour, like Albumentations' "
          "CoarseDropout. A target and masks stay, so that a network can learn what is hidden.");
  d.example(R"({"holes_min": 2, "holes_max": 6})");
  d.cpuOnly();
  d.tags({"CoarseDropout", "Cutout", "RandomErasing", "holes", "augmentation"});
  d.integer("holes_min", &Params::holesMin)
      .label("Fewest holes")
      .help("Smallest number of rectangles.")
      .range(1, 1000)
      .live();
  d.integer("holes_max", &Params::holesMax)
      .label("Most holes")
      .help("Largest number of rectangles.")
      .range(1, 1000)
      .live();
  d.real("size_min", &Params::sizeMin)
      .label("Smallest")
      .help("Smallest height and width, as a fraction of the picture's; both are drawn.")
      .range(0, 1)
      .live();
  d.real("size_max", &Params::sizeMax)
      .label("Largest")
      .help("Largest height and width, as a fraction of the picture's.")
      .range(0, 1)
      .live();
  d.reals("fill", &Params::fill)
      .label("Fill")
      .help("Colour of the rectangles, 0 to 255: one value, or one per channel.");
  degradationNode<Work>(d, check);
  d.exporters({"pytorch", "tfdata", "dali", "grain"}, notInTarget<Params>);
  return d.take();
}

}  // namespace millrace::nodes::coarse_dropout
