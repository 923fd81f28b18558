// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "core/data/object_fields.h"
#include "core/node_parts/object_text.h"
#include "core/pass/device_side.h"
#include "core/pass/object_moves.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::random_iou_crop {

namespace {

struct Params {
  double scaleMin = 0.3;
  double scaleMax = 1;
  double ratioMin = 0.5;
  double ratioMax = 2;
  std::int64_t trials = 40;
  TextList fields;
};

/// Area of the intersection divided by that of the union.
double overlap(const Box& a, const Box& b) {
  const double shared = areaOf(clipped(a, b));
  return shared / (areaOf(a) + areaOf(b) - shared);
}

/// torchvision's RandomIoUCrop.make_params (transforms/v2/_geometry.py, 0.29), which follows Liu et
/// al., "SSD: Single Shot MultiBox Detector", ECCV 2016, section 2.2.
class RandomIouCrop final : public WindowStep {
 public:
  explicit RandomIouCrop(const Params& params) : m_params(params) {}

  Status apply(Window& window, Draw& draw) const override {
    if (draw.centred() || window.boxes().empty()) return {};
    const PointMap map = pointMapOf(window, window.imageRatio());
    std::vector<Box> boxes;
    for (const Box& box : window.boxes()) boxes.push_back(movedBox(map, box));
    const std::optional<Rect> part = choose(window.size(), window.imageRatio(), boxes, draw);
    if (!part) return {};
    window.crop(*part);
    const double k = window.imageRatio();
    window.keepCentres(unmoved(map, {part->x * k, part->y * k, (part->x + part->width) * k,
                                     (part->y + part->height) * k}));
    return {};
  }

 private:
  static constexpr std::array kOverlaps{0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0};
  /// Only boxes that no crop fits can need more; the picture then stays whole.
  static constexpr int kRounds = 50;

  /// `ratio`: image pixels per pixel of the window.
  std::optional<Rect> choose(Size picture, int ratio, const std::vector<Box>& boxes,
                             Draw& draw) const {
    for (int round = 0; round < kRounds; ++round) {
      const auto which = static_cast<std::size_t>(draw.integer(0, kOverlaps.size() - 1));
      if (kOverlaps[which] >= 1) return std::nullopt;
      for (std::int64_t trial = 0; trial < m_params.trials; ++trial) {
        const std::optional<Rect> part = drawPart(picture, draw);
        if (part && suits(*part, ratio, boxes, kOverlaps[which])) return part;
      }
    }
    return std::nullopt;
  }

  std::optional<Rect> drawPart(Size picture, Draw& draw) const {
    const auto width =
        static_cast<int>(picture.width * draw.uniform(m_params.scaleMin, m_params.scaleMax));
    const auto height =
        static_cast<int>(picture.height * draw.uniform(m_params.scaleMin, m_params.scaleMax));
    if (width < 1 || height < 1) return std::nullopt;
    const double ratio = static_cast<double>(width) / height;
    if (ratio < m_params.ratioMin || ratio > m_params.ratioMax) return std::nullopt;
    const auto x = static_cast<int>((picture.width - width) * draw.unit());
    const auto y = static_cast<int>((picture.height - height) * draw.unit());
    return Rect{x, y, width, height};
  }

  /// Whether a box with its centre in the part overlaps with it by at least `least`.
  static bool suits(const Rect& part, int ratio, const std::vector<Box>& boxes, double least) {
    const double k = ratio;
    const Box in{part.x * k, part.y * k, (part.x + part.width) * k, (part.y + part.height) * k};
    return std::ranges::any_of(boxes, [&](const Box& box) {
      const double x = (box.left + box.right) / 2;
      const double y = (box.top + box.bottom) / 2;
      const bool isCentred = x > in.left && x < in.right && y > in.top && y < in.bottom;
      return isCentred && overlap(box, in) >= least;
    });
  }

  const Params m_params;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  if (p.scaleMin > p.scaleMax)
    context.error("scale_min", "it is larger than scale_max", "swap the two");
  if (p.ratioMin > p.ratioMax)
    context.error("ratio_min", "it is larger than ratio_max", "swap the two");
  if (!in.fields.empty() && boxesOf(in.fields) == nullptr)
    context.error("", "there are no boxes here",
                  "use random_crop, or connect it after a source of boxes");
  StreamType out =
      resizedStream(in, p.fields, Shape::kUnknown, Shape::kUnknown, PictureNeed::U8OrF32, context);
  out.randomFrom = context.node();
  return out;
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom) return text;  // the picture stays whole
  return text.step(fmt::format("v2.RandomIoUCrop({}, {}, {}, {}, trials={})",
                               pythonReal(p.scaleMin), pythonReal(p.scaleMax),
                               pythonReal(p.ratioMin), pythonReal(p.ratioMax), p.trials));
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("random_iou_crop", Category::Geometry, NodeRole::Image);
  d.label("Random IoU crop")
      .help(
          "Cuts out a random part in which at least one box lies well enough, as SSD trains. How "
          "much of a box must overlap with the part is drawn for each picture: 0, 0.1, 0.3, 0.5, "
          "0.7 or 0.9 (intersection over union), or the whole picture stays. Boxes whose centre is "
          "outside lose their area; filter_boxes drops them. A resize must follow.");
  d.example(R"({"scale_min": 0.3, "scale_max": 1.0})");
  d.tags({"SSD", "detection", "RandomIoUCrop", "min_iou_random_crop", "bounding boxes"});
  d.real("scale_min", &Params::scaleMin)
      .label("Smallest side")
      .help("Minimum width and height of the part, as a fraction of the picture's.")
      .range(0.01, 1);
  d.real("scale_max", &Params::scaleMax)
      .label("Largest side")
      .help("Maximum width and height of the part, as a fraction of the picture's.")
      .range(0.01, 1);
  d.real("ratio_min", &Params::ratioMin)
      .label("Narrowest")
      .help("Minimum width divided by height.")
      .range(0.01, 100);
  d.real("ratio_max", &Params::ratioMax)
      .label("Widest")
      .help("Maximum width divided by height.")
      .range(0.01, 100);
  d.integer("trials", &Params::trials)
      .label("Trials")
      .help("How many parts are tried for one overlap before another overlap is drawn.")
      .range(1, 1000);
  d.fields(&Params::fields);
  d.infer(infer);
  geometryStep<RandomIouCrop>(d);
  objectsNotTranslated(d);
  d.exporter("pytorch", pytorch);
  return d.take();
}

}  // namespace millrace::nodes::random_iou_crop
