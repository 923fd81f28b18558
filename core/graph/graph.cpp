// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/graph.h"

#include <algorithm>

namespace millrace {

std::string_view nameOf(NodeState state) { return state == NodeState::On ? "on" : "bypass"; }

Value valueOf(const GraphNode& node, const ParamSpec& param) {
  const auto given = node.params.find(param.name);
  if (given == node.params.end()) return param.defaultValue;
  const auto* value = std::get_if<Value>(&given->second);
  return value == nullptr ? param.defaultValue : *value;
}

bool isUsed(const GraphNode& node, const NodeSpec& kind, const ParamSpec& param) {
  if (!param.usedWith) return true;
  const ParamSpec* other = kind.param(param.usedWith->param);
  return other == nullptr || param.usedWith->isMet(*other, valueOf(node, *other));
}

std::vector<NodeId> namedNodes(const Graph& graph, const GraphNode& node, const NodeSpec& kind) {
  std::vector<NodeId> named;
  for (const ParamSpec& param : kind.params) {
    if (!param.isNodes) continue;
    const Value ids = valueOf(node, param);
    for (const NodeId& id : std::get<TextList>(ids))
      if (graph.node(id) != nullptr) named.push_back(id);
  }
  return named;
}

const GraphNode* Graph::node(std::string_view id) const {
  const auto found = std::find_if(nodes.begin(), nodes.end(),
                                  [&](const GraphNode& node) { return node.id == id; });
  return found == nodes.end() ? nullptr : &*found;
}

GraphNode* Graph::node(std::string_view id) {
  return const_cast<GraphNode*>(static_cast<const Graph*>(this)->node(id));
}

std::vector<NodeId> Graph::ids() const {
  std::vector<NodeId> ids;
  for (const GraphNode& node : nodes) ids.push_back(node.id);
  return ids;
}

bool isNodeId(std::string_view id) {
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto allowed = [&](char c) {
    return lower(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !id.empty() && lower(id.front()) && std::all_of(id.begin(), id.end(), allowed);
}

NodeId freeId(const Graph& graph, std::string_view kind) {
  NodeId id(kind);
  for (int i = 2; graph.node(id) != nullptr; ++i) id = std::string(kind) + "_" + std::to_string(i);
  return id;
}

}  // namespace millrace
