// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace millrace {

/// A parameter with different values; a side is absent if its node does not have the parameter.
struct ParamDiff {
  std::string param;
  std::optional<ParamValue> before;
  std::optional<ParamValue> after;
};

enum class NodeFate : std::uint8_t { Same, Changed, Added, Removed };

/// The difference of one node.
struct NodeDiff {
  NodeFate fate = NodeFate::Same;
  NodeId before;  ///< empty for an added node
  NodeId after;   ///< empty for a removed node; differs from `before` if renamed
  std::string kind;
  /// Changed parameters; for an added or removed node, those that differ from their default.
  std::vector<ParamDiff> params;
  NodeState stateBefore = NodeState::On;
  NodeState stateAfter = NodeState::On;
  /// Whether it has another position among the nodes that both documents have.
  bool moved = false;
  NodeId predecessorBefore;  ///< the previous node; empty at the beginning of a chain
  NodeId predecessorAfter;

  bool renamed() const { return fate == NodeFate::Changed && before != after; }
  /// The id to show: that of the later document, or of the earlier one for a removed node.
  const NodeId& id() const { return after.empty() ? before : after; }
};

/// Difference of two documents.
struct GraphDiff {
  /// All nodes: first those of `after` along its chain, then its loose nodes. A removed node is
  /// listed after its former predecessor.
  std::vector<NodeDiff> nodes;
  /// Wires that only one document has, with the ids of that document.
  std::vector<GraphWire> wiresAdded;
  std::vector<GraphWire> wiresRemoved;
  /// Those wires that added, removed, moved and renamed nodes do not explain.
  std::vector<GraphWire> loneWiresAdded;
  std::vector<GraphWire> loneWiresRemoved;
  std::uint64_t seedBefore = 0;
  std::uint64_t seedAfter = 0;

  bool same() const;
  std::size_t count(NodeFate fate) const;
};

/// Compares what runs: nodes, parameters (a missing one counts as its kind's default), states,
/// wires and the seed. Canvas positions, groups, comments and unknown keys are ignored. Nodes are
/// matched by id and kind; of the others, nodes of the same kind between the same neighbours count
/// as renamed. A node whose kind changed counts as removed and added. Also works for invalid
/// documents. Pure.
GraphDiff diffGraphs(const Graph& before, const Graph& after, const Catalog& catalog);

/// For users: the first line has counts ("1 node added, 2 changed", "the pipelines are the same"),
/// then one line for each difference: "+ cache  added after decode: limit 4000000000", "* workers
/// count 2 -> 6", "- flip  removed, was after crop". Lines are not wrapped.
std::vector<std::string> diffLines(const GraphDiff& diff);

/// For programs, as one line of JSON: `same nodes` (those that differ: `change` added, removed or
/// changed, `before` and `after` ids or null, `kind`, `params` (`param before after`), `state`
/// (`before after`) or null, `moved`, `renamed`) `wires_added wires_removed` (`from to`) `seed`
/// (`before after`) or null.
std::string diffJson(const GraphDiff& diff);

/// A parameter as a user would type it; empty text as "".
std::string shownParam(const std::optional<ParamValue>& value);

}  // namespace millrace
