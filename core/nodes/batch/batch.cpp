// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "core/data/object_fields.h"
#include "core/spec/describe.h"

namespace millrace::nodes::batch {

namespace {

struct Params {
  std::int64_t size = 64;
  bool dropLast = false;
  OnFailure onFailure = OnFailure::Shorten;
  std::int64_t padHeight = 0;
  std::int64_t padWidth = 0;
  bool keepSizes = false;

  bool pads() const { return padHeight > 0 && padWidth > 0; }
};

/// Sets the padded size of a picture; false if it is known not to fit.
bool padPicture(const Params& params, FieldSpec& field) {
  if (field.height() > params.padHeight || field.width() > params.padWidth) return false;
  field.shape = pictureShape(params.padHeight, params.padWidth, field.channels(), field.layout);
  return true;
}

bool isPixels(const FieldSpec& field) {
  return isPicture(field.role) && field.layout != Layout::Plain;
}

void inferField(const Params& params, FieldSpec& field, bool isObject, InferContext& context) {
  if (field.dtype == DType::Encoded) return;  // byte strings of any length go to one arena
  if (isObject) return;                       // rows of any number of objects too
  if (isPixels(field) && params.pads() && !padPicture(params, field)) {
    context.error(
        "pad_height",
        fmt::format("`{}` is {}, larger than the padded size {}x{}", field.name, field.shape.text(),
                    params.padHeight, params.padWidth),
        "increase pad_height and pad_width, or insert a resize or crop before the batch node");
    return;
  }
  if (isPixels(field) && field.channels() == Shape::kUnknown)
    context.error("", fmt::format("the number of channels of `{}` is unknown", field.name),
                  "set the form of the decode node");
  // Whether arrays of any size are allowed depends on the nodes after the batch (size_rules.h).
}

StreamType infer(const Params& params, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if ((params.padHeight > 0) != (params.padWidth > 0))
    context.error(params.padHeight > 0 ? "pad_width" : "pad_height",
                  "padding needs a height and a width", "set both, or both to 0");
  if (params.keepSizes && params.pads())
    context.error("keep_sizes", "padded pictures do not keep their sizes",
                  "turn keep_sizes off, or set pad_height and pad_width to 0");
  if (params.dropLast && in.samples && *in.samples < params.size)
    context.error(
        "drop_last",
        fmt::format("an epoch has only {} samples, which is less than one full batch of {}",
                    *in.samples, params.size),
        "decrease size or turn drop_last off");
  const std::vector<std::size_t> objects = perObjectFields(in.fields);
  for (std::size_t i = 0; i < out.fields.size(); ++i)
    inferField(params, out.fields[i], std::ranges::binary_search(objects, i), context);
  out.level = Level::Batch;
  out.batchSize = params.size;
  return out;
}

BatchSettings settings(const Params& p) {
  BatchSettings settings;
  settings.size = p.size;
  settings.dropLast = p.dropLast;
  settings.onFailure = p.onFailure;
  settings.keepSizes = p.keepSizes;
  if (p.pads()) settings.padTo = {static_cast<int>(p.padWidth), static_cast<int>(p.padHeight)};
  return settings;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("batch", Category::Runtime, NodeRole::Batch);
  d.label("Batch").help(
      "Joins samples into batches. A worker writes each finished sample directly into its row. "
      "Encoded files may have different lengths, and boxes and keypoints different numbers. "
      "Pictures of different sizes are padded to one "
      "size, or keep their sizes until a resize, crop or padding after the batch node, for example "
      "on a GPU, or to the end (`keep_sizes`).");
  d.example(R"({"size": 64, "drop_last": true})");
  d.tags({"collate", "batch_size"});
  d.integer("size", &Params::size)
      .label("Size")
      .range(1, 1 << 20)
      .unit("samples")
      .help("Number of samples in a full batch.");
  d.boolean("drop_last", &Params::dropLast)
      .label("Drop last")
      .help("Leave out the samples at the end of an epoch that do not fill a batch.");
  d.choice<OnFailure>("on_failure", &Params::onFailure,
                      {{OnFailure::Shorten, "shorten", "The batch has one row less."},
                       {OnFailure::Fill, "fill",
                        "The nearest valid sample before it in the batch is used instead."}})
      .label("On failure")
      .help("What happens to a batch when one of its samples fails.");
  d.integer("pad_height", &Params::padHeight)
      .label("Pad height")
      .range(0, 65535)
      .unit("pixels")
      .help("Pad smaller pictures with zeros at the bottom to this height. 0: no padding.");
  d.integer("pad_width", &Params::padWidth)
      .label("Pad width")
      .range(0, 65535)
      .unit("pixels")
      .help("Pad smaller pictures with zeros on the right to this width. 0: no padding.");
  d.boolean("keep_sizes", &Params::keepSizes)
      .label("Keep sizes")
      .help(
          "Pictures and arrays of different sizes keep them to the end: the field of a batch is a "
          "list, with one array for each sample. Off: a pipeline that does not bring them to one "
          "size is refused.");
  d.infer(infer);
  d.batch(settings);
  return d.take();
}

}  // namespace millrace::nodes::batch
