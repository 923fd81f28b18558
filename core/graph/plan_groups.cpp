// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/plan_groups.h"

#include <fmt/format.h>

#include "core/graph/rules/decode_share.h"
#include "core/pass/device_group.h"

namespace millrace {

BuildContext buildContext(const CheckedPipeline& pipeline, std::size_t i) {
  const CheckedNode& node = pipeline.nodes[i];
  std::vector<std::string> classes;
  if (pipeline.source) classes = pipeline.source->classes();
  BuildContext context{node.id, pipeline.base, node.in, node.out, std::move(classes)};
  context.source = pipeline.source;
  return context;
}

Result<ImagePassStep> imagePassStep(const CheckedPipeline& pipeline, std::size_t i,
                                    const Values& values) {
  const CheckedNode& node = pipeline.nodes[i];
  auto step = node.spec->image(values, buildContext(pipeline, i));
  if (!step) return Error{node.id + ": " + step.error().message};
  return ImagePassStep{step.take(), node.drawKey(), node.spec->acts(values, node.in),
                       gpuShare(pipeline.nodes, i)};
}

namespace {

/// The step of an image node; empty if it cannot be made, which is reported when the run makes it.
ImageStep stepOf(const CheckedPipeline& pipeline, std::size_t i) {
  const CheckedNode& node = pipeline.nodes[i];
  if (node.spec->role != NodeRole::Image) return {};
  auto step = node.spec->image(node.values, buildContext(pipeline, i));
  return step ? step.take() : ImageStep{};
}

}  // namespace

std::size_t sideIndexBytes(const CheckedPipeline& pipeline, std::size_t i) {
  const std::optional<DecodeStep> decode = stepOf(pipeline, i).decode;
  return decode ? decode->sideIndexBytes : 0;
}

std::string resizeText(const CheckedPipeline& pipeline, std::size_t i,
                       const std::vector<std::size_t>& group) {
  const std::optional<DecodeStep> decode = stepOf(pipeline, i).decode;
  if (!decode || !decode->resizePlanes) return {};
  const std::string& id = pipeline.nodes[i].id;
  const auto without = [&id](const char* reason) {
    return fmt::format("planes of {}: no effect, because {}; pictures are resized as RGB", id,
                       reason);
  };
  if (!decode->ownDecoder) return without("the library decodes all files");
  for (const std::size_t other : group) {
    const ImageStep step = stepOf(pipeline, other);
    if (step.window && step.window->resizes())
      return fmt::format(
          "planes of {}: {} resizes luma and chroma of JPEG files separately and converts "
          "colours in the result",
          id, pipeline.nodes[other].id);
  }
  return without("no resize is fused with it");
}

Status fuseImageGroups(const CheckedPipeline& pipeline, std::vector<PlanGroup>& groups) {
  std::vector<PlanGroup> fused;
  std::vector<ImagePassStep> steps;
  for (PlanGroup& group : groups) {
    const std::size_t i = group.nodes.front();
    // A node that some samples skip runs alone.
    if (pipeline.nodes[i].spec->role != NodeRole::Image || pipeline.nodes[i].choice) {
      steps.clear();
      fused.push_back(std::move(group));
      continue;
    }
    MILLRACE_ASSIGN_OR_RETURN(auto step, imagePassStep(pipeline, i, pipeline.nodes[i].values));
    if (!steps.empty() && joins(steps, step)) {
      fused.back().nodes.push_back(i);
    } else {
      steps.clear();
      fused.push_back(std::move(group));
    }
    steps.push_back(std::move(step));
  }
  groups = std::move(fused);
  return {};
}

void fuseDeviceGroups(const CheckedPipeline& pipeline, std::vector<PlanGroup>& groups) {
  std::vector<PlanGroup> fused;
  std::vector<DeviceNode> joined;
  for (PlanGroup& group : groups) {
    const std::size_t i = group.nodes.front();
    const CheckedNode& node = pipeline.nodes[i];
    DeviceNode next{node.spec, node.values, buildContext(pipeline, i)};
    if (!joined.empty() && joinsOnDevice(joined, next)) {
      fused.back().nodes.push_back(i);
    } else {
      joined.clear();
      fused.push_back(std::move(group));
    }
    joined.push_back(std::move(next));
  }
  groups = std::move(fused);
}

}  // namespace millrace
