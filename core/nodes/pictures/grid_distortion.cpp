// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/kernels/warp/elastic.h"
#include "core/node_parts/degradation_text.h"
#include "core/node_parts/picture_op.h"
#include "core/node_parts/warped_fields.h"

namespace millrace::nodes::grid_distortion {

namespace {

struct Params : PolicyParams {
  Params() { filter = Filter::Bilinear; }
  std::int64_t cells = 5;
  double limit = 0.3;
  double probability = 0.5;
};

/// How far the pixels along a side of `length` pixels are moved, in halves of the side: the cells
/// get random lengths that together are the side.
void drawMoves(int length, const Params& params, Draw& draw, std::vector<float>& moves) {
  std::vector<double> edges{0};
  for (std::int64_t cell = 0; cell < params.cells; ++cell)
    edges.push_back(edges.back() + 1 + draw.uniform(-params.limit, params.limit));
  const double whole = edges.back();
  moves.clear();
  for (int i = 0; i < length; ++i) {
    const double at = (i + 0.5) / length * static_cast<double>(params.cells);
    const auto cell = std::min(static_cast<std::size_t>(at), edges.size() - 2);
    const double inside = at - static_cast<double>(cell);
    // Not beyond the centres of the outermost pixels, so that nothing of the fill is mixed in.
    const double from = std::clamp((edges[cell] + inside * (edges[cell + 1] - edges[cell])) / whole,
                                   0.5 / length, 1 - 0.5 / length);
    moves.push_back(static_cast<float>(2 * (from - (i + 0.5) / length)));
  }
}

class GridDistortion final : public SampleOp {
 public:
  GridDistortion(const Params& params, const StreamType& in)
      : m_params(params), m_fields(in, params) {}

  Status process(Sample& sample, const OpContext& context) override {
    Draw draw = context.draw(sample.key());
    if (!draw.bernoulli(m_params.probability) || draw.centred()) return {};
    fill(m_fields.imageSize(sample), draw);
    m_fields.apply(sample,
                   [&](const ImageView& from, const GridSampling& rule, double,
                       const MutableImageView& to) { m_warp.run(from, m_displacement, rule, to); });
    return {};
  }

 private:
  void fill(Size size, Draw& draw) {
    drawMoves(size.width, m_params, draw, m_across);
    drawMoves(size.height, m_params, draw, m_down);
    m_displacement.size = size;
    m_displacement.x.clear();
    m_displacement.y.clear();
    for (const float down : m_down) {
      m_displacement.x.insert(m_displacement.x.end(), m_across.begin(), m_across.end());
      m_displacement.y.insert(m_displacement.y.end(), m_across.size(), down);
    }
  }

  Params m_params;
  WarpedFields m_fields;
  std::vector<float> m_across;
  std::vector<float> m_down;
  Displacement m_displacement;
  ElasticWarp m_warp;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  const auto placed = std::ranges::find_if(in.fields, [](const FieldSpec& field) {
    return field.role == Role::Boxes || field.role == Role::Keypoints;
  });
  if (placed != in.fields.end())
    context.error(
        "",
        fmt::format("`{}` cannot follow it: parts of the picture move differently", placed->name),
        "use affine or perspective instead");
  return warpedStream(in, p, p.probability > 0, context);
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("grid_distortion", Category::Geometry, NodeRole::Sample);
  d.label("Grid distortion")
      .help(
          "Stretches and squeezes the rows and columns of a grid of cells in some pictures, as for "
          "scans and handwriting, like Albumentations' GridDistortion. The border stays. Image, "
          "target and mask move alike. Boxes and keypoints cannot follow, so it is refused with "
          "them.");
  d.example(R"({"cells": 5, "limit": 0.3})");
  d.cpuOnly();
  d.tags({"GridDistortion", "deformation", "warp", "medical", "augmentation"});
  d.integer("cells", &Params::cells)
      .label("Cells")
      .help("Number of cells along each side.")
      .range(1, 256)
      .live();
  d.real("limit", &Params::limit)
      .label("Largest change")
      .help("By what share of its length a cell may become longer or shorter.")
      .range(0, 0.95)
      .live();
  d.real("probability", &Params::probability)
      .label("Probability")
      .help("Fraction of the samples that are changed.")
      .range(0, 1)
      .live();
  describePolicy(d);
  d.infer(infer);
  pictureOp<GridDistortion>(d, geometryFields);
  d.exporters({"pytorch", "tfdata", "dali", "grain"}, notInTarget<Params>);
  return d.take();
}

}  // namespace millrace::nodes::grid_distortion
