// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/change/clahe.h"
#include "core/node_parts/degradation_text.h"
#include "core/node_parts/picture_changes.h"
#include "core/node_parts/picture_op.h"

namespace millrace::nodes::clahe {

namespace {

struct Params : ChangeParams {
  double limitMin = 1;
  double limitMax = 4;
  std::int64_t tiles = 8;
};

class Equalise final : public SampleOp {
 public:
  Equalise(const Params& params, const StreamType& in)
      : m_params(params), m_fields(colourFields(in, params.fields)) {}

  Status process(Sample& sample, const OpContext& context) override {
    Draw draw = context.draw(sample.key());
    if (!draw.bernoulli(m_params.probability)) return {};
    const double limit = draw.uniform(m_params.limitMin, m_params.limitMax);
    for (const std::size_t i : m_fields)
      m_clahe.run(pixelsOf(sample.writable(i)), limit, static_cast<int>(m_params.tiles));
    return {};
  }

 private:
  const Params m_params;
  const std::vector<std::size_t> m_fields;
  Clahe m_clahe;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  if (p.limitMin > p.limitMax)
    context.error("limit_min", "it is larger than limit_max", "swap the two");
  return changedStream(in, p, context);
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("clahe", Category::Colour, NodeRole::Sample);
  d.label("CLAHE").help(
      "Raises the contrast of some pictures tile by tile, without the noise that an equal "
      "histogram would bring: contrast limited adaptive histogram equalisation, as for X-rays "
      "and dark photos. Pictures of one channel get the pixels of OpenCV's CLAHE; of colours "
      "the brightness changes. Image and target change alike; masks stay.");
  d.example(R"({"limit_max": 3, "probability": 0.5})");
  d.cpuOnly();
  d.tags({"CLAHE", "equalize_clahe", "histogram", "contrast", "medical", "augmentation"});
  d.real("limit_min", &Params::limitMin)
      .label("Least limit")
      .help("The clip limit is drawn from here on.")
      .range(0.1, 100)
      .live();
  d.real("limit_max", &Params::limitMax)
      .label("Largest limit")
      .help(
          "The largest clip limit: a value may be so many times as frequent in a tile as on "
          "average. More: more contrast.")
      .range(0.1, 100)
      .live();
  d.integer("tiles", &Params::tiles)
      .label("Tiles")
      .help("Number of tiles along each side.")
      .range(1, 256);
  d.real("probability", &Params::probability)
      .label("Probability")
      .help("Fraction of the samples that are changed.")
      .range(0, 1)
      .live();
  d.fields(&Params::fields);
  d.infer(infer);
  pictureOp<Equalise>(
      d, [](const StreamType& in, const TextList& fields) { return colourFields(in, fields); });
  d.exporters({"pytorch", "tfdata", "dali", "grain"}, notInTarget<Params>);
  return d.take();
}

}  // namespace millrace::nodes::clahe
