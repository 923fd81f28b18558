// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/group_op.h"

#include "core/graph/plan_groups.h"
#include "core/run/op_by_view.h"

namespace millrace {

Result<std::unique_ptr<SampleOp>> makeGroupOp(const RunParts& parts,
                                              const std::vector<std::size_t>& nodes) {
  const CheckedPipeline& pipeline = parts.plan.pipeline;
  const CheckedNode& first = pipeline.nodes[nodes.front()];
  if (first.spec->role != NodeRole::Image) {
    auto op = makeOpByView(*first.spec, parts.live.valuesOf(nodes.front()),
                           buildContext(pipeline, nodes.front()));
    if (!op) return Error{first.id + ": " + op.error().message};
    return op;
  }
  ImagePassPlan pass;
  pass.in = first.in.fields;
  pass.sideIndices = parts.caches.sideIndices(first.id);
  pass.offloadShare = parts.caches.offloadShare(first.id);
  for (const std::size_t node : nodes) {
    MILLRACE_ASSIGN_OR_RETURN(auto step, imagePassStep(pipeline, node, parts.live.valuesOf(node)));
    pass.steps.push_back(std::move(step));
  }
  return makeImagePass(std::move(pass));
}

}  // namespace millrace
