// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/graph/graph_edit.h"

namespace millrace {

/// A node of `kind` between two that a wire connects.
Result<AddedNode> insertNode(Graph graph, const Catalog& catalog, std::string_view kind,
                             const NodeId& before, const NodeId& behind);

}  // namespace millrace
