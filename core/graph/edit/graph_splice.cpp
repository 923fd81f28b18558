// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/edit/graph_splice.h"

#include <utility>

#include <fmt/format.h>

#include "core/graph/edit/graph_edit.h"
#include "core/spec/did_you_mean.h"

namespace millrace {

Result<Graph> bridgeNode(Graph graph, const Catalog& catalog, const NodeId& id) {
  NodeId before;
  NodeId after;
  for (const GraphWire& wire : graph.wires) {
    if (wire.to == id) before = wire.from;
    if (wire.from == id) after = wire.to;
  }
  Result<Graph> edited = removeNode(std::move(graph), catalog, id);
  if (!edited || before.empty() || after.empty()) return edited;
  return connectNodes(edited.take(), catalog, before, after);
}

Result<Graph> replaceNode(Graph graph, const Catalog& catalog, const NodeId& id,
                          std::string_view kind) {
  GraphNode* node = graph.node(id);
  if (node == nullptr)
    return Error{fmt::format("there is no node `{}`; {}", id, didYouMean(id, graph.ids()))};
  const NodeSpec* spec = catalog.find(kind);
  if (spec == nullptr)
    return Error{fmt::format("there is no kind `{}`; {}", kind, kindHint(catalog, kind))};
  const ParamValues old = std::exchange(node->params, {});
  node->kind = kind;
  if (!spec->canBypass) node->state = NodeState::On;
  for (const ParamSpec& param : spec->params) node->params[param.name] = param.defaultValue;
  for (const auto& [name, value] : old)
    if (const Value* known = std::get_if<Value>(&value); known != nullptr && spec->param(name))
      if (Result<Graph> kept = setParameter(graph, catalog, id, name, *known)) graph = kept.take();
  return graph;
}

}  // namespace millrace
