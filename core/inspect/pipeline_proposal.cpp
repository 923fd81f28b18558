// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/pipeline_proposal.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/graph/graph_edit.h"
#include "core/graph/graph_json.h"
#include "core/open/examples.h"

namespace millrace {

namespace {

std::string_view exampleFor(const FolderContent& content) {
  switch (content.layout) {
    case DataLayout::Pairs: return content.scale > 1 ? "super-resolution" : "deblurring";
    case DataLayout::Masks: return "segmentation";
    case DataLayout::Container:
      if (content.paths.size() < 2) return "classification";
      return content.masks ? "segmentation" : "deblurring";
    default: return "classification";
  }
}

/// Rounds down to a multiple of 8, which convolutions handle well.
std::int64_t roundedDown(int side) { return side >= 16 ? side / 8 * 8 : side; }

/// Shrinks crops to the smallest picture: a crop larger than a picture fails the sample.
Status fitCrops(PipelineProposal& proposal, const Catalog& catalog, const Size& least) {
  if (least.width <= 0 || least.height <= 0) return {};
  for (const GraphNode& node : Graph(proposal.graph).nodes) {
    const NodeSpec* spec = catalog.find(node.kind);
    // A resizing node takes pictures of any size.
    if (spec == nullptr || spec->category != Category::Geometry || spec->param("filter")) continue;
    for (const auto& [name, room] : {std::pair("width", least.width), {"height", least.height}}) {
      const auto param = node.params.find(name);
      const Value* value =
          param == node.params.end() ? nullptr : std::get_if<Value>(&param->second);
      const auto* side = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
      if (side == nullptr || *side <= room) continue;
      MILLRACE_ASSIGN_OR_RETURN(proposal.graph, setParameter(proposal.graph, catalog, node.id, name,
                                                             Value{roundedDown(room)}));
      proposal.notes +=
          fmt::format("{} is {} px {}, because the smallest picture found has {}. ", spec->label,
                      roundedDown(room), std::string_view(name) == "width" ? "wide" : "high", room);
    }
  }
  return {};
}

/// Bypasses one-hot masks, because the number of classes is unknown.
Status leaveIndices(PipelineProposal& proposal, const Catalog& catalog) {
  for (const GraphNode& node : Graph(proposal.graph).nodes) {
    const NodeSpec* spec = catalog.find(node.kind);
    if (spec == nullptr || !spec->canBypass || !spec->param("classes") ||
        spec->role == NodeRole::Source)
      continue;
    MILLRACE_ASSIGN_OR_RETURN(proposal.graph,
                              setState(proposal.graph, catalog, node.id, NodeState::Bypass));
    proposal.notes += fmt::format(
        "Masks remain class indices: to convert them, set the number of classes of {} and switch "
        "it on (B). ",
        spec->label);
  }
  return {};
}

/// Removes a node and connects its neighbours.
void dropNode(Graph& graph, const NodeId& id) {
  NodeId before;
  NodeId after;
  for (const GraphWire& wire : graph.wires) {
    if (wire.to == id) before = wire.from;
    if (wire.from == id) after = wire.to;
  }
  std::erase_if(graph.nodes, [&](const GraphNode& node) { return node.id == id; });
  std::erase_if(graph.wires, [&](const GraphWire& w) { return w.from == id || w.to == id; });
  if (before.empty() || after.empty()) return;
  GraphWire joined;
  joined.from = before;
  joined.to = after;
  graph.wires.push_back(joined);
}

/// Replaces the example's source by the container's, and removes the nodes that its samples do not
/// need.
Status takeContainer(PipelineProposal& proposal, const Catalog& catalog,
                     const FolderContent& content, const Values& given) {
  const NodeSpec* spec = catalog.find(content.format->name);
  if (spec == nullptr) return Error{content.description};
  Graph& graph = proposal.graph;
  const auto source = std::find_if(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
    const NodeSpec* kind = catalog.find(node.kind);
    return kind != nullptr && kind->role == NodeRole::Source;
  });
  MILLRACE_CHECK(source != graph.nodes.end(), "every example has a source");
  MILLRACE_ASSIGN_OR_RETURN(auto renamed, renameNode(graph, source->id, freeId(graph, spec->kind)));
  const auto place = source - graph.nodes.begin();
  graph = std::move(renamed);
  GraphNode& node = graph.nodes[static_cast<std::size_t>(place)];
  node.kind = spec->kind;
  node.params.clear();
  Values values = spec->defaults();
  for (const auto& [name, value] : given) values[name] = value;
  values["paths"] = TextList{content.paths.front().native()};
  if (content.paths.size() > 1) values["targets"] = content.paths.back().native();
  if (content.masks) values["pair_role"] = std::string("mask");
  for (const auto& [name, value] : values) node.params[name] = value;
  BuildContext context;
  context.node = node.id;
  MILLRACE_ASSIGN_OR_RETURN(const auto opened, spec->source(values, context));
  bool pictures = false;
  bool files = false;
  for (const FieldSpec& field : opened->fields()) {
    pictures = pictures || isPicture(field.role);
    files = files || (isPicture(field.role) && field.dtype == DType::Encoded);
  }
  for (const GraphNode& other : Graph(graph).nodes) {
    const NodeSpec* kind = catalog.find(other.kind);
    if (kind == nullptr) continue;
    const bool works = kind->category == Category::Geometry || kind->category == Category::Colour ||
                       kind->category == Category::Tensor;
    if ((works && !pictures) || (kind->category == Category::Decode && !files))
      dropNode(graph, other.id);
  }
  if (!pictures)
    proposal.notes += "Samples contain no pictures, so the pipeline does not process them. ";
  return {};
}

}  // namespace

Result<PipelineProposal> proposePipeline(const FolderContent& content, const Catalog& catalog,
                                         const Values& given) {
  if (!isReadable(content)) return Error{content.description};
  PipelineProposal proposal;
  proposal.like = exampleFor(content);
  ReadGraph read = parseGraph(*exampleJson(proposal.like), catalog);
  MILLRACE_CHECK(read.graph.has_value(), "the shipped examples are valid");
  std::vector<std::string> paths;
  for (const auto& path : content.paths) paths.push_back(path.native());
  if (content.layout == DataLayout::Container) {
    proposal.graph = std::move(*read.graph);
    MILLRACE_TRY(takeContainer(proposal, catalog, content, given));
  } else {
    MILLRACE_ASSIGN_OR_RETURN(proposal.graph, applyData(std::move(*read.graph), catalog, paths));
  }
  MILLRACE_TRY(fitCrops(proposal, catalog, content.least));
  if (content.layout == DataLayout::Masks || content.masks)
    MILLRACE_TRY(leaveIndices(proposal, catalog));
  if (!proposal.notes.empty()) proposal.notes.pop_back();
  return proposal;
}

Result<std::shared_ptr<const Source>> openSourceOf(const Graph& graph, const Catalog& catalog,
                                                   const std::filesystem::path& base) {
  for (const GraphNode& node : graph.nodes) {
    const NodeSpec* spec = catalog.find(node.kind);
    if (spec == nullptr || spec->role != NodeRole::Source) continue;
    Values values = spec->defaults();
    for (const auto& [name, param] : node.params)
      if (const Value* value = std::get_if<Value>(&param)) values[name] = *value;
    BuildContext context;
    context.node = node.id;
    context.base = base;
    return spec->source(values, context);
  }
  return Error{"the pipeline has no source"};
}

}  // namespace millrace
