// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/open/pipeline_edits.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/graph/edit/graph_edit.h"
#include "core/graph/edit/graph_splice.h"
#include "core/spec/did_you_mean.h"

namespace millrace {

namespace {

/// The kind of consumer whose step takes a given time.
std::string stepKind(const Catalog& catalog) {
  for (const std::string& kind : catalog.kinds()) {
    const NodeSpec* spec = catalog.find(kind);
    if (spec->role == NodeRole::Consumer && spec->param("seconds") != nullptr) return kind;
  }
  return {};
}

/// The end of the wire that begins at `id`; empty if there is none.
NodeId after(const Graph& graph, const NodeId& id) {
  for (const GraphWire& wire : graph.wires)
    if (wire.from == id) return wire.to;
  return {};
}

Result<Graph> replaced(Graph graph, const Catalog& catalog, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    return Error{fmt::format("`{}` is not of the form NODE=KIND", text)};
  return replaceNode(std::move(graph), catalog, NodeId(text.substr(0, equals)),
                     text.substr(equals + 1));
}

Result<Graph> inserted(Graph graph, const Catalog& catalog, std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    return Error{fmt::format(
        "`{}` is not of the form KIND:AFTER, such as flip:decode for a flip after the node decode",
        text)};
  const NodeId before(text.substr(colon + 1));
  const std::string_view named = text.substr(0, colon);
  const std::size_t equals = named.find('=');
  const std::string_view kind = equals == std::string_view::npos ? named : named.substr(equals + 1);
  if (graph.node(before) == nullptr)
    return Error{fmt::format("there is no node `{}`; {}", before, didYouMean(before, graph.ids()))};
  const NodeId next = after(graph, before);
  Result<AddedNode> added = next.empty()
                                ? addNode(std::move(graph), catalog, kind)
                                : insertNode(std::move(graph), catalog, kind, before, next);
  if (!added) return added.error();
  Result<Graph> edited = std::move(added->graph);
  if (next.empty()) edited = connectNodes(edited.take(), catalog, before, added->id);
  if (edited && equals != std::string_view::npos)
    edited = renameNode(edited.take(), catalog, added->id, NodeId(named.substr(0, equals)));
  return edited;
}

Result<Graph> removed(Graph graph, const Catalog& catalog, std::string_view text) {
  return bridgeNode(std::move(graph), catalog, NodeId(text));
}

template <NodeState kState>
Result<Graph> switched(Graph graph, const Catalog& catalog, std::string_view text) {
  return setState(std::move(graph), catalog, NodeId(text), kState);
}

const auto& editKinds() {
  static constexpr std::array<PipelineEditKind, 5> kinds = {
      {{"replace", &PipelineEdits::replace, "NODE=KIND",
        "Use a node of another kind; parameters with equal names keep their values", replaced},
       {"insert", &PipelineEdits::insert, "[NODE=]KIND:AFTER",
        "Insert a node after another, such as flip:decode", inserted},
       {"remove", &PipelineEdits::remove, "NODE", "Remove a node", removed},
       {"on", &PipelineEdits::on, "NODE", "Switch a bypassed node on", switched<NodeState::On>},
       {"off", &PipelineEdits::off, "NODE", "Bypass a node", switched<NodeState::Bypass>}}};
  return kinds;
}

}  // namespace

bool PipelineEdits::any() const {
  return std::ranges::any_of(
      editKinds(), [this](const PipelineEditKind& kind) { return !(this->*kind.texts).empty(); });
}

std::span<const PipelineEditKind> pipelineEditKinds() { return editKinds(); }

Result<Graph> withStep(Graph graph, const Catalog& catalog, double seconds) {
  NodeId consumer;
  for (const GraphNode& node : graph.nodes)
    if (const NodeSpec* spec = catalog.find(node.kind);
        spec != nullptr && spec->role == NodeRole::Consumer)
      consumer = node.id;
  if (consumer.empty()) return Error{"the pipeline has no consumer that could become the step"};
  Result<Graph> edited = std::move(graph);
  if (const std::string kind = stepKind(catalog); edited->node(consumer)->kind != kind) {
    NodeId id = freeId(*edited, kind);
    edited = replaceNode(edited.take(), catalog, consumer, kind);
    if (edited) edited = renameNode(edited.take(), catalog, consumer, id);
    consumer = id;
  }
  if (edited)
    edited = setParameter(edited.take(), catalog, consumer, "preset", std::string("none"));
  if (edited) edited = setParameter(edited.take(), catalog, consumer, "seconds", seconds);
  return edited;
}

}  // namespace millrace
