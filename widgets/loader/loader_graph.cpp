// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/loader/loader_graph.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/own_loader/loader_limit.h"
#include "core/own_loader/loader_run.h"
#include "widgets/models/node_display.h"

namespace millrace {

namespace {

constexpr std::string_view kOwnCode = ", other code";

struct Kind {
  const char* name;
  const char* label;
  Category category;
  NodeRole role;
  const char* help;
};
constexpr Kind kKinds[] = {
    {kWorkersStage, "Workers", Category::Runtime, NodeRole::Workers,
     "Processes that make batches at the same time."},
    {"dataset", "Data set", Category::Source, NodeRole::Sample,
     "The code of the data set that is in no other step."},
    {"read", "Read", Category::Source, NodeRole::Sample, "Reads a file."},
    {"decode", "Decode", Category::Decode, NodeRole::Sample, "Reads and decodes a picture."},
    {"transform", "Transform", Category::Geometry, NodeRole::Sample,
     "A transform, or a function that is applied to each sample."},
    {"batch", "Batch", Category::Tensor, NodeRole::Sample, "Makes a batch of samples."},
    {kFetchNode, "Fetch", Category::Source, NodeRole::Source,
     "The time in which the program waited for batches: the steps inside cannot be seen."},
    {kStepNode, "Training step", Category::Consumer, NodeRole::Consumer,
     "Takes the batches, as a training program does."},
};

NodeSpec specOf(const Kind& kind) {
  NodeSpec spec;
  spec.kind = kind.name;
  spec.label = kind.label;
  spec.help = kind.help;
  spec.category = kind.category;
  spec.role = kind.role;
  spec.infer = [](const Values&, const StreamType& in, InferContext&) { return in; };
  if (kind.role != NodeRole::Workers) return spec;
  ParamSpec count;
  count.name = "count";
  count.label = "Processes";
  count.unit = "processes";
  count.type = ParamType::Integer;
  count.defaultValue = std::int64_t{0};
  spec.params.push_back(std::move(count));
  return spec;
}

std::string kindOf(const std::string& step) {
  if (step == kFetchNode || step == kStepNode) return step;
  if (step.ends_with(kOwnCode)) return "dataset";
  switch (kindOfStep(step)) {
    case LimitKind::Decode: return "decode";
    case LimitKind::Read: return "read";
    case LimitKind::Batching: return "batch";
    default: return "transform";
  }
}

/// The data set calls the other steps, so it comes first. The plan has it last of those inside.
std::vector<std::string> inOrder(std::vector<std::string> steps) {
  std::stable_partition(steps.begin(), steps.end(),
                        [](const std::string& step) { return step.ends_with(kOwnCode); });
  return steps;
}

void append(Graph& graph, const std::string& id, std::string kind, ParamValues params = {}) {
  if (graph.node(id) != nullptr) return;
  GraphNode node;
  node.id = id;
  node.kind = std::move(kind);
  node.params = std::move(params);
  if (!graph.nodes.empty()) graph.wires.push_back({graph.nodes.back().id, node.id, {}});
  graph.nodes.push_back(std::move(node));
}

}  // namespace

const Catalog& loaderCatalog() {
  static const Catalog kCatalog = [] {
    Catalog catalog;
    for (const Kind& kind : kKinds) catalog.add(specOf(kind));
    return catalog;
  }();
  return kCatalog;
}

Graph loaderGraph(const PlanEvent& plan) {
  Graph graph;
  std::vector<std::string> steps;
  std::uint64_t workers = 0;
  for (const PlanEvent::Stage& stage : plan.stages) {
    if (stage.id == kWorkersStage) workers = stage.threads;
    for (const std::string& id : stage.nodes) steps.push_back(id);
  }
  if (workers > 0)
    append(graph, kWorkersStage, kWorkersStage,
           {{"count", Value{static_cast<std::int64_t>(workers)}}});
  for (const std::string& step : inOrder(std::move(steps))) append(graph, step, kindOf(step));
  return graph;
}

NodeNames loaderNames(const Graph& graph) {
  NodeNames names;
  for (const GraphNode& node : graph.nodes) {
    const NodeSpec* spec = loaderCatalog().find(node.kind);
    names[node.id] = {titleOf(node, spec), spec->category};
  }
  return names;
}

}  // namespace millrace
