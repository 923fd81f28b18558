// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace millrace::cli {

/// Generates the missing data of a pipeline's `sample:NAME` paths, and says so on standard error:
/// the first run of an example takes a few seconds longer. Ctrl+C stops it and leaves no partial
/// data.
Status makeSamplesFor(const Graph& graph);

}  // namespace millrace::cli
