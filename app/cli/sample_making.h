// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace millrace::cli {

/// Makes the generated data that a pipeline's `sample:NAME` paths ask for and that is not there
/// yet, and says so on standard error: the first run of an example takes a few seconds longer.
/// Ctrl+C stops it and leaves nothing half made.
Status makeSamplesFor(const Graph& graph);

}  // namespace millrace::cli
