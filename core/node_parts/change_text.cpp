// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/change_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/node_parts/array_text.h"
#include "core/node_parts/torch_text.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes {

namespace {

ExportText missing(std::string sentence) {
  ExportText text;
  text.missing = std::move(sentence);
  return text;
}

/// Why torchvision's policies cannot do the work; empty if they can.
std::string notInTorchvision(const ExportContext& context, const std::vector<std::size_t>& acted) {
  const auto placed = [](const FieldSpec& field) {
    return field.role == Role::Boxes || field.role == Role::Keypoints;
  };
  if (acted.size() == 1 && !hasMask(context.in, acted) &&
      std::ranges::none_of(context.in.fields, placed))
    return {};
  return "torchvision's policies change one picture of a sample, without masks, boxes and "
         "keypoints; export the pipeline as Python over the engine.";
}

}  // namespace

ExportText changeInTorch(const ChangeText& text, double probability,
                         const std::vector<std::size_t>& fields, const ExportContext& context) {
  ExportText written;
  const double chance = context.chance(probability);
  if (chance == 0) return written;
  const bool own = !text.torchSnippet.empty();
  if (own)
    written.needs(text.torchSnippet);
  else
    written.import("from torchvision.transforms import v2");
  return written.step(fmt::format("{}{}p={})", own ? "" : "v2.", text.torch, pythonReal(chance)),
                      context.only(fields, {Role::Image, Role::Target}));
}

ExportText changeOfArrays(const ChangeText& text, double probability,
                          const std::vector<std::size_t>& fields, const ExportContext& context,
                          std::string_view target) {
  ExportText written;
  const double chance = context.chance(probability);
  if (chance == 0) return written;
  const std::string& change = target == "tfdata" ? text.tfdata
                              : target == "dali" ? text.dali
                                                 : text.grain;
  if (change.empty())
    return missing(
        fmt::format("{} has no operation for this; export the pipeline as Python over "
                    "the engine.",
                    target == "tfdata" ? "TensorFlow"
                    : target == "dali" ? "DALI"
                                       : "NumPy"));
  if (target == "grain")
    for (const std::string& line : text.grainImports) written.import(line);
  const std::string draw = drawIn(context, written);
  return written.needs("random_change")
      .step(fmt::format("random_change(sample, {}, {}, probability={}, change=lambda p, u: {})",
                        fieldList(context, fields), draw, pythonReal(chance), change));
}

ExportText policyText(const std::string& transform, Filter filter, const RealList& fill,
                      const std::vector<std::size_t>& acted, const ExportContext& context,
                      std::string_view target) {
  ExportText written;
  if (context.noRandom) return written;
  if (target == "dali")
    return missing(
        "DALI has policies in nvidia.dali.auto_aug, with other operations and magnitudes, in "
        "pipelines with conditionals; Millrace does not write them.");
  if (target != "pytorch")
    return missing(
        "Policies are not in this library; export the pipeline as Python over the engine.");
  written.missing = notInTorchvision(context, acted);
  std::string arguments = fmt::format("interpolation=InterpolationMode.{}",
                                      filter == Filter::Bilinear ? "BILINEAR" : "NEAREST");
  if (const RealList levels = fillLevels(context.in, acted, fill); levels != RealList{0})
    arguments += fmt::format(", fill={}", pythonReals(levels));
  return written.import("from torchvision.transforms import InterpolationMode")
      .import("from torchvision.transforms import v2")
      .step(fmt::format("v2.{}{})", transform, arguments), context.only(acted, {Role::Image}));
}

ExportText warpInTorch(const std::string& open, const std::string& close,
                       const PolicyParams& params, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, params.fields);
  ExportText text;
  std::string arguments;
  if (const RealList levels = fillLevels(context.in, acted, params.fill); levels != RealList{0})
    arguments = fmt::format(", fill={}", pythonReals(levels));
  if (params.filter == Filter::Nearest) {
    text.import("from torchvision.transforms import InterpolationMode");
    arguments += ", interpolation=InterpolationMode.NEAREST";
  }
  return text.import("from torchvision.transforms import v2")
      .step(open + arguments + ")" + close,
            context.only(acted, {Role::Image, Role::Target, Role::Mask}));
}

}  // namespace millrace::nodes
