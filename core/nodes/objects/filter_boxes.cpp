// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "core/data/object_fields.h"
#include "core/node_parts/object_text.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::filter_boxes {

namespace {

struct Params {
  double minSize = 1;
  double minArea = 0;
  double minVisible = 0;
};

class FilterBoxes final : public SampleOp {
 public:
  FilterBoxes(const Params& params, const StreamType& in)
      : m_params(params), m_objects(perObjectFields(in.fields)) {
    for (std::size_t i = 0; i < in.fields.size(); ++i) {
      if (in.fields[i].role == Role::Boxes) m_boxes = i;
      if (in.fields[i].role == Role::Objects && in.fields[i].name == kVisibleField) m_visible = i;
    }
  }

  std::vector<std::string> counterNames() const override { return {"boxes kept", "boxes dropped"}; }

  Status process(Sample& sample, const OpContext& context) override {
    const TensorView& boxes = sample[m_boxes];
    const auto rows = static_cast<std::size_t>(boxes.shape[0]);
    MILLRACE_TRY(checkRows(sample, rows));
    m_kept.clear();
    for (std::size_t i = 0; i < rows; ++i)
      if (keeps(sample, i)) m_kept.push_back(i);
    context.count(0, m_kept.size());
    context.count(1, rows - m_kept.size());
    if (m_kept.size() == rows) return {};
    for (const std::size_t field : m_objects) keepRows(sample, field, rows);
    return {};
  }

 private:
  Status checkRows(const Sample& sample, std::size_t rows) const {
    for (const std::size_t field : m_objects)
      if (sample[field].shape[0] != static_cast<std::int64_t>(rows))
        return Error{fmt::format("it has {} boxes, but {} rows in another field of its objects",
                                 rows, sample[field].shape[0])};
    return {};
  }

  bool keeps(const Sample& sample, std::size_t i) const {
    const float* box = sample[m_boxes].as<const float>() + i * 4;
    const double width = static_cast<double>(box[2]) - box[0];
    const double height = static_cast<double>(box[3]) - box[1];
    if (!(width >= m_params.minSize && height >= m_params.minSize)) return false;
    if (!(width * height >= m_params.minArea && width * height > 0)) return false;
    return !m_visible || sample[*m_visible].as<const float>()[i] >= m_params.minVisible;
  }

  void keepRows(Sample& sample, std::size_t field, std::size_t rows) const {
    const TensorView from = sample[field];
    const std::size_t rowBytes = from.bytes / rows;
    Shape shape = from.shape;
    shape[0] = static_cast<std::int64_t>(m_kept.size());
    const TensorView to = sample.replace(field, from.dtype, shape, from.layout);
    for (std::size_t i = 0; i < m_kept.size(); ++i)
      std::memcpy(to.data + i * rowBytes, from.data + m_kept[i] * rowBytes, rowBytes);
  }

  const Params m_params;
  const std::vector<std::size_t> m_objects;
  std::size_t m_boxes = 0;
  std::optional<std::size_t> m_visible;
  std::vector<std::size_t> m_kept;  ///< of this sample
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  if (boxesOf(in.fields) == nullptr)
    context.error("", "there are no boxes here", "connect it after a source of boxes");
  const FieldSpec* visible = in.field(kVisibleField);
  if (p.minVisible > 0 && (visible == nullptr || visible->role != Role::Objects))
    context.error("min_visible", "the share of a box that is still visible is not known",
                  "add `visible` to `values` of the source, or set min_visible to 0");
  return in;
}

ExportText pytorch(const Params& p, const ExportContext&) {
  ExportText text;
  if (p.minSize < 1 || p.minVisible > 0) {
    text.missing =
        "torchvision drops boxes smaller than a pixel, and does not know how much of a box is "
        "visible: set min_size to 1 or more and min_visible to 0.";
    return text;
  }
  return text.step(fmt::format("v2.SanitizeBoundingBoxes(min_size={}, min_area={})",
                               pythonReal(p.minSize), pythonReal(std::max(1.0, p.minArea))));
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("filter_boxes", Category::Geometry, NodeRole::Sample);
  d.label("Filter boxes")
      .help(
          "Drops boxes of which too little is left, with everything else that belongs to the same "
          "object. Place it after the last crop or affine node: crops clip boxes to the picture, "
          "and leave boxes without area where an object is outside. A picture whose boxes are all "
          "dropped stays.");
  d.example(R"({"min_size": 2, "min_visible": 0.2})");
  d.cpuOnly();
  d.tags({"detection", "SanitizeBoundingBoxes", "clip", "BboxParams", "min_visibility"});
  d.real("min_size", &Params::minSize)
      .label("Smallest side")
      .help("Minimum width and height of a box.")
      .range(0, 65535)
      .unit("pixels")
      .live();
  d.real("min_area", &Params::minArea)
      .label("Smallest area")
      .help("Minimum area of a box, in square pixels.")
      .range(0, 1e9)
      .unit("pixels²")
      .live();
  d.real("min_visible", &Params::minVisible)
      .label("Least visible")
      .help(
          "Minimum share of the box that is still in the picture, from 0 to 1. It needs the field "
          "`visible` of the source.")
      .range(0, 1)
      .live();
  d.infer(infer);
  d.sample([](const Params& p, const BuildContext& context) -> Result<std::unique_ptr<SampleOp>> {
    return std::unique_ptr<SampleOp>(std::make_unique<FilterBoxes>(p, context.in));
  });
  objectsNotTranslated(d);
  d.exporter("pytorch", pytorch);
  return d.take();
}

}  // namespace millrace::nodes::filter_boxes
