// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/kernels/blur.h"
#include "core/nodes/array_text.h"
#include "core/nodes/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes {

namespace {

struct Params {
  std::int64_t kernel = 5;
  double sigmaMin = 0.1;
  double sigmaMax = 2.0;
  double probability = 1.0;
  TextList fields;
};

class Blur final : public SampleOp {
 public:
  Blur(const Params& params, const StreamType& in)
      : m_params(params), m_fields(imageFields(in, params.fields)) {}

  Status process(Sample& sample, const OpContext& context) override {
    Draw draw = context.draw(sample.key());
    if (!draw.bernoulli(m_params.probability)) return {};
    GaussianSpec spec;
    spec.size = {static_cast<int>(m_params.kernel), static_cast<int>(m_params.kernel)};
    spec.sigmaX = draw.uniform(m_params.sigmaMin, m_params.sigmaMax);
    spec.sigmaY = spec.sigmaX;
    for (const std::size_t i : m_fields) m_blur.run(pixelsOf(sample.writable(i)), spec);
    return {};
  }

 private:
  Params m_params;
  std::vector<std::size_t> m_fields;
  GaussianBlur m_blur;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  if (p.kernel % 2 == 0)
    context.error("kernel", "an even kernel has no middle", "choose an odd number");
  if (p.sigmaMin > p.sigmaMax)
    context.error("sigma_min", "it is larger than sigma_max", "swap the two");
  const bool random = p.probability > 0 && (p.probability < 1 || p.sigmaMin < p.sigmaMax);
  return inPlaceStream(in, imageFields(in, p.fields), p.fields, random, context);
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const double chance = context.chance(p.probability);
  const double middle = (p.sigmaMin + p.sigmaMax) / 2;
  ExportText text;
  if (chance == 0) return text;
  const double sigma[] = {context.noRandom ? middle : p.sigmaMin,
                          context.noRandom ? middle : p.sigmaMax};
  std::string code = fmt::format("v2.GaussianBlur({}, sigma={})", p.kernel, pythonReals(sigma));
  if (chance < 1) code = fmt::format("v2.RandomApply([{}], p={})", code, pythonReal(chance));
  text.limit("Blurred pictures are off by up to one level of 255, by other rounding.");
  return text.import("from torchvision.transforms import v2")
      .step(code, context.only(imageFields(context.in, p.fields), {Role::Image, Role::Target}));
}

/// For tf.data and DALI.
ExportText arrays(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.chance(p.probability) == 0) return text;
  const std::string draw = drawIn(context, text);
  return text.needs("random_blur")
      .step(fmt::format("random_blur(sample, {}, {}, kernel={}, sigma={}, probability={})",
                        fieldList(context, imageFields(context.in, p.fields)), draw, p.kernel,
                        realPair(p.sigmaMin, p.sigmaMax),
                        pythonReal(context.chance(p.probability))));
}

}  // namespace

NodeSpec blur() {
  Describe<Params> d("blur", Category::Colour, NodeRole::Sample);
  d.label("Blur").help(
      "Gaussian blur of random strength. It degrades: the image alone is blurred, a target stays "
      "sharp, so that a network can learn to undo it. Costs grow with the kernel.");
  d.example(R"({"kernel": 5, "sigma_min": 0.1, "sigma_max": 2.0})");
  d.tags({"GaussianBlur", "smooth", "defocus", "deblurring", "degradation", "augmentation"});
  d.integer("kernel", &Params::kernel)
      .label("Kernel")
      .help("Width of the window, an odd number; about six sigmas hold all of it.")
      .range(1, 101)
      .unit("pixels");
  d.real("sigma_min", &Params::sigmaMin)
      .label("Weakest")
      .help("Standard deviation, at least.")
      .range(0.01, 50)
      .unit("pixels")
      .live();
  d.real("sigma_max", &Params::sigmaMax)
      .label("Strongest")
      .help("Standard deviation, at most.")
      .range(0.01, 50)
      .unit("pixels")
      .live();
  d.real("probability", &Params::probability)
      .label("Probability")
      .help("Share of the samples that are blurred.")
      .range(0, 1)
      .live();
  d.fields(&Params::fields);
  d.infer(infer);
  d.sample([](const Params& p, const BuildContext& context) -> Result<std::unique_ptr<SampleOp>> {
    return std::unique_ptr<SampleOp>(std::make_unique<Blur>(p, context.in));
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  return d.take();
}

}  // namespace millrace::nodes
