// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/node_parts/array_text.h"
#include "core/node_parts/fixed_crop.h"
#include "core/node_parts/short_text.h"
#include "core/pass/device_side.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::random_crop {

namespace {

class RandomCrop final : public WindowStep {
 public:
  explicit RandomCrop(const FixedCrop& crop) : m_crop(crop), m_border(crop.border()) {}

  bool pads() const override { return m_crop.pad; }

  Status apply(Window& window, Draw& draw) const override {
    const Result<Size> size = fitWindow(m_crop, m_border, window);
    if (!size) return size.error();
    const Size seen = window.size();
    const auto x = static_cast<int>(draw.integer(0, seen.width - size->width));
    const auto y = static_cast<int>(draw.integer(0, seen.height - size->height));
    window.crop({x, y, size->width, size->height});
    return {};
  }

 private:
  FixedCrop m_crop;
  PadFill m_border;
};

StreamType infer(const FixedCrop& p, const StreamType& in, InferContext& context) {
  if (p.pad) checkFill(in, geometryFields(in, p.fields), p.fill, p.maskFill, context);
  StreamType out = croppedStream(in, p.fields, p.height, p.width, p.pad, context);
  out.randomFrom = context.node();
  return out;
}

ExportText pytorch(const FixedCrop& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  ExportText text;
  const std::string size = fmt::format("({}, {})", p.height, p.width);
  const std::string fields = pythonTexts(context.names(acted));
  if (p.pad) text.missing = floatsToFill(context, acted);
  torchPadStep(p, fillLevels(context.in, acted, p.fill), fields, text);
  if (!context.noRandom && context.sameSize(acted))
    return text.import("from torchvision.transforms import v2")
        .step(fmt::format("v2.RandomCrop({})", size),
              context.only(acted, {Role::Image, Role::Target, Role::Mask}));
  return text.needs("crop").step(
      fmt::format("Crop({}, {}, at=\"{}\")", fields, size, context.noRandom ? "centre" : "random"));
}

/// For tf.data, DALI and Grain.
ExportText arrays(const FixedCrop& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  const std::string fields = fieldList(context, acted);
  ExportText text;
  text.missing = p.pad ? floatsToFill(context, acted) : planesInTheWay(context, acted);
  const std::string draw = drawIn(context, text);
  arrayPadStep(p, fillLevels(context.in, acted, p.fill), fields, text);
  return text.needs("random_crop")
      .step(fmt::format("random_crop(sample, {}, {}, {}, {})", fields, draw, p.height, p.width));
}

ExportText shortTf(const FixedCrop& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  if (p.pad || acted.empty() || context.in.fields[acted.front()].role != Role::Image)
    return longForm("it pads, or crops other pictures than the image");
  for (const std::size_t i : acted)
    if (context.in.fields[i].scale < 1) return longForm("a picture is smaller than the image");
  ExportText text;
  text.missing = planesInTheWay(context, acted);
  return text.needs(context.noRandom ? "cropped_centre" : "cropped_alike")
      .step(fmt::format("sample = random_crop_alike(sample, {}, {}, {}, {})",
                        pythonTexts(context.names(acted)), drawText(context.node), p.height,
                        p.width));
}

/// Of pictures whose sizes may differ; else v2.RandomCrop does it.
ExportText shortTorch(const FixedCrop& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  const bool image = !acted.empty() && context.in.fields[acted.front()].role == Role::Image;
  if (p.pad || !image || (!context.noRandom && context.sameSize(acted)))
    return longForm("v2.RandomCrop, or padding");
  for (const std::size_t i : acted)
    if (context.in.fields[i].scale < 1) return longForm("a picture is smaller than the image");
  ExportText text;
  return text.needs(context.noRandom ? "cropped_centre" : "cropped_alike")
      .step(fmt::format("random_crop(sample, {}, {}, {})", pythonTexts(context.names(acted)),
                        p.height, p.width));
}

ExportText shortGrain(const FixedCrop& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  if (p.pad || acted.empty() || context.in.fields[acted.front()].role != Role::Image)
    return longForm("it pads, or crops other pictures than the image");
  for (const std::size_t i : acted)
    if (context.in.fields[i].scale < 1) return longForm("a picture is smaller than the image");
  ExportText text;
  text.missing = planesInTheWay(context, acted);
  const std::string names = pythonTexts(context.names(acted));
  if (context.noRandom)
    return text.needs("cropped_centre")
        .step(fmt::format("crop_alike(sample, {}, {}, {})", names, p.height, p.width));
  return text.needs("cropped_alike")
      .step(fmt::format("random_crop_alike(sample, {}, {}, {}, {})", names, drawText(context.node),
                        p.height, p.width));
}

/// In DALI: the decoder makes only the part.
ExportText decodingInDali(const FixedCrop& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  if (p.pad || acted.empty() || context.in.fields[acted.front()].name != "image")
    return longForm("it pads, or crops other pictures than the image");
  std::vector<std::string> kinds;
  for (const std::size_t i : acted) {
    const FieldSpec& field = context.in.fields[i];
    if (field.scale < 1) return longForm("a picture is smaller than the image");
    kinds.push_back(fmt::format("{}: types.{}", pythonText(field.name),
                                field.channels() == 3 ? "RGB" : "GRAY"));
  }
  ExportText text;
  return text.needs(context.noRandom ? "cropped_centre" : "cropped_alike")
      .step(fmt::format("decoded_crop(sample, {{{}}}, {}, {})", fmt::join(kinds, ", "), p.height,
                        p.width),
            context.names(acted));
}

}  // namespace

NodeSpec describe() {
  Describe<FixedCrop> d("random_crop", Category::Geometry, NodeRole::Image);
  d.label("Random crop")
      .help(
          "Cuts out a part of fixed size at a random position, which is the same in image, target "
          "and mask. The size is in pixels of the image field. If a target is four times as large, "
          "its part is too, and the position is drawn in pixels of the smaller picture.");
  d.example(R"({"height": 128, "width": 128})");
  d.tags({"patch", "RandomCrop", "super resolution", "augmentation"});
  describeFixedCrop(d);
  d.fields(&FixedCrop::fields);
  d.infer(infer);
  geometryStep<RandomCrop>(d);
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  d.exporter("grain", arrays);
  d.exporter("tfdata.short", shortTf);
  d.exporter("pytorch.short", shortTorch);
  d.exporter("grain.short", shortGrain);
  d.exporter("dali.decoding", decodingInDali);
  return d.take();
}

}  // namespace millrace::nodes::random_crop
