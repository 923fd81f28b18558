// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/edit/graph_edit.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/spec/did_you_mean.h"

namespace millrace {

namespace {

Error noNode(const Graph& graph, std::string_view id) {
  return Error{fmt::format("there is no node `{}`; {}", id, didYouMean(id, graph.ids()))};
}

bool hasRole(const Graph& graph, const Catalog& catalog, const NodeId& id, NodeRole role) {
  const NodeSpec* spec = catalog.find(graph.node(id)->kind);
  return spec != nullptr && spec->role == role;
}

/// Whether wires lead from `from` to `to`; terminates even if a document has loops.
bool leadsTo(const Graph& graph, NodeId from, const NodeId& to) {
  for (std::size_t steps = 0; steps <= graph.wires.size(); ++steps) {
    if (from == to) return true;
    const auto wire = std::find_if(graph.wires.begin(), graph.wires.end(),
                                   [&](const GraphWire& w) { return w.from == from; });
    if (wire == graph.wires.end()) return false;
    from = wire->to;
  }
  return false;
}

Status mayConnect(const Graph& graph, const Catalog& catalog, const NodeId& from,
                  const NodeId& to) {
  if (graph.node(from) == nullptr) return noNode(graph, from);
  if (graph.node(to) == nullptr) return noNode(graph, to);
  for (const NodeId& end : {from, to})
    if (hasRole(graph, catalog, end, NodeRole::Choice))
      return Error{fmt::format("`{}` has no wires; it names its nodes", end)};
  if (hasRole(graph, catalog, to, NodeRole::Source))
    return Error{fmt::format("`{}` is a source and has no input", to)};
  if (hasRole(graph, catalog, from, NodeRole::Consumer))
    return Error{fmt::format("`{}` is a consumer and has no output", from)};
  for (const GraphWire& wire : graph.wires) {
    if (wire.from == from)
      return Error{fmt::format("`{}` is already connected to `{}`", from, wire.to)};
    if (wire.to == to)
      return Error{fmt::format("`{}` is already connected to `{}`", wire.from, to)};
  }
  if (leadsTo(graph, to, from))
    return Error{fmt::format("the wires would form a loop, because `{}` leads to `{}`", to, from)};
  return {};
}

/// The description of a node's kind; an error if the node or its kind is unknown.
Result<const NodeSpec*> specOf(const Graph& graph, const Catalog& catalog, const NodeId& id) {
  const GraphNode* node = graph.node(id);
  if (node == nullptr) return noNode(graph, id);
  const NodeSpec* spec = catalog.find(node->kind);
  if (spec == nullptr)
    return Error{
        fmt::format("`{}` is of kind `{}`, which this version does not have", id, node->kind)};
  return spec;
}

/// "; did you mean `workers.count`?" for "num_workers": the nodes with a parameter that is called
/// so here or in other frameworks. Empty if there is none.
std::string elsewhere(const Graph& graph, const Catalog& catalog, std::string_view name) {
  std::vector<std::string> meant;
  for (const GraphNode& node : graph.nodes)
    if (const NodeSpec* spec = catalog.find(node.kind))
      for (const ParamSpec& param : spec->params)
        if (param.name == name || isOtherName(spec->kind, param.name, name))
          meant.push_back(fmt::format("`{}.{}`", node.id, param.name));
  constexpr std::size_t kMost = 4;
  if (meant.empty() || meant.size() > kMost) return {};
  return "; did you mean " + join(meant, " or ") + "?";
}

Result<const ParamSpec*> paramOf(const Graph& graph, const Catalog& catalog, const NodeSpec& spec,
                                 const NodeId& id, std::string_view name) {
  const ParamSpec* param = spec.param(name);
  if (param != nullptr) return param;
  std::string hint;
  if (paramsLike(spec, name).empty()) hint = elsewhere(graph, catalog, name);
  return Error{fmt::format("`{}` has no parameter `{}`{}", id, name,
                           hint.empty() ? "; " + paramHint(spec, name) : hint)};
}

/// Calls `each` for every parameter that names nodes, with its value.
void forNodeIds(Graph& graph, const Catalog& catalog,
                const std::function<void(GraphNode&, TextList&)>& each) {
  for (GraphNode& node : graph.nodes) {
    const NodeSpec* spec = catalog.find(node.kind);
    if (spec == nullptr) continue;
    for (const ParamSpec& param : spec->params) {
      const auto given = node.params.find(param.name);
      if (!param.isNodes || given == node.params.end()) continue;
      Value* value = std::get_if<Value>(&given->second);
      TextList* ids = value == nullptr ? nullptr : std::get_if<TextList>(value);
      if (ids != nullptr) each(node, *ids);
    }
  }
}

/// Removes the number of one of `nodes` nodes from lists that have a number for each.
void dropNumber(GraphNode& node, std::size_t place, std::size_t nodes) {
  for (auto& [name, given] : node.params) {
    Value* value = std::get_if<Value>(&given);
    RealList* numbers = value == nullptr ? nullptr : std::get_if<RealList>(value);
    if (numbers != nullptr && numbers->size() == nodes)
      numbers->erase(numbers->begin() + static_cast<std::ptrdiff_t>(place));
  }
}

}  // namespace

Result<AddedNode> addNode(Graph graph, const Catalog& catalog, std::string_view kind) {
  const NodeSpec* spec = catalog.find(kind);
  if (spec == nullptr)
    return Error{fmt::format("there is no kind `{}`; {}", kind, kindHint(catalog, kind))};
  GraphNode node;
  node.id = freeId(graph, kind);
  node.kind = kind;
  for (const ParamSpec& param : spec->params) node.params[param.name] = param.defaultValue;
  NodeId id = node.id;
  graph.nodes.push_back(std::move(node));
  return AddedNode{std::move(graph), std::move(id)};
}

Result<Graph> removeNode(Graph graph, const Catalog& catalog, const NodeId& id) {
  if (graph.node(id) == nullptr) return noNode(graph, id);
  std::vector<NodeId> removed{id};
  forNodeIds(graph, catalog, [&](GraphNode& node, TextList& ids) {
    const auto found = std::ranges::find(ids, id);
    if (found == ids.end()) return;
    dropNumber(node, static_cast<std::size_t>(found - ids.begin()), ids.size());
    ids.erase(found);
    if (ids.empty()) removed.push_back(node.id);
  });
  std::erase_if(graph.nodes,
                [&](const GraphNode& node) { return std::ranges::count(removed, node.id) > 0; });
  std::erase_if(graph.wires, [&](const GraphWire& w) { return w.from == id || w.to == id; });
  return graph;
}

Result<Graph> connectNodes(Graph graph, const Catalog& catalog, const NodeId& from,
                           const NodeId& to) {
  MILLRACE_TRY(mayConnect(graph, catalog, from, to));
  graph.wires.push_back({from, to, {}});
  return graph;
}

Result<Graph> disconnectNodes(Graph graph, const NodeId& from, const NodeId& to) {
  const auto removed =
      std::erase_if(graph.wires, [&](const GraphWire& w) { return w.from == from && w.to == to; });
  if (removed == 0) return Error{fmt::format("no wire leads from `{}` to `{}`", from, to)};
  return graph;
}

Result<Graph> putBetween(Graph graph, const Catalog& catalog, const NodeId& id,
                         const NodeId& before, const NodeId& after) {
  Result<Graph> edited = disconnectNodes(std::move(graph), before, after);
  if (edited) edited = connectNodes(edited.take(), catalog, before, id);
  if (edited) edited = connectNodes(edited.take(), catalog, id, after);
  return edited;
}

Result<AddedNode> insertNode(Graph graph, const Catalog& catalog, std::string_view kind,
                             const NodeId& before, const NodeId& after) {
  Result<AddedNode> added = addNode(std::move(graph), catalog, kind);
  if (!added) return added;
  Result<Graph> edited = putBetween(std::move(added->graph), catalog, added->id, before, after);
  if (!edited) return edited.error();
  return AddedNode{edited.take(), std::move(added->id)};
}

Result<Graph> renameNode(Graph graph, const Catalog& catalog, const NodeId& id,
                         const NodeId& newId) {
  if (graph.node(id) == nullptr) return noNode(graph, id);
  if (!isNodeId(newId))
    return Error{fmt::format(
        "`{}` is not a valid id: start with a to z, then use a to z, 0 to 9, _ and -", newId)};
  if (id != newId && graph.node(newId) != nullptr)
    return Error{fmt::format("there is already a node `{}`", newId)};
  graph.node(id)->id = newId;
  for (GraphWire& wire : graph.wires) {
    if (wire.from == id) wire.from = newId;
    if (wire.to == id) wire.to = newId;
  }
  forNodeIds(graph, catalog,
             [&](GraphNode&, TextList& ids) { std::ranges::replace(ids, id, newId); });
  return graph;
}

Graph withNewIds(Graph graph, const Catalog& catalog, const NodeId& id,
                 const std::map<NodeId, NodeId>& newIds) {
  forNodeIds(graph, catalog, [&](GraphNode& node, TextList& ids) {
    if (node.id != id) return;
    for (std::size_t i = ids.size(); i-- > 0;) {
      const auto found = newIds.find(ids[i]);
      if (found != newIds.end()) {
        ids[i] = found->second;
        continue;
      }
      dropNumber(node, i, ids.size());
      ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(i));
    }
  });
  return graph;
}

Result<Graph> setState(Graph graph, const Catalog& catalog, const NodeId& id, NodeState state) {
  GraphNode* node = graph.node(id);
  if (node == nullptr) return noNode(graph, id);
  const NodeSpec* spec = catalog.find(node->kind);
  if (state == NodeState::Bypass && spec != nullptr && !spec->canBypass)
    return Error{fmt::format("a `{}` node cannot be bypassed", spec->kind)};
  node->state = state;
  return graph;
}

Result<Graph> setParameter(Graph graph, const Catalog& catalog, const NodeId& id,
                           std::string_view name, const Value& value) {
  const Result<const NodeSpec*> spec = specOf(graph, catalog, id);
  if (!spec) return spec.error();
  const Result<const ParamSpec*> param = paramOf(graph, catalog, **spec, id, name);
  if (!param) return param.error();
  Result<Value> typed = convertValue((*param)->type, value);
  if (!typed) return Error{fmt::format("{}.{}: {}", id, name, typed.error().message)};
  if (const auto wrong = (*param)->problemWith(*typed))
    return Error{fmt::format("{}.{}: {}", id, name, *wrong)};
  graph.node(id)->params[(*param)->name] = typed.take();
  return graph;
}

Result<Graph> applySetting(Graph graph, const Catalog& catalog, std::string_view setting) {
  const std::size_t equals = setting.find('=');
  const std::size_t dot = setting.substr(0, equals).find('.');
  if (equals == std::string_view::npos || dot == std::string_view::npos)
    return Error{fmt::format("`{}` is not of the form NODE.PARAM=VALUE{}", setting,
                             elsewhere(graph, catalog, setting.substr(0, equals)))};
  const NodeId id(setting.substr(0, dot));
  const std::string_view name = setting.substr(dot + 1, equals - dot - 1);
  const Result<const NodeSpec*> spec = specOf(graph, catalog, id);
  if (!spec) return spec.error();
  const Result<const ParamSpec*> param = paramOf(graph, catalog, **spec, id, name);
  if (!param) return param.error();
  const Result<Value> value = parseValue((*param)->type, setting.substr(equals + 1));
  const bool hasRange = (*param)->minimum || (*param)->maximum;
  if (!value)
    return Error{fmt::format("{}.{}: {}{}", id, name, value.error().message,
                             hasRange ? "; allowed: " + (*param)->allowed() : "")};
  return setParameter(std::move(graph), catalog, id, name, *value);
}

}  // namespace millrace
