// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/graph/graph.h"
#include "core/spec/problem.h"

namespace millrace {

/// The chain that runs, or the best guess at it: indices into `Graph::nodes` from the source to the
/// consumer, including bypassed nodes. Reports wires to unknown nodes, nodes with several inputs or
/// outputs, loops, a missing or second consumer, a chain without a source, and loose nodes (as
/// warnings, even if no wire leaves them).
std::vector<std::size_t> findChain(const Graph& graph, const Catalog& catalog, Problems& problems);

}  // namespace millrace
