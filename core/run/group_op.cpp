// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/group_op.h"

#include <utility>

#include "core/graph/plan_groups.h"
#include "core/run/chosen_op.h"
#include "core/run/op_by_view.h"

namespace millrace {

namespace {

using MadeOp = Result<std::unique_ptr<SampleOp>>;

/// `values`: those of the first node.
MadeOp makeImageOp(const RunParts& parts, const std::vector<std::size_t>& nodes,
                   const Values& values) {
  const CheckedPipeline& pipeline = parts.plan.pipeline;
  const CheckedNode& first = pipeline.nodes[nodes.front()];
  ImagePassPlan pass;
  pass.in = first.in.fields;
  pass.sideIndices = parts.caches.sideIndices(first.id);
  pass.offloadShare = parts.caches.offloadShare(first.id);
  for (const std::size_t node : nodes) {
    const bool isFirst = node == nodes.front();
    MILLRACE_ASSIGN_OR_RETURN(
        auto step, imagePassStep(pipeline, node, isFirst ? values : parts.live.valuesOf(node)));
    pass.steps.push_back(std::move(step));
  }
  return makeImagePass(std::move(pass));
}

/// A single node's, with these values.
MadeOp makeNodeOp(const RunParts& parts, std::size_t node, const Values& values) {
  const CheckedPipeline& pipeline = parts.plan.pipeline;
  const CheckedNode& checked = pipeline.nodes[node];
  if (checked.spec->role == NodeRole::Image) return makeImageOp(parts, {node}, values);
  MadeOp op = checked.spec->sample(values, buildContext(pipeline, node));
  if (!op) return Error{checked.id + ": " + op.error().message};
  return op;
}

}  // namespace

Result<std::unique_ptr<SampleOp>> makeGroupOp(const RunParts& parts,
                                              const std::vector<std::size_t>& nodes) {
  const std::size_t node = nodes.front();
  const CheckedNode& first = parts.plan.node(node);
  const Values values = parts.live.valuesOf(node);
  if (first.spec->role == NodeRole::Image && !first.choice)
    return makeImageOp(parts, nodes, values);
  const auto make = [&](const Values& own, int view) -> MadeOp {
    MILLRACE_ASSIGN_OR_RETURN(auto op, makeNodeOp(parts, node, own));
    return first.choice ? makeChosenOp(std::move(op), *first.choice, view) : std::move(op);
  };
  return makeOpByView(*first.spec, values, buildContext(parts.plan.pipeline, node), make);
}

}  // namespace millrace
