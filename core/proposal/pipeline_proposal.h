// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/proposal/folder_content.h"
#include "core/spec/source.h"

namespace millrace {

/// A pipeline for a person's own data.
struct PipelineProposal {
  Graph graph;
  std::string like;   ///< the shipped example that it follows
  std::string words;  ///< what was changed for this data, in sentences; empty: nothing
};

/// The shipped example for this layout with the folder as its data, crops no larger than the
/// pictures that were seen, and nothing that needs a number of classes that nobody knows. The error
/// says why there is none: the layout is not readable. `given` are parameters that a container's
/// source takes besides its paths.
Result<PipelineProposal> proposePipeline(const FolderContent& content, const Catalog& catalog,
                                         const Values& given = {});

/// Opens the source of a graph, as it is set there; relative paths start at `base`. The error says
/// why it cannot be opened.
Result<std::shared_ptr<const Source>> openSourceOf(const Graph& graph, const Catalog& catalog,
                                                   const std::filesystem::path& base = {});

}  // namespace millrace
