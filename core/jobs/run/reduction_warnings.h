// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/measure/run_result.h"
#include "core/spec/node_spec.h"
#include "core/spec/problem.h"

namespace millrace {

/// What the run's decode nodes left out of the pictures, each once with its count: "37 pictures of
/// 800 samples have several pages: the first one is used". `source`: the kind of the run's source.
std::vector<Problem> reductionWarnings(const RunResult& result, const NodeSpec& source);

/// The kind of a source that can make each page of a picture a sample; empty if it cannot.
std::string_view kindWithPages(const NodeSpec& source);
std::string kindWithPages(const Graph& graph);

}  // namespace millrace
