// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace millrace {

/// A parameter whose value is not the same; absent where the node does not have it.
struct ParamDiff {
  std::string param;
  std::optional<ParamValue> before;
  std::optional<ParamValue> after;
};

enum class NodeFate : std::uint8_t { Same, Changed, Added, Removed };

/// What became of one node.
struct NodeDiff {
  NodeFate fate = NodeFate::Same;
  NodeId before;  ///< empty for an added node
  NodeId after;   ///< empty for a removed node; not `before` when it was renamed
  std::string kind;
  /// Those that changed; of an added or removed node, those that are not at their default.
  std::vector<ParamDiff> params;
  NodeState stateBefore = NodeState::On;
  NodeState stateAfter = NodeState::On;
  /// Stands at another place among the nodes that both have.
  bool moved = false;
  NodeId behindBefore;  ///< the node in front of it, empty at the beginning of a chain
  NodeId behindAfter;

  bool renamed() const { return fate == NodeFate::Changed && before != after; }
  /// The id to call it by: that of the later document, of a removed node the earlier's.
  const NodeId& id() const { return after.empty() ? before : after; }
};

/// What turns one document into another.
struct GraphDiff {
  /// All nodes: those of `after` along its chain, then its loose ones; a removed node stands behind
  /// the one that it stood behind.
  std::vector<NodeDiff> nodes;
  /// All wires that one of them has alone. With the ids of the document that has them.
  std::vector<GraphWire> wiresAdded;
  std::vector<GraphWire> wiresRemoved;
  /// Those of them that added, removed, moved and renamed nodes do not explain.
  std::vector<GraphWire> loneWiresAdded;
  std::vector<GraphWire> loneWiresRemoved;
  std::uint64_t seedBefore = 0;
  std::uint64_t seedAfter = 0;

  bool same() const;
  std::size_t count(NodeFate fate) const;
};

/// Compares what runs: nodes, parameters (one that is left out is its kind's default), states,
/// wires and the seed. Places on the canvas, groups, comments and keys that nobody reads are left
/// out. Nodes belong together by id and kind; of the others, one of the same kind between the same
/// neighbours is taken for renamed. A node whose kind changed is removed and added. Works on
/// documents that are wrong, too; pure.
GraphDiff diffGraphs(const Graph& before, const Graph& after, const Catalog& catalog);

/// For a person: the first line counts ("1 node added, 2 changed", "the pipelines are the same"),
/// then one line a difference: "+ cache  added behind decode: limit 4000000000",
/// "* workers  count 2 -> 6", "- flip  removed, was behind crop". Of any length.
std::vector<std::string> diffLines(const GraphDiff& diff);

/// For a program: `same nodes` (those that differ: `change` added, removed or changed, `before`
/// and `after` ids or null, `kind`, `params` (`param before after`), `state` (`before after`) or
/// null, `moved`, `renamed`) `wires_added wires_removed` (`from to`) `seed` (`before after`) or
/// null. One line.
std::string diffJson(const GraphDiff& diff);

/// A parameter as a line shows it: as a person types it, empty text as "".
std::string shownParam(const std::optional<ParamValue>& value);

}  // namespace millrace
