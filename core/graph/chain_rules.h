// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/graph/checked_pipeline.h"
#include "core/spec/catalog.h"
#include "core/spec/problem.h"

namespace millrace {

/// The places that nodes may have in the chain: what no kind can see by itself, because it knows
/// only the stream that reaches it. `nodes` have the streams around them, as far as they could be
/// inferred; a place at which a kind has reported an error of its own is not reported twice.
/// `cores`: threads that the machine can run at once.
/// Remedies name kinds of `catalog`.
void checkPlaces(const std::vector<CheckedNode>& nodes, const Catalog& catalog, std::size_t cores,
                 Problems& problems);

}  // namespace millrace
