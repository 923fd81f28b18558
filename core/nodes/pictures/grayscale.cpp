// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <algorithm>

#include "core/kernels/colour/colour.h"
#include "core/node_parts/array_text.h"
#include "core/node_parts/picture_op.h"
#include "core/pass/device_side.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::grayscale {

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

/// The device side.
class GreyChange final : public ColourChange {
 public:
  explicit GreyChange(const Params& params) : m_params(params) {}
  void draw(Draw& draw, DrawnColours& into) const override {
    if (draw.bernoulli(m_params.probability)) into.add(ColourAct{ColourKind::Greyscale, 1, 0, {}});
  }
  std::size_t mostActs() const override { return 1; }

 private:
  Params m_params;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  checkColours(in, colourFields(in, p.fields), context);
  return inPlaceStream(in, colourFields(in, p.fields), p.fields, p.probability > 0, context);
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = colourFields(context.in, p.fields);
  const double chance = context.chance(p.probability);
  const auto isGrey = [&](std::size_t i) { return context.in.fields[i].channels() == 1; };
  ExportText text;
  if (chance == 0 || std::all_of(acted.begin(), acted.end(), isGrey)) return text;
  return text.import("from torchvision.transforms import v2")
      .step(fmt::format("v2.RandomApply([v2.Grayscale(num_output_channels=3)], p={})",
                        pythonReal(chance)),
            context.only(acted, {Role::Image, Role::Target}));
}

/// For tf.data, DALI and Grain.
ExportText arrays(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.chance(p.probability) == 0) return text;
  const std::string draw = drawIn(context, text);
  return text.needs("random_grayscale")
      .step(fmt::format("random_grayscale(sample, {}, {}, probability={})",
                        fieldList(context, colourFields(context.in, p.fields)), draw,
                        pythonReal(context.chance(p.probability))));
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("grayscale", Category::Colour, NodeRole::Sample);
  d.label("Grayscale")
      .help(
          "Removes the colour from some pictures; they keep their three channels. If all pictures "
          "are to be grey, set the form of the decode node instead, which is much faster.");
  d.example(R"({"probability": 0.1})");
  d.tags({"RandomGrayscale", "grey", "black and white", "desaturate", "augmentation"});
  d.real("probability", &Params::probability)
      .label("Probability")
      .help("Fraction of the samples that become grey.")
      .range(0, 1)
      .live();
  d.fields(&Params::fields);
  d.infer(infer);
  pictureOp<Grayscale>(d, colourFields);
  colourChange<GreyChange>(d);
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  d.exporter("grain", arrays);
  return d.take();
}

}  // namespace millrace::nodes::grayscale
