// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "core/graph/checked_pipeline.h"
#include "core/graph/graph.h"
#include "core/spec/problem.h"

namespace millrace {

/// CheckedNode::choice of the nodes that the document's choice nodes name. Reports what is wrong
/// with these. A bypassed choice has no effect: every sample passes its nodes.
std::map<NodeId, NodeChoice> choicesOf(const Graph& graph, const Catalog& catalog,
                                       Problems& problems);

/// Notes that the stream after such a node is random. For each node, after its stream is inferred.
void noteChoice(CheckedNode& node);

/// Reports nodes of choices that are not in the chain or that samples cannot skip, and choices
/// whose nodes do not follow each other.
void checkChoices(const std::map<NodeId, NodeChoice>& choices,
                  const std::vector<CheckedNode>& nodes, Problems& problems);

}  // namespace millrace
