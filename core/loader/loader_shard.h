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

/// The active shard node of the chain. The error says that there is none, or several, and what to
/// do.
Result<NodeId> shardNodeOf(const Graph& graph, const Catalog& catalog);

}  // namespace millrace
