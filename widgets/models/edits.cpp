// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/edits.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <QJsonObject>

#include "core/graph/json/graph_json.h"
#include "widgets/common/strings.h"
#include "widgets/models/json_values.h"

namespace millrace {

namespace {

const GraphWire* wireInto(const Graph& graph, const NodeId& id) {
  const auto wire = std::ranges::find(graph.wires, id, &GraphWire::to);
  return wire == graph.wires.end() ? nullptr : &*wire;
}

const GraphWire* wireOutOf(const Graph& graph, const NodeId& id) {
  const auto wire = std::ranges::find(graph.wires, id, &GraphWire::from);
  return wire == graph.wires.end() ? nullptr : &*wire;
}

}  // namespace

std::optional<NodeId> nodeAfter(const Graph& graph, const NodeId& id) {
  const GraphWire* wire = wireOutOf(graph, id);
  if (wire == nullptr) return std::nullopt;
  return wire->to;
}

Result<Graph> connectReplacing(Graph graph, const Catalog& catalog, const NodeId& from,
                               const NodeId& to) {
  for (const GraphWire& wire : graph.wires)
    if (wire.from == from && wire.to == to)
      return Error{fmt::format("`{}` already leads to `{}`", from, to)};
  std::erase_if(graph.wires, [&](const GraphWire& w) { return w.from == from || w.to == to; });
  return connectNodes(std::move(graph), catalog, from, to);
}

Result<AddedNode> addNodeAt(Graph graph, const Catalog& catalog, std::string_view kind,
                            QPointF place) {
  Result<AddedNode> added = addNode(std::move(graph), catalog, kind);
  if (added) setPlace(*added->graph.node(added->id), place);
  return added;
}

AddedNode withinCores(AddedNode added, const Catalog& catalog, unsigned cores) {
  const NodeSpec* spec = catalog.find(added.graph.node(added.id)->kind);
  if (spec == nullptr) return added;
  for (const ParamSpec& param : spec->params) {
    const auto* threads = std::get_if<std::int64_t>(&param.defaultValue);
    if (param.unit != "threads" || threads == nullptr || *threads <= cores) continue;
    Result<Graph> set = setParameter(added.graph, catalog, added.id, param.name,
                                     Value{static_cast<std::int64_t>(cores)});
    if (set) added.graph = set.take();
  }
  return added;
}

Result<Graph> insertOnWire(Graph graph, const Catalog& catalog, const NodeId& id,
                           const WireKey& wire) {
  Result<Graph> cut = disconnectNodes(std::move(graph), wire.from, wire.to);
  if (!cut) return cut;
  Result<Graph> first = connectNodes(cut.take(), catalog, wire.from, id);
  if (!first) return first;
  return connectNodes(first.take(), catalog, id, wire.to);
}

Graph removeNodes(Graph graph, const Catalog& catalog, const std::vector<NodeId>& ids,
                  Healing healing) {
  for (const NodeId& id : ids) {
    const GraphWire* in = wireInto(graph, id);
    const GraphWire* out = wireOutOf(graph, id);
    const NodeId before = in == nullptr ? NodeId() : in->from;
    const NodeId follower = out == nullptr ? NodeId() : out->to;
    Result<Graph> removed = removeNode(graph, catalog, id);
    if (!removed) continue;
    graph = removed.take();
    if (healing == Healing::Cut || before.empty() || follower.empty()) continue;
    Result<Graph> healed = connectNodes(graph, catalog, before, follower);
    if (healed) graph = healed.take();
  }
  return graph;
}

Result<Graph> toggleBypass(Graph graph, const Catalog& catalog, const std::vector<NodeId>& ids) {
  const bool allBypassed = std::ranges::all_of(ids, [&](const NodeId& id) {
    const GraphNode* node = graph.node(id);
    return node != nullptr && node->state == NodeState::Bypass;
  });
  for (const NodeId& id : ids) {
    Result<Graph> set =
        setState(std::move(graph), catalog, id, allBypassed ? NodeState::On : NodeState::Bypass);
    if (!set) return set;
    graph = set.take();
  }
  return graph;
}

namespace {

constexpr const char* kInsteadOf = "instead_of";

/// The consumer kind that has no required settings.
const NodeSpec* plainConsumer(const Catalog& catalog) {
  for (const NodeSpec& spec : catalog.all())
    if (spec.role == NodeRole::Consumer && spec.params.empty()) return &spec;
  return nullptr;
}

/// `next` takes over the place and wires of `id`; the document's order of nodes stays.
AddedNode exchange(Graph graph, const NodeId& id, GraphNode next) {
  *graph.node(id) = next;
  for (GraphWire& wire : graph.wires)
    if (wire.to == id) wire.to = next.id;
  return {std::move(graph), next.id};
}

}  // namespace

Result<AddedNode> togglePlainConsumer(Graph graph, const Catalog& catalog, const NodeId& id) {
  const GraphNode* node = graph.node(id);
  const NodeSpec* spec = node == nullptr ? nullptr : catalog.find(node->kind);
  const NodeSpec* plain = plainConsumer(catalog);
  if (spec == nullptr || spec->role != NodeRole::Consumer || plain == nullptr)
    return Error{fmt::format("`{}` is not a consumer", id)};
  QJsonObject ui = objectOf(node->ui);
  if (spec == plain) {
    const QString kept = ui[kInsteadOf].toString();
    if (kept.isEmpty())
      return Error{fmt::format("`{}` replaces no other consumer; add one instead", id)};
    const ReadGraph read = parseGraph(kept.toStdString(), catalog);
    if (!read.graph || read.graph->nodes.size() != 1)
      return Error{fmt::format("the consumer that `{}` replaced cannot be read", id)};
    GraphNode back = read.graph->nodes.front();
    if (graph.node(back.id) != nullptr) back.id = freeId(graph, back.kind);
    if (const auto place = placeOf(*node)) setPlace(back, *place);
    return exchange(std::move(graph), id, std::move(back));
  }
  Result<AddedNode> fresh = addNode(Graph{}, catalog, plain->kind);
  if (!fresh) return fresh;
  GraphNode next = fresh->graph.nodes.front();
  next.id = freeId(graph, plain->kind);
  ui[kInsteadOf] = toQt(copyText(graph, catalog, {id}));
  next.ui = rawOf(ui);
  return exchange(std::move(graph), id, std::move(next));
}

std::string copyText(const Graph& graph, const Catalog& catalog, const std::vector<NodeId>& ids) {
  const std::set<NodeId> chosen(ids.begin(), ids.end());
  Graph part;
  part.seed = graph.seed;
  for (const GraphNode& node : graph.nodes)
    if (chosen.contains(node.id)) part.nodes.push_back(node);
  for (const GraphWire& wire : graph.wires)
    if (chosen.contains(wire.to)) part.wires.push_back(wire);
  return graphText(part, catalog);
}

Result<Pasted> paste(Graph graph, const Catalog& catalog, std::string_view text, QPointF offset,
                     Incoming incoming) {
  ReadGraph read = parseGraph(text, catalog);
  if (!read.graph || read.graph->nodes.empty())
    return Error{"the clipboard contains no nodes; copy some first"};
  if (graph.nodes.size() + read.graph->nodes.size() > kMaxGraphNodes)
    return Error{fmt::format("a pipeline can have at most {} nodes", kMaxGraphNodes)};
  Pasted pasted{std::move(graph), {}};
  std::map<NodeId, NodeId> renamed;
  for (GraphNode node : read.graph->nodes) {
    const NodeId old = node.id;
    node.id = freeId(pasted.graph, isNodeId(node.kind) ? node.kind : std::string("node"));
    if (const auto place = placeOf(node)) setPlace(node, *place + offset);
    renamed[old] = node.id;
    pasted.ids.push_back(node.id);
    pasted.graph.nodes.push_back(std::move(node));
  }
  for (const NodeId& id : pasted.ids)
    pasted.graph = withNewIds(std::move(pasted.graph), catalog, id, renamed);
  for (const GraphWire& wire : read.graph->wires) {
    const auto to = renamed.find(wire.to);
    if (to == renamed.end()) continue;
    const auto from = renamed.find(wire.from);
    if (from == renamed.end() && incoming == Incoming::Drop) continue;
    Result<Graph> connected = connectNodes(
        pasted.graph, catalog, from == renamed.end() ? wire.from : from->second, to->second);
    if (connected) pasted.graph = connected.take();
  }
  return pasted;
}

}  // namespace millrace
