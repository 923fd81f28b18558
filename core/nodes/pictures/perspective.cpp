// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/kernels/warp/perspective.h"
#include "core/node_parts/degradation_text.h"
#include "core/node_parts/picture_changes.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::perspective {

namespace {

struct Params {
  double distortion = 0.5;
  double probability = 0.5;
  Filter filter = Filter::Bilinear;
  RealList fill{0};
  RealList maskFill{0};
  TextList fields;
};

/// torchvision's RandomPerspective.make_params: where the corners of a picture go, clockwise from
/// the top left one.
Corners4 drawCorners(double distortion, Size size, Draw& draw) {
  const auto reachX = static_cast<std::int64_t>(distortion * (size.width / 2));
  const auto reachY = static_cast<std::int64_t>(distortion * (size.height / 2));
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

Size sizeOf(const TensorView& picture) {
  return {static_cast<int>(picture.width()), static_cast<int>(picture.height())};
}

class Perspective final : public SampleOp {
 public:
  Perspective(const Params& params, const StreamType& in)
      : m_params(params),
        m_fields(geometryFields(in, params.fields)),
        m_objects(in.fields, m_fields) {
    const FieldSpec* const image = referenceField(in, m_fields);
    for (const std::size_t i : m_fields) {
      m_rules.push_back(samplingOf(params, in.fields[i].role));
      if (&in.fields[i] == image) m_image = i;
    }
  }

  Status process(Sample& sample, const OpContext& context) override {
    Draw draw = context.draw(sample.key());
    if (!draw.bernoulli(m_params.probability) || draw.centred()) return {};
    const Size image = sizeOf(sample[m_image]);
    const std::optional<Corners4> corners = drawView(m_params.distortion, image, draw);
    if (!corners) return {};
    for (std::size_t f = 0; f < m_fields.size(); ++f) {
      const MutableImageView picture = pixelsOf(sample.writable(m_fields[f]));
      const double scale = static_cast<double>(picture.width) / image.width;
      m_warp.run(copyOf(picture), mapBack(*corners, picture.size(), scale), m_rules[f], picture);
    }
    if (!m_objects.empty()) m_objects.apply(forward(mapBack(*corners, image, 1), image), sample);
    return {};
  }

 private:
  ImageView copyOf(const MutableImageView& picture) {
    const auto count = static_cast<std::size_t>(picture.stride * picture.height);
    m_copy.resize(std::max(m_copy.size(), count));
    std::copy_n(picture.data, count, m_copy.begin());
    ImageView copy = readOnly(picture);
    copy.data = m_copy.data();
    return copy;
  }

  Params m_params;
  std::vector<std::size_t> m_fields;
  std::vector<GridSampling> m_rules;  ///< by place in m_fields
  std::size_t m_image = 0;
  ObjectMoves m_objects;
  PerspectiveWarp m_warp;
  std::vector<std::uint8_t> m_copy;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if (!checkFields(in, p.fields, {Role::Image, Role::Target, Role::Mask}, context)) return out;
  const std::vector<std::size_t> acted = geometryFields(in, p.fields);
  checkPictures(in, acted, PictureNeed::U8, context);
  checkFill(in, acted, p.fill, p.maskFill, context);
  if (p.probability > 0) out.randomFrom = context.node();
  return out;
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom || p.probability == 0) return text;
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  std::string fill;
  if (const RealList levels = fillLevels(context.in, acted, p.fill); levels != RealList{0})
    fill = fmt::format(", fill={}", pythonReals(levels));
  if (p.filter == Filter::Nearest) {
    text.import("from torchvision.transforms import InterpolationMode");
    fill += ", interpolation=InterpolationMode.NEAREST";
  }
  return text.import("from torchvision.transforms import v2")
      .step(fmt::format("v2.RandomPerspective(distortion_scale={}, p={}{})",
                        pythonReal(p.distortion), pythonReal(p.probability), fill),
            context.only(acted, {Role::Image, Role::Target, Role::Mask}));
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
  d.sample([](const Params& p, const BuildContext& context) -> Result<std::unique_ptr<SampleOp>> {
    return std::unique_ptr<SampleOp>(std::make_unique<Perspective>(p, context.in));
  });
  d.exporter("pytorch", pytorch);
  d.exporters({"tfdata", "dali", "grain"}, notInTarget<Params>);
  return d.take();
}

}  // namespace millrace::nodes::perspective
