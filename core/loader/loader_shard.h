// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace millrace {

/// The part of the data that a process reads.
struct LoaderShard {
  std::uint32_t rank = 0;
  std::uint32_t world = 1;
};

/// Sets the pipeline's shard node, or inserts one after the last order node if there is none.
/// Errors: the pipeline has no source, or the rank is not below the world size.
Result<Graph> withShard(Graph graph, const Catalog& catalog, const LoaderShard& shard);

/// How a pipeline's order is divided among processes. Value type.
struct OrderDivision {
  std::uint64_t world = 1;  ///< 1: not divided
  /// An order node after the shard node; empty if there is none. Then the samples that the
  /// processes have delivered are not the beginning of one order.
  NodeId after;
};

/// Looks at the active nodes of the chain.
OrderDivision divisionOf(const Graph& graph, const Catalog& catalog);

/// Whether nodes of this kind divide the data among processes.
bool isShard(const NodeSpec& spec);

/// The active shard node of the chain. The error says that there is none, or several, and what to
/// do.
Result<NodeId> shardNodeOf(const Graph& graph, const Catalog& catalog);

}  // namespace millrace
