// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/graph/graph.h"

namespace millrace {

/// A workers node and the nodes that run on its threads, in the order of the wires (CONTRACT §5).
struct Region {
  NodeId head;
  std::vector<NodeId> members;  ///< without the head; may be empty

  bool operator==(const Region&) const = default;
};

/// The regions that the wires make, also in documents that are not finished: each ends before the
/// next batch, prefetch, transfer, consumer or workers node. Bypassed nodes stay where they are; a
/// bypassed workers node opens nothing, a bypassed end ends nothing. Where several wires leave a
/// node the first counts.
std::vector<Region> regionsOf(const Graph& graph, const Catalog& catalog);

}  // namespace millrace
