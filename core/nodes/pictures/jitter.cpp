// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/kernels/colour/colour.h"
#include "core/node_parts/array_text.h"
#include "core/node_parts/picture_op.h"
#include "core/pass/device_side.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::jitter {

namespace {

struct Params {
  double brightness = 0.4;
  double contrast = 0.4;
  double saturation = 0.4;
  double hue = 0.1;
  double probability = 1.0;
  TextList fields;
};

/// A factor around 1 as in torchvision: from max(0, 1 - strength) to 1 + strength.
double factor(double strength, Draw& draw) {
  return draw.uniform(std::max(0.0, 1.0 - strength), 1.0 + strength);
}

ColourFactors drawFactors(const Params& params, Draw& draw) {
  ColourFactors factors;
  factors.brightness = factor(params.brightness, draw);
  factors.contrast = factor(params.contrast, draw);
  factors.saturation = factor(params.saturation, draw);
  factors.hue = draw.uniform(-params.hue, params.hue);
  for (std::size_t i = factors.order.size() - 1; i > 0; --i) {
    const auto other = static_cast<std::size_t>(draw.integer(0, static_cast<std::int64_t>(i)));
    std::swap(factors.order[i], factors.order[other]);
  }
  return factors;
}

/// Whether the sample is changed. The coin is only tossed if it can fall on either side.
bool isChanged(const Params& params, Draw& draw) {
  if (draw.centred()) return false;
  return params.probability >= 1 || draw.bernoulli(params.probability);
}

/// torchvision's ColorJitter: four adjustments in random order. None with `--no-random`.
class Jitter final : public SampleOp {
 public:
  Jitter(const Params& params, const StreamType& in)
      : m_params(params), m_fields(colourFields(in, params.fields)) {}

  Status process(Sample& sample, const OpContext& context) override {
    Draw draw = context.draw(sample.key());
    if (!isChanged(m_params, draw)) return {};
    const ColourFactors factors = drawFactors(m_params, draw);
    for (const std::size_t i : m_fields) adjustColour(pixelsOf(sample.writable(i)), factors);
    return {};
  }

 private:
  Params m_params;
  std::vector<std::size_t> m_fields;
};

/// The device side.
class JitterChange final : public ColourChange {
 public:
  explicit JitterChange(const Params& params) : m_params(params) {}
  void draw(Draw& draw, DrawnColours& into) const override {
    if (isChanged(m_params, draw)) appendActs(drawFactors(m_params, draw), into.acts);
  }
  std::size_t mostActs() const override { return 4; }
  bool hasContrast() const override { return m_params.contrast > 0; }

 private:
  Params m_params;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  const bool random =
      p.probability > 0 && (p.brightness > 0 || p.contrast > 0 || p.saturation > 0 || p.hue > 0);
  checkColours(in, colourFields(in, p.fields), context);
  return inPlaceStream(in, colourFields(in, p.fields), p.fields, random, context);
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom || p.probability == 0) return text;
  std::string code = fmt::format(
      "v2.ColorJitter(brightness={}, contrast={}, saturation={}, hue={})", pythonReal(p.brightness),
      pythonReal(p.contrast), pythonReal(p.saturation), pythonReal(p.hue));
  if (p.probability < 1)
    code = fmt::format("v2.RandomApply([{}], p={})", code, pythonReal(p.probability));
  return text.import("from torchvision.transforms import v2")
      .step(code, context.only(colourFields(context.in, p.fields), {Role::Image, Role::Target}));
}

/// For tf.data, DALI and Grain.
ExportText arrays(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom || p.probability == 0) return text;
  if (p.probability < 1)
    text.missing = "Millrace writes jitter for this target only with a probability of 1.";
  const std::string draw = drawIn(context, text);
  return text.needs("colour_jitter")
      .step(fmt::format(
          "colour_jitter(sample, {}, {}, brightness={}, contrast={}, saturation={}, hue={})",
          fieldList(context, colourFields(context.in, p.fields)), draw, pythonReal(p.brightness),
          pythonReal(p.contrast), pythonReal(p.saturation), pythonReal(p.hue)));
}

ExportText dali(const Params& p, const ExportContext& context) {
  ExportText text = arrays(p, context);
  if (!text.steps.empty())
    text.limit(
        "Brightness, contrast, saturation and hue come in this order; Millrace draws the order. "
        "DALI turns hue by a matrix of YIQ, Millrace by HSV.");
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("jitter", Category::Colour, NodeRole::Sample);
  d.label("Colour jitter")
      .help(
          "Changes brightness, contrast, saturation and hue at random and in random order, like "
          "torchvision's ColorJitter. Image and target get the same changes; masks are unchanged. "
          "Saturation and hue have no effect on grey pictures.");
  d.example(R"({"brightness": 0.4, "contrast": 0.4, "saturation": 0.4, "hue": 0.1})");
  d.tags({"ColorJitter", "color", "brightness", "contrast", "saturation", "hue", "augmentation"});
  d.real("brightness", &Params::brightness)
      .label("Brightness")
      .help("With 0.4, pixels are multiplied by 0.6 to 1.4.")
      .range(0, 10)
      .live();
  d.real("contrast", &Params::contrast)
      .label("Contrast")
      .help("With 0.4, the distance to the mean grey is multiplied by 0.6 to 1.4.")
      .range(0, 10)
      .live();
  d.real("saturation", &Params::saturation)
      .label("Saturation")
      .help("With 0.4, the distance to each pixel's grey is multiplied by 0.6 to 1.4.")
      .range(0, 10)
      .live();
  d.real("hue", &Params::hue)
      .label("Hue")
      .help(
          "With 0.1, the hue moves by up to a tenth of the colour circle in either direction. The "
          "most expensive of the four.")
      .range(0, 0.5)
      .unit("turns")
      .live();
  d.real("probability", &Params::probability)
      .label("Probability")
      .help("Fraction of the samples that are changed.")
      .range(0, 1)
      .live();
  d.fields(&Params::fields);
  d.infer(infer);
  pictureOp<Jitter>(d, colourFields);
  colourChange<JitterChange>(d);
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("grain", arrays);
  d.exporter("dali", dali);
  return d.take();
}

}  // namespace millrace::nodes::jitter
