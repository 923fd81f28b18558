// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace millrace {

/// Names of the generated data that the document's `sample:NAME` paths ask for, sorted, each once.
std::vector<std::string> sampleNeeds(const Graph& graph);
/// Those of them that are not made yet (hasSampleData).
std::vector<std::string> missingSamples(const Graph& graph);
/// The document with the data `name` read from `folder` in place of `sample:NAME`.
Graph withSamplesIn(Graph graph, const std::string& name, const std::filesystem::path& folder);

}  // namespace millrace
