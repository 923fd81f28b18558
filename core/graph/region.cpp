// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/region.h"

#include <map>
#include <set>

namespace millrace {

namespace {

bool endsRegion(NodeRole role) {
  return role == NodeRole::Batch || role == NodeRole::Prefetch || role == NodeRole::Transfer ||
         role == NodeRole::Consumer || role == NodeRole::Workers;
}

/// The role of a node that takes part; nothing where the kind is unknown or the node is bypassed.
const NodeSpec* acting(const GraphNode& node, const Catalog& catalog) {
  return node.state == NodeState::On ? catalog.find(node.kind) : nullptr;
}

}  // namespace

std::vector<Region> regionsOf(const Graph& graph, const Catalog& catalog) {
  std::map<NodeId, const GraphNode*> nodes;
  for (const GraphNode& node : graph.nodes) nodes.emplace(node.id, &node);
  std::map<NodeId, NodeId> behind;
  for (const GraphWire& wire : graph.wires) behind.emplace(wire.from, wire.to);

  std::vector<Region> regions;
  for (const auto& [id, node] : nodes) {
    const NodeSpec* spec = acting(*node, catalog);
    if (spec == nullptr || spec->role != NodeRole::Workers) continue;
    Region region{id, {}};
    std::set<NodeId> seen{id};
    for (auto next = behind.find(id); next != behind.end(); next = behind.find(next->second)) {
      const auto member = nodes.find(next->second);
      if (member == nodes.end() || !seen.insert(member->first).second) break;
      const NodeSpec* kind = acting(*member->second, catalog);
      if (kind != nullptr && endsRegion(kind->role)) break;
      region.members.push_back(member->first);
    }
    regions.push_back(std::move(region));
  }
  return regions;
}

}  // namespace millrace
