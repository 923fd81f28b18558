// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "core/node_parts/array_text.h"
#include "core/node_parts/short_text.h"
#include "core/pass/device_side.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::normalise {

namespace {

struct Params {
  RealList mean{0.485, 0.456, 0.406};
  RealList deviation{0.229, 0.224, 0.225};
  TextList fields;
};

/// The most typical mistake: figures of bytes, for pictures that are divided by 255 first.
void noticeByteScale(const Params& p, const StreamType& in, const std::vector<std::size_t>& acted,
                     InferContext& context) {
  const bool bytes = std::any_of(acted.begin(), acted.end(),
                                 [&](std::size_t i) { return in.fields[i].dtype == DType::U8; });
  const auto largest = std::max_element(p.mean.begin(), p.mean.end());
  if (!bytes || largest == p.mean.end() || *largest <= 1) return;
  context.warning("mean",
                  fmt::format("white is 1 on this scale, and {:g} is above it: this looks like "
                              "the mean of bytes from 0 to 255",
                              *largest),
                  "divide mean and deviation by 255");
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if (!checkFields(in, p.fields, {Role::Image, Role::Target}, context)) return out;
  const std::vector<std::size_t> acted = colourFields(in, p.fields);
  checkChannels(in, acted, p.mean, "mean", context);
  checkChannels(in, acted, p.deviation, "deviation", context);
  if (std::any_of(p.deviation.begin(), p.deviation.end(), [](double d) { return d <= 0; }))
    context.error("deviation", "a standard deviation must be above 0", "use positive numbers");
  if (!checkPictures(in, acted, PictureNeed::U8OrF32, context)) return out;
  noticeByteScale(p, in, acted, context);
  for (const std::size_t i : acted) {
    if (in.fields[i].role == Role::Mask)
      context.error("fields", "masks hold class indices, which cannot be normalised",
                    "remove the mask from the list");
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
    text.import("import torch")
        .step("v2.ToDtype(torch.float32, scale=True)", fields)
        .traits({.ofFloats = "{}.div_(255)"});
  return text.step(
      fmt::format("v2.Normalize(mean={}, std={})", pythonReals(p.mean), pythonReals(p.deviation)),
      fields);
}

/// For tf.data and DALI. `full` is the value that becomes 1: 255 for bytes.
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

ExportText shortTf(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = colourFields(context.in, p.fields);
  if (!areBytes(context.in, acted)) return longForm("its input is not bytes");
  ExportText text;
  return text.local(fmt::format("mean = 255 * tf.constant({})", pythonReals(p.mean)))
      .local(fmt::format("std = 255 * tf.constant({})", pythonReals(p.deviation)))
      .value(context.names(acted), "(tf.cast({}, tf.float32) - {1}) / {2}",
             {.ofFloats = "({} - {1}) / {2}", .perChannel = {"mean", "std"}});
}

ExportText shortDali(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = colourFields(context.in, p.fields);
  if (!areBytes(context.in, acted)) return longForm("its input is not bytes");
  ExportText text;
  text.local(fmt::format("mean = [255 * value for value in {}]", pythonReals(p.mean)))
      .local(fmt::format("std = [255 * value for value in {}]", pythonReals(p.deviation)));
  for (const std::string& name : context.names(acted))
    text.value({name}, "fn.crop_mirror_normalize({}{mirror}, mean=mean, std=std{layout})",
               {.placesPixels = true});
  return text;
}

ExportText shortGrain(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = colourFields(context.in, p.fields);
  if (!areBytes(context.in, acted)) return longForm("its input is not bytes");
  ExportText text;
  text.import("import numpy as np")
      .local(fmt::format("mean = 255 * np.float32({})", pythonReals(p.mean)))
      .local(fmt::format("std = 255 * np.float32({})", pythonReals(p.deviation)));
  for (const std::string& name : context.names(acted))
    text.value({name}, "({} - {1}) / {2}", {.perChannel = {"mean", "std"}});
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("normalise", Category::Tensor, NodeRole::Image);
  d.label("Normalise")
      .help(
          "Subtracts the mean and divides by the standard deviation per channel, and converts u8 "
          "to f32 (255 becomes 1). The defaults are those of ImageNet. Mean 0 and deviation 1 give "
          "values from 0 to 1; mean 0.5 and deviation 0.5 give -1 to 1.");
  d.example(R"({"mean": [0.485, 0.456, 0.406], "deviation": [0.229, 0.224, 0.225]})");
  d.tags({"normalize", "Normalize", "mean", "std", "standardise", "rescale", "imagenet", "float"});
  d.reals("mean", &Params::mean)
      .label("Mean")
      .help("One value per channel, or one for all, on the scale where white is 1.")
      .live();
  d.reals("deviation", &Params::deviation)
      .label("Standard deviation")
      .help("One value per channel, or one for all, on the scale where white is 1.")
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
  d.exporter("grain", arrays);
  d.exporter("tfdata.short", shortTf);
  d.exporter("dali.short", shortDali);
  d.exporter("grain.short", shortGrain);
  return d.take();
}

}  // namespace millrace::nodes::normalise
