// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <array>

#include "core/node_parts/array_text.h"
#include "core/node_parts/short_text.h"
#include "core/pass/device_side.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"

namespace millrace::nodes::precision {

namespace {

struct Params {
  DType dtype = DType::F32;
  Layout layout = Layout::Chw;
  TextList fields;
};

void checkType(const FieldSpec& field, DType to, InferContext& context) {
  if (field.role == Role::Mask && to != DType::U8)
    context.error(
        "dtype",
        fmt::format("`{}` holds class indices, which cannot be converted like brightness values",
                    field.name),
        "keep masks as u8, or use one_hot");
  else if (field.dtype == DType::F32 && to == DType::U8)
    context.error("dtype",
                  fmt::format("`{}` is f32 here, but u8 cannot hold its values", field.name),
                  "remove normalise, or choose a float type");
  else if (field.dtype == DType::U8 && to == DType::U16)
    context.error("dtype", fmt::format("`{}` is u8 here, which u16 would not improve", field.name),
                  "use u8, or decode with form stored");
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if (!checkFields(in, p.fields, {Role::Image, Role::Target}, context)) return out;
  const std::vector<std::size_t> acted = colourFields(in, p.fields);
  if (!checkPictures(in, acted, PictureNeed::U8OrF32, context)) return out;
  for (const std::size_t i : acted) {
    const FieldSpec& field = in.fields[i];
    checkType(field, p.dtype, context);
    const Layout layout = p.layout == Layout::Plain ? field.layout : p.layout;
    out.fields[i].dtype = p.dtype;
    out.fields[i].layout = layout;
    out.fields[i].shape = pictureShape(field.height(), field.width(), field.channels(), layout);
  }
  return out;
}

ExportText withoutU16() {
  ExportText text;
  text.missing = "u16 is not exported; hand over f32 and round it in the training step.";
  return text;
}

/// The exporter handles layouts: pictures stay in planes until their batch is complete.
ExportText pytorch(const Params& p, const ExportContext& context) {
  if (p.dtype == DType::U16) return withoutU16();
  const std::vector<std::size_t> acted = colourFields(context.in, p.fields);
  const TextList fields = context.only(acted, {Role::Image, Role::Target});
  ExportText text;
  text.import("import torch").import("from torchvision.transforms import v2");
  const auto isBytes = [&](std::size_t i) { return context.in.fields[i].dtype == DType::U8; };
  if (p.dtype != DType::U8 && std::any_of(acted.begin(), acted.end(), isBytes))
    text.step("v2.ToDtype(torch.float32, scale=True)", fields).traits({.ofFloats = "{}.div_(255)"});
  if (p.dtype == DType::F16 || p.dtype == DType::BF16)
    text.step(p.dtype == DType::F16 ? "v2.ToDtype(torch.float16)" : "v2.ToDtype(torch.bfloat16)",
              fields);
  return text;
}

/// For tf.data and DALI. The exporters handle layouts: channels stay last until the sample is
/// complete. `full` is the value that becomes 1 in the float types: 255 for bytes.
ExportText arrays(const Params& p, const ExportContext& context) {
  if (p.dtype == DType::U16) return withoutU16();
  constexpr std::array<const char*, 4> kNames = {"uint8", "float32", "float16", "bfloat16"};
  constexpr std::array<DType, 4> kTypes = {DType::U8, DType::F32, DType::F16, DType::BF16};
  const auto at = std::find(kTypes.begin(), kTypes.end(), p.dtype) - kTypes.begin();
  ExportText text;
  for (const bool bytes : {true, false}) {
    std::vector<std::size_t> fields;
    for (const std::size_t i : colourFields(context.in, p.fields)) {
      const DType from = context.in.fields[i].dtype;
      if (from != p.dtype && (from == DType::U8) == bytes) fields.push_back(i);
    }
    if (fields.empty()) continue;
    text.needs("precision")
        .step(fmt::format("to_dtype(sample, {}, \"{}\", full={})", fieldList(context, fields),
                          kNames.at(static_cast<std::size_t>(at)), bytes ? "255.0" : "1.0"));
  }
  return text;
}

ExportText dali(const Params& p, const ExportContext& context) {
  ExportText text = arrays(p, context);
  if (p.dtype == DType::BF16)
    text.missing = "DALI has no bf16; hand over f32 and let the training step round it.";
  return text;
}

ExportText shortTf(const Params& p, const ExportContext& context) {
  TextList fields;
  for (const std::size_t i : colourFields(context.in, p.fields)) {
    if (context.in.fields[i].dtype == p.dtype) continue;
    if (context.in.fields[i].dtype != DType::U8 || p.dtype != DType::F32)
      return longForm("it converts other types than bytes to f32");
    fields.push_back(context.in.fields[i].name);
  }
  ExportText text;
  if (fields.empty()) return text;
  return text.value(fields, "tf.cast({}, tf.float32) / 255.0", {.ofFloats = "{} / 255.0"});
}

ExportText shortDali(const Params& p, const ExportContext& context) {
  ExportText text;
  for (const std::size_t i : colourFields(context.in, p.fields)) {
    if (context.in.fields[i].dtype == p.dtype) continue;
    if (context.in.fields[i].dtype != DType::U8 || p.dtype != DType::F32)
      return longForm("it converts other types than bytes to f32");
    text.value(context.names({i}), "fn.crop_mirror_normalize({}{mirror}, std=[255.0]{layout})",
               {.placesPixels = true});
  }
  return text;
}

ExportText shortGrain(const Params& p, const ExportContext& context) {
  ExportText text;
  TextList fields;
  for (const std::size_t i : colourFields(context.in, p.fields)) {
    if (context.in.fields[i].dtype == p.dtype) continue;
    if (context.in.fields[i].dtype != DType::U8 || p.dtype != DType::F32)
      return longForm("it converts other types than bytes to f32");
    fields.push_back(context.in.fields[i].name);
  }
  if (fields.empty()) return text;
  return text.import("import numpy as np").value(fields, "{} / np.float32(255)");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("precision", Category::Tensor, NodeRole::Image);
  d.label("Precision and layout")
      .help(
          "Sets the element type and the order of axes of the batches. PyTorch expects nchw, "
          "TensorFlow nhwc. u8 takes a quarter of the bytes to copy to a GPU, which can normalise "
          "there; f16 and bf16 take half. In the float types u8 values become 0 to 1.");
  d.example(R"({"dtype": "f32", "layout": "nchw"})");
  d.tags({"dtype", "float16", "bfloat16", "half", "ToTensor", "channels last", "permute", "NCHW"});
  d.choice<DType>(
       "dtype", &Params::dtype,
       {{DType::U8, "u8", "0 to 255 as decoded"},
        {DType::U16, "u16", "0 to 65535, rounded, of pictures decoded with form stored"},
        {DType::F32, "f32", "32-bit float"},
        {DType::F16, "f16", "16-bit float with 11 bits of precision"},
        {DType::BF16, "bf16", "16-bit float with 8 bits of precision and the range of f32"}})
      .label("Type")
      .help("Type of the elements.");
  d.choice<Layout>("layout", &Params::layout,
                   {{Layout::Hwc, "nhwc", "the channels of a pixel are adjacent"},
                    {Layout::Chw, "nchw", "one plane per channel"},
                    {Layout::Plain, "keep", "unchanged"}})
      .label("Layout")
      .help("Order of the axes.");
  d.fields(&Params::fields);
  d.infer(infer);
  tensorStep(d, [](const Params& p) {
    ImageStep step;
    step.form = FormStep{p.dtype, p.layout};
    return step;
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("grain", arrays);
  d.exporter("dali", dali);
  d.exporter("tfdata.short", shortTf);
  d.exporter("dali.short", shortDali);
  d.exporter("grain.short", shortGrain);
  return d.take();
}

}  // namespace millrace::nodes::precision
