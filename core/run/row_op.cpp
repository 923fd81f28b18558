// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/row_op.h"

#include "core/graph/plan_groups.h"

namespace millrace {

Result<std::unique_ptr<SampleOp>> makeRowOp(const RunParts& parts,
                                            const std::vector<std::size_t>& nodes) {
  const CheckedPipeline& pipeline = parts.plan.pipeline;
  const CheckedNode& first = pipeline.nodes[nodes.front()];
  if (first.spec->role != NodeRole::Image) {
    auto op = first.spec->sample(parts.live.valuesOf(nodes.front()),
                                 buildContext(pipeline, nodes.front()));
    if (!op) return Error{first.id + ": " + op.error().message};
    return op;
  }
  ImagePassPlan pass;
  pass.in = first.in.fields;
  pass.sideIndices = parts.caches.sideIndices(first.id);
  pass.movingShare = parts.caches.movingShare(first.id);
  for (const std::size_t node : nodes) {
    auto step = imagePassStep(pipeline, node, parts.live.valuesOf(node));
    if (!step) return step.error();
    pass.steps.push_back(step.take());
  }
  return makeImagePass(std::move(pass));
}

}  // namespace millrace
