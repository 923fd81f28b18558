// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/graph/checked_pipeline.h"
#include "core/spec/catalog.h"
#include "core/spec/problem.h"

namespace millrace {

/// Reports nodes at a wrong place in the chain, which a kind cannot detect because it sees only its
/// input stream. `nodes` have their streams as far as they could be inferred; a node that has an
/// error already is not reported again. `cores`: number of threads that the machine runs at once.
/// `catalog` is used to name kinds in remedies.
void checkPlaces(const std::vector<CheckedNode>& nodes, const Catalog& catalog, std::size_t cores,
                 Problems& problems);

}  // namespace millrace
