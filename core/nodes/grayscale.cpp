// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/colour.h"
#include "core/nodes/picture_fields.h"
#include "core/spec/describe.h"

namespace millrace::nodes {

namespace {

struct Params {
  double probability = 0.1;
  TextList fields;
};

class Grayscale final : public SampleOp {
 public:
  Grayscale(const Params& params, const StreamType& in)
      : m_params(params), m_fields(colourFields(in, params.fields)) {}

  Status process(Sample& sample, const OpContext& context) override {
    if (!context.draw(sample.key()).bernoulli(m_params.probability)) return {};
    for (const std::size_t i : m_fields) greyscale(pixelsOf(sample.writable(i)));
    return {};
  }

 private:
  Params m_params;
  std::vector<std::size_t> m_fields;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  return inPlaceStream(in, colourFields(in, p.fields), p.fields, p.probability > 0, context);
}

}  // namespace

NodeSpec grayscale() {
  Describe<Params> d("grayscale", Category::Colour, NodeRole::Sample);
  d.label("Grayscale")
      .help(
          "Takes the colour out of some pictures; they keep their three channels. For pictures "
          "that are all grey set the form of the decode node, which is far cheaper.");
  d.example(R"({"probability": 0.1})");
  d.tags({"RandomGrayscale", "grey", "black and white", "desaturate", "augmentation"});
  d.real("probability", &Params::probability)
      .label("Probability")
      .help("Share of the samples that become grey.")
      .range(0, 1)
      .live();
  d.fields(&Params::fields);
  d.infer(infer);
  d.sample([](const Params& p, const BuildContext& context) -> Result<std::unique_ptr<SampleOp>> {
    return std::unique_ptr<SampleOp>(std::make_unique<Grayscale>(p, context.in));
  });
  return d.take();
}

}  // namespace millrace::nodes
