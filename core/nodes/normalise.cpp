// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "core/nodes/array_text.h"
#include "core/nodes/device_side.h"
#include "core/nodes/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes {

namespace {

struct Params {
  RealList mean{0.485, 0.456, 0.406};
  RealList deviation{0.229, 0.224, 0.225};
  TextList fields;
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if (!checkFields(in, p.fields, {Role::Image, Role::Target}, context)) return out;
  const std::vector<std::size_t> acted = colourFields(in, p.fields);
  checkChannels(in, acted, p.mean, "mean", context);
  checkChannels(in, acted, p.deviation, "deviation", context);
  if (std::any_of(p.deviation.begin(), p.deviation.end(), [](double d) { return d <= 0; }))
    context.error("deviation", "a standard deviation is 0", "give positive numbers");
  if (!checkPictures(in, acted, PictureNeed::U8OrF32, context)) return out;
  for (const std::size_t i : acted) {
    if (in.fields[i].role == Role::Mask)
      context.error("fields", "masks hold class indices, which no mean can be taken of",
                    "take the mask off the list");
    out.fields[i].dtype = DType::F32;
  }
  return out;
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = colourFields(context.in, p.fields);
  const TextList fields = context.only(acted, {Role::Image, Role::Target});
  ExportText text;
  text.import("from torchvision.transforms import v2");
  const auto isBytes = [&](std::size_t i) { return context.in.fields[i].dtype == DType::U8; };
  if (std::any_of(acted.begin(), acted.end(), isBytes))
    text.import("import torch").step("v2.ToDtype(torch.float32, scale=True)", fields);
  return text.step(
      fmt::format("v2.Normalize(mean={}, std={})", pythonReals(p.mean), pythonReals(p.deviation)),
      fields);
}

/// For tf.data and DALI. `full` is what becomes 1: 255 in bytes.
ExportText arrays(const Params& p, const ExportContext& context) {
  ExportText text;
  for (const bool bytes : {true, false}) {
    std::vector<std::size_t> fields;
    for (const std::size_t i : colourFields(context.in, p.fields))
      if ((context.in.fields[i].dtype == DType::U8) == bytes) fields.push_back(i);
    if (fields.empty()) continue;
    text.needs("normalise")
        .step(fmt::format("normalise(sample, {}, mean={}, deviation={}, full={})",
                          fieldList(context, fields), pythonReals(p.mean), pythonReals(p.deviation),
                          bytes ? "255.0" : "1.0"));
  }
  return text;
}

}  // namespace

NodeSpec normalise() {
  Describe<Params> d("normalise", Category::Tensor, NodeRole::Image);
  d.label("Normalise")
      .help(
          "Subtracts the mean and divides by the standard deviation, channel by channel, and makes "
          "f32 of u8 (255 is 1). The defaults are those of ImageNet; mean 0 and deviation 1 give 0 "
          "to 1, mean 0.5 and deviation 0.5 give -1 to 1.");
  d.example(R"({"mean": [0.485, 0.456, 0.406], "deviation": [0.229, 0.224, 0.225]})");
  d.tags({"normalize", "Normalize", "mean", "std", "standardise", "rescale", "imagenet", "float"});
  d.reals("mean", &Params::mean)
      .label("Mean")
      .help("By channel, or one for all; in 0 to 1 as the pixels are.")
      .live();
  d.reals("deviation", &Params::deviation)
      .label("Standard deviation")
      .help("By channel, or one for all; in 0 to 1 as the pixels are.")
      .atLeast(0)
      .live();
  d.fields(&Params::fields);
  d.infer(infer);
  tensorStep(d, [](const Params& p) {
    ImageStep step;
    step.normalise = NormaliseStep{p.mean, p.deviation};
    return step;
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  return d.take();
}

}  // namespace millrace::nodes
