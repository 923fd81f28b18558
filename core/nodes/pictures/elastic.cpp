// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "core/kernels/warp/elastic.h"
#include "core/node_parts/change_text.h"
#include "core/node_parts/degradation_text.h"
#include "core/node_parts/picture_op.h"
#include "core/node_parts/warped_fields.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::elastic {

namespace {

struct Params : PolicyParams {
  Params() { filter = Filter::Bilinear; }
  double alpha = 50;
  double sigma = 5;
  double probability = 0.5;
};

class Elastic final : public SampleOp {
 public:
  Elastic(const Params& params, const StreamType& in) : m_params(params), m_fields(in, params) {}

  Status process(Sample& sample, const OpContext& context) override {
    Draw draw = context.draw(sample.key());
    if (!draw.bernoulli(m_params.probability) || draw.centred()) return {};
    m_field.draw(m_fields.imageSize(sample), m_params.alpha, m_params.sigma, draw, m_displacement);
    m_fields.apply(sample,
                   [&](const ImageView& from, const GridSampling& rule, double,
                       const MutableImageView& to) { m_warp.run(from, m_displacement, rule, to); });
    return {};
  }

 private:
  Params m_params;
  WarpedFields m_fields;
  ElasticField m_field;
  Displacement m_displacement;
  ElasticWarp m_warp;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  const auto placed = std::ranges::find_if(in.fields, [](const FieldSpec& field) {
    return field.role == Role::Boxes || field.role == Role::Keypoints;
  });
  if (placed != in.fields.end())
    context.error("",
                  fmt::format("`{}` cannot follow it: every pixel moves on its own", placed->name),
                  "use affine or perspective instead");
  return warpedStream(in, p, p.probability > 0, context);
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const double chance = context.noRandom ? 0 : p.probability;
  if (chance == 0) return {};
  return warpInTorch(
      fmt::format("{}v2.ElasticTransform(alpha={}, sigma={}", chance < 1 ? "v2.RandomApply([" : "",
                  pythonReal(p.alpha), pythonReal(p.sigma)),
      chance < 1 ? fmt::format("], p={})", pythonReal(chance)) : "", p, context);
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("elastic", Category::Geometry, NodeRole::Sample);
  d.label("Elastic distortion")
      .help(
          "Moves every pixel of some pictures by smooth random noise, as if they were on rubber, "
          "like torchvision's ElasticTransform. Image, target and mask move alike. Boxes and "
          "keypoints cannot follow, so it is refused with them.");
  d.example(R"({"alpha": 50, "sigma": 5})");
  d.cpuOnly();
  d.tags({"ElasticTransform", "deformation", "warp", "medical", "augmentation"});
  d.real("alpha", &Params::alpha)
      .label("Strength")
      .help("Largest move before the noise is smoothed.")
      .range(0, 10000)
      .unit("pixels")
      .live();
  d.real("sigma", &Params::sigma)
      .label("Smoothness")
      .help("Standard deviation of the Gaussian that smooths the noise. The cost grows with it.")
      .range(0, 50)
      .unit("pixels")
      .live();
  d.real("probability", &Params::probability)
      .label("Probability")
      .help("Fraction of the samples that are changed.")
      .range(0, 1)
      .live();
  describePolicy(d);
  d.infer(infer);
  pictureOp<Elastic>(d, geometryFields);
  d.exporter("pytorch", pytorch);
  d.exporters({"tfdata", "dali", "grain"}, notInTarget<Params>);
  return d.take();
}

}  // namespace millrace::nodes::elastic
