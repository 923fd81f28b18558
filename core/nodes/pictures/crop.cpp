// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/node_parts/array_text.h"
#include "core/node_parts/crop_size.h"
#include "core/node_parts/short_text.h"
#include "core/pass/device_side.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::crop {

namespace {

struct Params {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t height = 224;
  std::int64_t width = 224;
  TextList fields;
};

class Crop final : public WindowStep {
 public:
  explicit Crop(const Params& params) : m_params(params) {}

  Status apply(Window& window, Draw&) const override {
    const Result<Size> size = cropSize(window, m_params.height, m_params.width);
    if (!size) return size.error();
    const Result<Size> corner = cropSize(window, m_params.y, m_params.x);
    if (!corner) return corner.error();
    const Size seen = window.size();
    if (corner->width > seen.width - size->width || corner->height > seen.height - size->height)
      return Error{
          fmt::format("the picture is {} x {} pixels and does not contain {} x {} at ({}, {})",
                      seen.width * window.imageRatio(), seen.height * window.imageRatio(),
                      m_params.width, m_params.height, m_params.x, m_params.y)};
    window.crop({corner->width, corner->height, size->width, size->height});
    return {};
  }

 private:
  Params m_params;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  const FieldSpec* reference = referenceField(in, geometryFields(in, p.fields));
  const bool known = reference != nullptr && reference->dtype != DType::Encoded &&
                     reference->width() != Shape::kUnknown;
  if (known && (p.x + p.width > reference->width() || p.y + p.height > reference->height()))
    context.error("",
                  fmt::format("the pictures are {} x {} pixels and do not contain this crop",
                              reference->width(), reference->height()),
                  "make the crop smaller, or move it to the left and up");
  return resizedStream(in, p.fields, p.height, p.width, PictureNeed::U8OrF32, context);
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  ExportText text;
  return text.needs("crop").step(
      fmt::format("Crop({}, ({}, {}), at=({}, {}))",
                  pythonTexts(context.names(geometryFields(context.in, p.fields))), p.height,
                  p.width, p.y, p.x));
}

ExportText shortDali(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  if (!isOnePicture(context.in, acted)) return longForm("it crops several pictures");
  ExportText text;
  text.missing = planesInTheWay(context, acted);
  return text.value(context.names(acted),
                    fmt::format("fn.slice({{}}, start=[{}, {}], shape=[{}, {}], axes=[0, 1])", p.y,
                                p.x, p.height, p.width));
}

/// For tf.data, DALI and Grain.
ExportText arrays(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  ExportText text;
  text.missing = planesInTheWay(context, acted);
  return text.needs("crop").step(fmt::format(
      "crop(sample, {}, {}, {}, {}, {})", fieldList(context, acted), p.y, p.x, p.height, p.width));
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("crop", Category::Geometry, NodeRole::Image);
  d.label("Crop").help(
      "Cuts the same part out of every picture, at a fixed position, for example to remove a "
      "frame, a caption or a car's own dashboard. Coordinates are in pixels of the image field, "
      "from the top left.");
  d.example(R"({"x": 0, "y": 100, "width": 320, "height": 160})");
  d.tags({"cut", "region", "roi", "slice"});
  d.integer("x", &Params::x)
      .label("Left")
      .help("First column to keep.")
      .range(0, 65535)
      .unit("pixels");
  d.integer("y", &Params::y).label("Top").help("First row to keep.").range(0, 65535).unit("pixels");
  d.integer("height", &Params::height)
      .label("Height")
      .help("Height of the crop, in pixels of the image field.")
      .range(1, 16384)
      .unit("pixels");
  d.integer("width", &Params::width)
      .label("Width")
      .help("Width of the crop, in pixels of the image field.")
      .range(1, 16384)
      .unit("pixels");
  d.fields(&Params::fields);
  d.infer(infer);
  geometryStep<Crop>(d);
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  d.exporter("grain", arrays);
  d.exporter("dali.short", shortDali);
  return d.take();
}

}  // namespace millrace::nodes::crop
