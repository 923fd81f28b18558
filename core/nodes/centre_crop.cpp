// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/nodes/array_text.h"
#include "core/nodes/crop_size.h"
#include "core/nodes/torch_text.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes {

namespace {

struct Params {
  std::int64_t height = 224;
  std::int64_t width = 224;
  bool pad = false;
  RealList fill{0};
  std::int64_t maskFill = 0;
  TextList fields;
};

class CentreCrop final : public WindowStep {
 public:
  explicit CentreCrop(const Params& params)
      : m_params(params), m_fill(padFill(Border::Constant, params.fill, params.maskFill)) {}

  bool pads() const override { return m_params.pad; }

  Status apply(Window& window, Draw&) const override {
    const Result<Size> size = cropSize(window, m_params.height, m_params.width);
    if (!size) return size.error();
    if (m_params.pad) padToAtLeast(window, *size, m_fill);
    const Size seen = window.size();
    if (seen.width < size->width || seen.height < size->height)
      return tooSmall(window, m_params.height, m_params.width);
    const int x = (seen.width - size->width) / 2;
    const int y = (seen.height - size->height) / 2;
    window.crop({x, y, size->width, size->height});
    return {};
  }

 private:
  Params m_params;
  PadFill m_fill;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  return croppedStream(in, p.fields, p.height, p.width, p.pad, context);
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  ExportText text;
  const std::string size = fmt::format("({}, {})", p.height, p.width);
  const std::string fields = pythonTexts(context.names(acted));
  if (p.pad)
    text.needs("pad_to_at_least")
        .step(fmt::format("PadToAtLeast({}, {}, {}, {})", fields, size, torchColour(p.fill),
                          p.maskFill));
  return text.needs("crop").step(fmt::format("Crop({}, {}, at=\"centre\")", fields, size));
}

/// For tf.data and DALI.
ExportText arrays(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  const std::string fields = fieldList(context, acted);
  ExportText text;
  text.missing = planesInTheWay(context, acted);
  if (p.pad)
    text.needs("pad").step(fmt::format("pad_to_at_least(sample, {}, {}, {}, fill={}, mask_fill={})",
                                       fields, p.height, p.width, pythonReals(p.fill), p.maskFill));
  return text.needs("centre_crop")
      .step(fmt::format("centre_crop(sample, {}, {}, {})", fields, p.height, p.width));
}

}  // namespace

NodeSpec centre_crop() {
  Describe<Params> d("centre_crop", Category::Geometry, NodeRole::Image);
  d.label("Centre crop")
      .help(
          "Cuts the middle out of every picture: what validation uses. With pad, pictures that are "
          "too "
          "small get a border, as tf.image.resize_with_crop_or_pad does.");
  d.example(R"({"height": 224, "width": 224})");
  d.tags({"center", "CenterCrop", "crop or pad", "validation"});
  d.integer("height", &Params::height)
      .label("Height")
      .help("Height of the result, in pixels of the image field.")
      .range(1, 16384)
      .unit("pixels");
  d.integer("width", &Params::width)
      .label("Width")
      .help("Width of the result, in pixels of the image field.")
      .range(1, 16384)
      .unit("pixels");
  d.boolean("pad", &Params::pad)
      .label("Pad")
      .help("Pad pictures that are smaller than the crop; off: such a sample fails.");
  d.reals("fill", &Params::fill)
      .label("Fill")
      .help("Colour of the padding, one value or one for each channel.")
      .range(0, 255);
  d.integer("mask_fill", &Params::maskFill)
      .label("Mask fill")
      .help("Class index that masks get in the padding; 255 is often ignored by losses.")
      .range(0, 255);
  d.fields(&Params::fields);
  d.infer(infer);
  d.acts([](const Params& p, const StreamType& in) { return geometryFields(in, p.fields); });
  d.image([](const Params& p, const BuildContext&) -> Result<ImageStep> {
    ImageStep step;
    step.window = std::make_shared<CentreCrop>(p);
    return step;
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  return d.take();
}

}  // namespace millrace::nodes
