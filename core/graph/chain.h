// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/graph/graph.h"
#include "core/spec/problem.h"

namespace millrace {

/// The chain that runs, or the best guess at it: places in `Graph::nodes` from the source to the
/// consumer, bypassed nodes included. Reports wires that lead nowhere, nodes with several inputs or
/// outputs, loops, a missing or a second consumer, a chain without source, and loose nodes (as
/// warnings, also when they end in nothing).
std::vector<std::size_t> findChain(const Graph& graph, const Catalog& catalog, Problems& problems);

}  // namespace millrace
