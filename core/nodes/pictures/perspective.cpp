// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include "core/kernels/warp/perspective.h"
#include "core/node_parts/change_text.h"
#include "core/node_parts/degradation_text.h"
#include "core/node_parts/picture_op.h"
#include "core/node_parts/warped_fields.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::perspective {

namespace {

struct Params : PolicyParams {
  Params() { filter = Filter::Bilinear; }
  double distortion = 0.5;
  double probability = 0.5;
};

/// torchvision's RandomPerspective.make_params: where the corners of a picture go, clockwise from
/// the top left one.
Corners4 drawCorners(double distortion, Size size, Draw& draw) {
  const int halfWidth = size.width / 2;
  const int halfHeight = size.height / 2;
  const auto reachX = static_cast<std::int64_t>(distortion * halfWidth);
  const auto reachY = static_cast<std::int64_t>(distortion * halfHeight);
  const auto at = [&draw](std::int64_t low, std::int64_t high) {
    return static_cast<double>(draw.integer(low, high));
  };
  const std::int64_t right = size.width - 1;
  const std::int64_t bottom = size.height - 1;
  Corners4 corners;
  corners[0].x = at(0, reachX);
  corners[0].y = at(0, reachY);
  corners[1].x = at(right - reachX, right);
  corners[1].y = at(0, reachY);
  corners[2].x = at(right - reachX, right);
  corners[2].y = at(bottom - reachY, bottom);
  corners[3].x = at(0, reachX);
  corners[3].y = at(bottom - reachY, bottom);
  return corners;
}

/// Whether the corners go around clockwise and none lies on or inside the lines of the others.
bool isConvex(const Corners4& corners) {
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const PlanePoint& a = corners[i];
    const PlanePoint& b = corners[(i + 1) % corners.size()];
    const PlanePoint& c = corners[(i + 2) % corners.size()];
    if ((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) <= 0) return false;
  }
  return true;
}

/// Corners between which a picture can be seen; nullopt if ten draws give none.
std::optional<Corners4> drawView(double distortion, Size size, Draw& draw) {
  for (int attempt = 0; attempt < 10; ++attempt)
    if (const Corners4 corners = drawCorners(distortion, size, draw); isConvex(corners))
      return corners;
  return std::nullopt;
}

/// Maps points of the result to points of a picture that is `scale` times as large as the image.
ProjectiveMap mapBack(const Corners4& corners, Size size, double scale) {
  const double right = size.width - 1;
  const double bottom = size.height - 1;
  const Corners4 whole{{{0, 0}, {right, 0}, {right, bottom}, {0, bottom}}};
  Corners4 scaled = corners;
  for (PlanePoint& point : scaled) point = {point.x * scale, point.y * scale};
  return mapOfCorners(scaled, whole);
}

PointMap forward(const ProjectiveMap& back, Size size) {
  const ProjectiveMap map = inverseOf(back);
  PointMap points{map.xx, map.xy, map.x0, map.yx, map.yy, map.y0, {}};
  points.wx = map.wx;
  points.wy = map.wy;
  points.shown = {0, 0, static_cast<double>(size.width), static_cast<double>(size.height)};
  return points;
}

class Perspective final : public SampleOp {
 public:
  Perspective(const Params& params, const StreamType& in)
      : m_params(params),
        m_fields(in, params),
        m_objects(in.fields, geometryFields(in, params.fields)) {}

  Status process(Sample& sample, const OpContext& context) override {
    Draw draw = context.draw(sample.key());
    if (!draw.bernoulli(m_params.probability) || draw.centred()) return {};
    const Size image = m_fields.imageSize(sample);
    const std::optional<Corners4> corners = drawView(m_params.distortion, image, draw);
    if (!corners) return {};
    m_fields.apply(sample, [&](const ImageView& from, const GridSampling& rule, double scale,
                               const MutableImageView& to) {
      m_warp.run(from, mapBack(*corners, from.size(), scale), rule, to);
    });
    if (!m_objects.empty()) m_objects.apply(forward(mapBack(*corners, image, 1), image), sample);
    return {};
  }

 private:
  Params m_params;
  WarpedFields m_fields;
  ObjectMoves m_objects;
  PerspectiveWarp m_warp;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  return warpedStream(in, p, p.probability > 0, context);
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  if (context.noRandom || p.probability == 0) return {};
  return warpInTorch(fmt::format("v2.RandomPerspective(distortion_scale={}, p={}",
                                 pythonReal(p.distortion), pythonReal(p.probability)),
                     "", p, context);
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("perspective", Category::Geometry, NodeRole::Sample);
  d.label("Perspective")
      .help(
          "Moves the four corners of some pictures inwards, as if they were seen from the side, "
          "like torchvision's RandomPerspective. Image, target, mask, boxes and keypoints move "
          "alike. Corners that would fold the picture are drawn again.");
  d.example(R"({"distortion": 0.3, "probability": 0.5})");
  d.cpuOnly();
  d.tags({"RandomPerspective", "homography", "warp", "augmentation"});
  d.real("distortion", &Params::distortion)
      .label("Distortion")
      .help("How far a corner moves at most, as a fraction of half the picture.")
      .range(0, 1)
      .live();
  d.real("probability", &Params::probability)
      .label("Probability")
      .help("Fraction of the samples that are changed.")
      .range(0, 1)
      .live();
  describePolicy(d);
  d.infer(infer);
  pictureOp<Perspective>(d, geometryFields);
  d.exporter("pytorch", pytorch);
  d.exporters({"tfdata", "dali", "grain"}, notInTarget<Params>);
  return d.take();
}

}  // namespace millrace::nodes::perspective
