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

/// The kind of a node that takes part; nullptr if the kind is unknown or the node is bypassed.
const NodeSpec* acting(const GraphNode& node, const Catalog& catalog) {
  return node.state == NodeState::On ? catalog.find(node.kind) : nullptr;
}

}  // namespace

std::vector<Region> regionsOf(const Graph& graph, const Catalog& catalog) {
  std::map<NodeId, const GraphNode*> nodes;
  for (const GraphNode& node : graph.nodes) nodes.emplace(node.id, &node);
  std::map<NodeId, NodeId> successor;
  for (const GraphWire& wire : graph.wires) successor.emplace(wire.from, wire.to);

  std::vector<Region> regions;
  for (const auto& [id, node] : nodes) {
    const NodeSpec* spec = acting(*node, catalog);
    if (spec == nullptr || spec->role != NodeRole::Workers) continue;
    Region region{id, {}};
    std::set<NodeId> seen{id};
    for (auto next = successor.find(id); next != successor.end();
         next = successor.find(next->second)) {
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
