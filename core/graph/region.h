// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/graph/graph.h"

namespace millrace {

/// A workers node and the nodes that run on its threads, in wire order
/// (docs/reference/regions-and-queues.md).
struct Region {
  NodeId head;
  std::vector<NodeId> members;  ///< without the workers node; may be empty

  bool operator==(const Region&) const = default;
};

/// The regions defined by the wires, also for unfinished documents. A region ends before the next
/// batch, prefetch, transfer, consumer or workers node. A bypassed node stays a member; a bypassed
/// workers node opens no region and a bypassed end ends none. If several wires leave a node, the
/// first one counts.
std::vector<Region> regionsOf(const Graph& graph, const Catalog& catalog);

}  // namespace millrace
