// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/inspect/folder_content.h"
#include "core/spec/source.h"

namespace millrace {

/// A proposed pipeline for a user's data.
struct PipelineProposal {
  Graph graph;
  std::string like;   ///< name of the shipped example it is based on
  std::string notes;  ///< adaptations to the data, in sentences; empty: none
  /// The graph is the example with other data paths: `millrace run EXAMPLE --data PATH...`.
  bool isExample = false;
};

/// What becomes of labels that are lists of classes.
enum class ListsOfClasses : std::uint8_t {
  Vector,   ///< they are read, and a node makes vectors of them
  LeaveOut  ///< for those who use the source alone: samples must be alike
};

/// The shipped example for this layout, with the folder as its data, crops no larger than the
/// smallest picture found, and without operations that need an unknown number of classes. The error
/// says why there is no proposal: the layout is not readable or its source cannot be opened.
/// `given` holds parameters for a container's source besides its paths.
Result<PipelineProposal> proposePipeline(const FolderContent& content, const Catalog& catalog,
                                         const Values& given = {},
                                         ListsOfClasses lists = ListsOfClasses::Vector);

/// Opens the graph's source with its parameters; relative paths start at `base`. The error says why
/// it cannot be opened.
Result<std::shared_ptr<const Source>> openSourceOf(const Graph& graph, const Catalog& catalog,
                                                   const std::filesystem::path& base = {});

}  // namespace millrace
