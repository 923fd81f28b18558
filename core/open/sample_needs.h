// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace millrace {

/// The names of generated data in the document's `sample:NAME` paths, sorted, without duplicates.
std::vector<std::string> sampleNeeds(const Graph& graph);
/// Those whose data is not generated yet (hasSampleData).
std::vector<std::string> missingSamples(const Graph& graph);
/// The document with every `sample:NAME` path of data `name` replaced by a path in `folder`.
Graph withSamplesIn(Graph graph, const std::string& name, const std::filesystem::path& folder);

}  // namespace millrace
