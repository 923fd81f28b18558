// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/graph/graph.h"
#include "core/spec/problem.h"

namespace millrace {

/// The values that a node of this kind runs with: those given, defaults for those left out and for
/// those that are wrong, which are reported. `index`: the node's place in the document.
Values completeValues(const GraphNode& node, std::size_t index, const NodeSpec& spec,
                      Problems& problems);

/// Reports what is wrong with the document itself: ids, keys that nobody knows.
void checkDocument(const Graph& graph, Problems& problems);

/// "did you mean `x`?", or else which there are.
std::string didYouMean(std::string_view word, const std::vector<std::string>& valid);

}  // namespace millrace
