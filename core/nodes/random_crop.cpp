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

class RandomCrop final : public WindowStep {
 public:
  explicit RandomCrop(const Params& params)
      : m_params(params), m_fill(padFill(Border::Constant, params.fill, params.maskFill)) {}

  bool pads() const override { return m_params.pad; }

  Status apply(Window& window, Draw& draw) const override {
    const Result<Size> size = cropSize(window, m_params.height, m_params.width);
    if (!size) return size.error();
    if (m_params.pad) padToAtLeast(window, *size, m_fill);
    const Size seen = window.size();
    if (seen.width < size->width || seen.height < size->height)
      return tooSmall(window, m_params.height, m_params.width);
    const auto x = static_cast<int>(draw.integer(0, seen.width - size->width));
    const auto y = static_cast<int>(draw.integer(0, seen.height - size->height));
    window.crop({x, y, size->width, size->height});
    return {};
  }

 private:
  Params m_params;
  PadFill m_fill;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  StreamType out = croppedStream(in, p.fields, p.height, p.width, p.pad, context);
  out.randomFrom = context.node();
  return out;
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
  if (!context.noRandom && context.sameSize(acted))
    return text.import("from torchvision.transforms import v2")
        .step(fmt::format("v2.RandomCrop({})", size),
              context.only(acted, {Role::Image, Role::Target, Role::Mask}));
  return text.needs("crop").step(
      fmt::format("Crop({}, {}, at=\"{}\")", fields, size, context.noRandom ? "centre" : "random"));
}

/// For tf.data and DALI.
ExportText arrays(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  const std::string fields = fieldList(context, acted);
  ExportText text;
  text.missing = planesInTheWay(context, acted);
  const std::string draw = drawIn(context, text);
  if (p.pad)
    text.needs("pad").step(fmt::format("pad_to_at_least(sample, {}, {}, {}, fill={}, mask_fill={})",
                                       fields, p.height, p.width, pythonReals(p.fill), p.maskFill));
  return text.needs("random_crop")
      .step(fmt::format("random_crop(sample, {}, {}, {}, {})", fields, draw, p.height, p.width));
}

}  // namespace

NodeSpec random_crop() {
  Describe<Params> d("random_crop", Category::Geometry, NodeRole::Image);
  d.label("Random crop")
      .help(
          "Cuts a part of fixed size at a random place, the same place in image, target and mask. "
          "The "
          "size counts pixels of the image field; a target that is four times larger gives a part "
          "four "
          "times larger, and the place is drawn on the coarser grid.");
  d.example(R"({"height": 128, "width": 128})");
  d.tags({"patch", "RandomCrop", "super resolution", "augmentation"});
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
    step.window = std::make_shared<RandomCrop>(p);
    return step;
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  return d.take();
}

}  // namespace millrace::nodes
