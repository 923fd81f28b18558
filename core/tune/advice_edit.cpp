// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/advice_edit.h"

#include <algorithm>
#include <utility>

#include "core/graph/edit/graph_edit.h"

namespace millrace {

namespace {

Result<Graph> addCache(Graph graph, const Catalog& catalog, const Advice& advice) {
  const auto wire = std::ranges::find(graph.wires, advice.node, &GraphWire::from);
  if (wire == graph.wires.end()) return Error{"no node follows `" + advice.node + "`"};
  const NodeId next = wire->to;
  const auto cache = std::ranges::find(catalog.all(), NodeRole::Cache, &NodeSpec::role);
  if (cache == catalog.all().end()) return Error{"there is no cache node kind"};
  Result<AddedNode> added = insertNode(std::move(graph), catalog, cache->kind, advice.node, next);
  if (!added) return added.error();
  return applySetting(std::move(added->graph), catalog, added->id + ".limit=" + advice.to);
}

/// The neighbours of a node in the middle of the chain: the one before it and the one after it.
Result<std::pair<NodeId, NodeId>> neighboursOf(const Graph& graph, const NodeId& id) {
  const auto in = std::ranges::find(graph.wires, id, &GraphWire::to);
  const auto out = std::ranges::find(graph.wires, id, &GraphWire::from);
  if (in == graph.wires.end() || out == graph.wires.end())
    return Error{"`" + id + "` is not in the middle of the pipeline"};
  return std::pair(in->from, out->to);
}

Result<Graph> moveNode(Graph graph, const Catalog& catalog, const Advice& advice) {
  MILLRACE_ASSIGN_OR_RETURN(const auto from, neighboursOf(graph, advice.node));
  const auto [before, after] = from;
  Result<Graph> edited = disconnectNodes(std::move(graph), before, advice.node);
  if (edited) edited = disconnectNodes(edited.take(), advice.node, after);
  if (edited) edited = connectNodes(edited.take(), catalog, before, after);
  if (!edited) return edited;
  MILLRACE_ASSIGN_OR_RETURN(const auto to, neighboursOf(*edited, advice.to));
  return putBetween(edited.take(), catalog, advice.node, to.first, advice.to);
}

}  // namespace

Result<Graph> applyAdvice(Graph graph, const Catalog& catalog, const Advice& advice) {
  switch (advice.edit) {
    case Advice::Edit::Parameter:
      return applySetting(std::move(graph), catalog,
                          advice.node + "." + advice.param + "=" + advice.to);
    case Advice::Edit::AddCache: return addCache(std::move(graph), catalog, advice);
    case Advice::Edit::MoveNode: return moveNode(std::move(graph), catalog, advice);
    case Advice::Edit::Words: break;
  }
  return Error{"this advice is not an edit of the pipeline: " + advice.text};
}

}  // namespace millrace
