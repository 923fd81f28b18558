// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/advice_edit.h"

#include <algorithm>

#include "core/graph/graph_edit.h"

namespace millrace {

namespace {

Result<Graph> addCache(Graph graph, const Catalog& catalog, const Advice& advice) {
  const auto wire = std::ranges::find(graph.wires, advice.node, &GraphWire::from);
  if (wire == graph.wires.end()) return Error{"nothing follows `" + advice.node + "`"};
  const NodeId next = wire->to;
  const auto cache = std::ranges::find(catalog.all(), NodeRole::Cache, &NodeSpec::role);
  if (cache == catalog.all().end()) return Error{"there is no kind of cache"};
  Result<AddedNode> added = addNode(std::move(graph), catalog, cache->kind);
  if (!added) return added.error();
  Result<Graph> edited = disconnectNodes(std::move(added->graph), advice.node, next);
  if (edited) edited = connectNodes(edited.take(), catalog, advice.node, added->id);
  if (edited) edited = connectNodes(edited.take(), catalog, added->id, next);
  if (edited) edited = applySetting(edited.take(), catalog, added->id + ".limit=" + advice.to);
  return edited;
}

}  // namespace

Result<Graph> applyAdvice(Graph graph, const Catalog& catalog, const Advice& advice) {
  switch (advice.edit) {
    case Advice::Edit::Parameter:
      return applySetting(std::move(graph), catalog,
                          advice.node + "." + advice.param + "=" + advice.to);
    case Advice::Edit::AddCache: return addCache(std::move(graph), catalog, advice);
    case Advice::Edit::Words: break;
  }
  return Error{"no edit of the pipeline does that: " + advice.text};
}

}  // namespace millrace
