// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/spec/describe.h"

namespace millrace::nodes {

namespace {

struct Params {
  std::int64_t size = 64;
  bool dropLast = false;
  OnFailure onFailure = OnFailure::Shorten;
  std::int64_t padHeight = 0;
  std::int64_t padWidth = 0;

  bool pads() const { return padHeight > 0 && padWidth > 0; }
};

/// Sets the padded size of a picture; false when it is known not to fit.
bool padPicture(const Params& params, FieldSpec& field) {
  if (field.height() > params.padHeight || field.width() > params.padWidth) return false;
  field.shape = pictureShape(params.padHeight, params.padWidth, field.channels(), field.layout);
  return true;
}

bool isPixels(const FieldSpec& field) {
  return isPicture(field.role) && field.layout != Layout::Plain;
}

void inferField(const Params& params, FieldSpec& field, InferContext& context) {
  if (field.dtype == DType::Encoded) return;  // bytes of any length lie in one arena
  if (isPixels(field) && params.pads() && !padPicture(params, field)) {
    context.error("pad_height",
                  fmt::format("`{}` is {} and larger than the padded size {}x{}", field.name,
                              field.shape.text(), params.padHeight, params.padWidth),
                  "raise pad_height and pad_width, or put a resize or crop in front");
    return;
  }
  if (field.shape.known()) return;
  if (!isPixels(field))
    context.error("",
                  fmt::format("rows of `{}` differ in size: {}", field.name, field.shape.text()),
                  "give it a fixed size in front of the batch");
  else if (field.channels() == Shape::kUnknown)
    context.error("", fmt::format("the number of channels of `{}` is not known", field.name),
                  "set the form of the decode node");
  // Whether pictures of any size may pass is decided by what stands behind (size_rules.h).
}

StreamType infer(const Params& params, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if ((params.padHeight > 0) != (params.padWidth > 0))
    context.error(params.padHeight > 0 ? "pad_width" : "pad_height",
                  "padding needs a height and a width", "set both, or both to 0");
  if (params.dropLast && in.samples && *in.samples < params.size)
    context.error(
        "drop_last",
        fmt::format("an epoch has {} samples and no full batch of {}", *in.samples, params.size),
        "lower size or turn drop_last off");
  for (FieldSpec& field : out.fields) inferField(params, field, context);
  out.level = Level::Batch;
  out.batchSize = params.size;
  return out;
}

BatchSettings settings(const Params& p) {
  BatchSettings settings;
  settings.size = p.size;
  settings.dropLast = p.dropLast;
  settings.onFailure = p.onFailure;
  if (p.pads()) settings.padTo = {static_cast<int>(p.padWidth), static_cast<int>(p.padHeight)};
  return settings;
}

}  // namespace

NodeSpec batch() {
  Describe<Params> d("batch", Category::Runtime, NodeRole::Batch);
  d.label("Batch").help(
      "Joins samples into batches. A finished sample is written straight into its row. Encoded "
      "bytes may differ in length. Pictures that differ in size are padded to one, or stay as they "
      "are up to a resize or a crop behind the batch, on a GPU for instance.");
  d.example(R"({"size": 64, "drop_last": true})");
  d.tags({"collate", "batch_size"});
  d.integer("size", &Params::size)
      .label("Size")
      .range(1, 1 << 20)
      .unit("samples")
      .help("Samples in a full batch.");
  d.boolean("drop_last", &Params::dropLast)
      .label("Drop last")
      .help("Leave out the samples at an epoch's end that make no full batch.");
  d.choice<OnFailure>(
       "on_failure", &Params::onFailure,
       {{OnFailure::Shorten, "shorten", "The batch has a row less."},
        {OnFailure::Fill, "fill", "The nearest good sample before it in the batch stands in."}})
      .label("On failure")
      .help("What a sample that failed leaves in its batch.");
  d.integer("pad_height", &Params::padHeight)
      .label("Pad height")
      .range(0, 65535)
      .unit("pixels")
      .help("Smaller pictures get zeros at the bottom up to this height; 0: no padding.");
  d.integer("pad_width", &Params::padWidth)
      .label("Pad width")
      .range(0, 65535)
      .unit("pixels")
      .help("Smaller pictures get zeros at the right up to this width; 0: no padding.");
  d.infer(infer);
  d.batch(settings);
  return d.take();
}

}  // namespace millrace::nodes
