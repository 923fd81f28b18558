// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include "core/node_parts/fields/field_places.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::views {

namespace {

struct Params {
  std::int64_t count = 2;
};

bool isOfPicture(const FieldSpec& field) {
  return isPicture(field.role) || field.role == Role::Boxes || field.role == Role::Keypoints ||
         field.role == Role::Objects;
}

/// The field that becomes views. nullopt: the stream has none, or others that belong to it, which
/// is reported.
std::optional<std::size_t> pictureOf(const StreamType& in, InferContext& context) {
  if (!checkFields(in, {}, {Role::Image}, context)) return std::nullopt;
  const std::size_t image = actedFields(in, {}, {Role::Image}).front();
  for (std::size_t i = 0; i < in.fields.size(); ++i) {
    const FieldSpec& field = in.fields[i];
    if (i == image || !isOfPicture(field)) continue;
    context.error("",
                  field.view > 0 ? std::string("the samples already have views")
                                 : fmt::format("views are made of one picture, and `{}` belongs "
                                               "to it or is another one",
                                               field.name),
                  field.view > 0 ? "remove this node, or set the number of views in the first one"
                                 : "remove the field with a select node before this one");
    return std::nullopt;
  }
  return image;
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  const std::optional<std::size_t> image = pictureOf(in, context);
  if (!image || !checkPictures(in, {*image}, PictureNeed::U8OrF32, context)) return in;
  std::vector<FieldSpec> views(static_cast<std::size_t>(p.count), in.fields[*image]);
  for (std::size_t i = 0; i < views.size(); ++i) {
    views[i].name = viewName(i);
    views[i].view = static_cast<int>(i) + 1;
  }
  return spliced(in, *image, views, "count", context);
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const std::size_t image = actedFields(context.in, {}, {Role::Image}).front();
  ExportText text;
  return text.needs("make_views")
      .step(fmt::format("lambda sample: make_views(sample, {}, {})",
                        pythonText(context.in.fields[image].name), p.count));
}

ExportText exported(const Params&, const ExportContext&) {
  ExportText text;
  text.missing =
      "Millrace writes views for PyTorch only: export to that, or as Python over the engine.";
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("views", Category::Geometry, NodeRole::Image);
  d.label("Views").help(
      "Makes several views of each picture, for self-supervised training (SimCLR, MoCo, DINO). "
      "The picture becomes the fields view_1, view_2 and so on. Every later node draws "
      "separately for each view, and its `fields` choose among them: two large crops of "
      "view_1 and view_2, small crops of the others. Directly after decode, each file is "
      "decoded once, as far as the crops of all views need it.");
  d.example(R"({"count": 2})");
  d.tags({"multi-crop", "two crops", "contrastive", "SimCLR", "DINO", "MoCo", "BYOL",
          "self-supervised"});
  d.cpuOnly();
  d.integer("count", &Params::count)
      .label("Number")
      .range(2, 64)
      .help("The number of views of each picture.");
  d.infer(infer);
  d.acts([](const Params&, const StreamType& in) { return actedFields(in, {}, {Role::Image}); });
  d.image([](const Params& p, const BuildContext&) -> Result<ImageStep> {
    ImageStep step;
    step.views = ViewsStep{static_cast<std::size_t>(p.count)};
    return step;
  });
  d.exporter("pytorch", pytorch);
  for (const char* target : {"tfdata", "dali", "grain"}) d.exporter(target, exported);
  return d.take();
}

}  // namespace millrace::nodes::views
