// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "core/node_parts/array_text.h"
#include "core/node_parts/mask_fill.h"
#include "core/node_parts/torch_text.h"
#include "core/pass/device_side.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::pad {

namespace {

struct Params {
  std::int64_t left = 4;
  std::int64_t top = 4;
  std::int64_t right = 4;
  std::int64_t bottom = 4;
  Border border = Border::Constant;
  RealList fill{0};
  RealList maskFill{0};
  TextList fields;
};

class Pad final : public WindowStep {
 public:
  explicit Pad(const Params& params)
      : m_params(params), m_fill(padFill(params.border, params.fill, params.maskFill)) {}

  bool pads() const override { return true; }

  Status apply(Window& window, Draw&) const override {
    int sides[4] = {};
    const std::int64_t wanted[4] = {m_params.left, m_params.top, m_params.right, m_params.bottom};
    for (int i = 0; i < 4; ++i) {
      const Result<int> side = window.fromImagePixels(wanted[i]);
      if (!side) return side.error();
      sides[i] = *side;
    }
    window.pad(sides[0], sides[1], sides[2], sides[3], m_fill);
    return {};
  }

 private:
  Params m_params;
  PadFill m_fill;
};

std::int64_t larger(std::int64_t size, std::int64_t more) {
  return size == Shape::kUnknown ? size : size + more;
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  const FieldSpec* reference = referenceField(in, geometryFields(in, p.fields));
  const std::int64_t height = reference != nullptr ? reference->height() : Shape::kUnknown;
  const std::int64_t width = reference != nullptr ? reference->width() : Shape::kUnknown;
  checkFill(in, geometryFields(in, p.fields), p.fill, p.maskFill, context);
  return resizedStream(in, p.fields, larger(height, p.top + p.bottom),
                       larger(width, p.left + p.right), PictureNeed::Fillable, context);
}

void describeSides(Describe<Params>& d) {
  const struct {
    const char* name;
    const char* label;
    std::int64_t Params::* member;
  } sides[] = {{"left", "Left", &Params::left},
               {"top", "Top", &Params::top},
               {"right", "Right", &Params::right},
               {"bottom", "Bottom", &Params::bottom}};
  for (const auto& side : sides)
    d.integer(side.name, side.member)
        .label(side.label)
        .help("Pixels to add on this side, in pixels of the image field.")
        .range(0, 4096)
        .unit("pixels");
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  ExportText text;
  text.missing = floatsToFill(context, acted);
  return text.needs("pad").step(
      fmt::format("Pad({}, ({}, {}, {}, {}), \"{}\", {}, {})", pythonTexts(context.names(acted)),
                  p.left, p.top, p.right, p.bottom, torchBorder(p.border),
                  torchColour(fillLevels(context.in, acted, p.fill)), torchColour(p.maskFill)));
}

ExportText arrays(const Params& p, const ExportContext& context) {
  constexpr std::array<const char*, 5> kBorders = {"constant", "edge", "symmetric", "reflect",
                                                   "wrap"};
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  ExportText text;
  text.missing = floatsToFill(context, acted);
  return text.needs("pad").step(
      fmt::format("pad(sample, {}, ({}, {}, {}, {}), border=\"{}\", fill={}, mask_fill={})",
                  fieldList(context, acted), p.left, p.top, p.right, p.bottom,
                  kBorders.at(static_cast<std::size_t>(p.border)),
                  pythonReals(fillLevels(context.in, acted, p.fill)), pythonReals(p.maskFill)));
}

ExportText dali(const Params& p, const ExportContext& context) {
  ExportText text = arrays(p, context);
  if (p.border != Border::Constant)
    text.missing = "DALI pads with one colour, not with pixels from the border.";
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("pad", Category::Geometry, NodeRole::Image);
  d.label("Pad").help(
      "Adds a border of fixed width. Padding by four pixels, followed by a random crop of the "
      "original size, is the usual augmentation for CIFAR. To get pictures of one size from any "
      "size, use centre_crop with `pad`, or resize with mode fit.");
  d.example(R"({"left": 4, "top": 4, "right": 4, "bottom": 4, "border": "reflect"})");
  d.tags({"border", "margin", "frame", "ZeroPad2d", "augmentation"});
  describeSides(d);
  d.choice<Border>(
       "border", &Params::border,
       {{Border::Constant, "constant", "one colour"},
        {Border::Edge, "edge", "repeats the outermost pixel"},
        {Border::Reflect, "reflect", "mirrored without repeating the edge pixel (dcb|abcd|cba)"},
        {Border::Symmetric, "symmetric", "mirrored, repeating the edge pixel (cba|abcd|dcb)"},
        {Border::Wrap, "wrap", "continues with the opposite side"}})
      .label("Border")
      .help("Content of the border.");
  d.reals("fill", &Params::fill)
      .usedWith("border", {"constant"})
      .label("Fill")
      .help(
          "Colour of the border: one value, or one per channel. 0 to 255 for pictures of bytes; on "
          "the scale of the values for f32.");
  describeMaskFill(d, &Params::maskFill).usedWith("border", {"constant"});
  d.fields(&Params::fields);
  d.infer(infer);
  geometryStep<Pad>(d);
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("grain", arrays);
  d.exporter("dali", dali);
  return d.take();
}

}  // namespace millrace::nodes::pad
