// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/advice.h"
#include "core/graph/graph.h"

namespace millrace {

/// The document with an advice applied. An error if the advice is not an edit or does not fit this
/// document.
Result<Graph> applyAdvice(Graph graph, const Catalog& catalog, const Advice& advice);

}  // namespace millrace
