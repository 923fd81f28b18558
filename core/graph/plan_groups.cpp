// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/plan_groups.h"

#include "core/graph/decode_share.h"
#include "core/nodes/device_group.h"

namespace millrace {

BuildContext buildContext(const CheckedPipeline& pipeline, std::size_t i) {
  const CheckedNode& node = pipeline.nodes[i];
  std::vector<std::string> classes;
  if (pipeline.source) classes = pipeline.source->classes();
  return {node.id, pipeline.base, node.in, node.out, std::move(classes)};
}

Result<ImagePassStep> imagePassStep(const CheckedPipeline& pipeline, std::size_t i,
                                    const Values& values) {
  const CheckedNode& node = pipeline.nodes[i];
  auto step = node.spec->image(values, buildContext(pipeline, i));
  if (!step) return Error{node.id + ": " + step.error().message};
  return ImagePassStep{step.take(), node.drawKey(), node.spec->acts(values, node.in),
                       gpuShare(pipeline.nodes, i)};
}

std::size_t sideIndexBytes(const CheckedPipeline& pipeline, std::size_t i) {
  const CheckedNode& node = pipeline.nodes[i];
  if (node.spec->role != NodeRole::Image) return 0;
  const auto step = node.spec->image(node.values, buildContext(pipeline, i));
  return step && step->decode ? step->decode->sideIndexBytes : 0;
}

Status fuseImageGroups(const CheckedPipeline& pipeline, std::vector<PlanGroup>& groups) {
  std::vector<PlanGroup> fused;
  std::vector<ImagePassStep> steps;
  for (PlanGroup& group : groups) {
    const std::size_t i = group.nodes.front();
    if (pipeline.nodes[i].spec->role != NodeRole::Image) {
      steps.clear();
      fused.push_back(std::move(group));
      continue;
    }
    auto step = imagePassStep(pipeline, i, pipeline.nodes[i].values);
    if (!step) return step.error();
    if (!steps.empty() && joins(steps, *step)) {
      fused.back().nodes.push_back(i);
    } else {
      steps.clear();
      fused.push_back(std::move(group));
    }
    steps.push_back(step.take());
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
