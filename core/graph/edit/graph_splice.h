// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace millrace {

// Edits that keep a chain whole. Like those of graph_edit.h, pure functions that return the new
// document.

/// Removes a node and connects its neighbours.
Result<Graph> bridgeNode(Graph graph, const Catalog& catalog, const NodeId& id);
/// Makes the node one of `kind`. It keeps its id, wires and state, and the values of parameters
/// that both kinds have and accept; the others become defaults.
Result<Graph> replaceNode(Graph graph, const Catalog& catalog, const NodeId& id,
                          std::string_view kind);

}  // namespace millrace
