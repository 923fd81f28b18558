// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace millrace {

/// Which part of the data a process takes.
struct LoaderShard {
  std::uint32_t rank = 0;
  std::uint32_t world = 1;
};

/// Sets the pipeline's shard node, and puts one behind its other order nodes where there is none.
/// The error says why not: no source, a rank beyond the world.
Result<Graph> withShard(Graph graph, const Catalog& catalog, const LoaderShard& shard);

/// The one node of the chain that is on and keeps a process's part. The error: there is none, or
/// several, and what to do.
Result<NodeId> shardNodeOf(const Graph& graph, const Catalog& catalog);

}  // namespace millrace
