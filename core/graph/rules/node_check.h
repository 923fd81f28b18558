// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/graph/graph.h"
#include "core/spec/problem.h"

namespace millrace {

/// The values that a node of this kind runs with: the given ones, and defaults for missing ones and
/// for wrong ones, which are reported. `index`: the node's index in the document.
Values completeValues(const GraphNode& node, std::size_t index, const NodeSpec& spec,
                      Problems& problems);

/// Reports problems of the document itself: ids and unknown keys.
void checkDocument(const Graph& graph, Problems& problems);

}  // namespace millrace
