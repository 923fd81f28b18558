// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/graph_check.h"
#include "core/graph/plan.h"

namespace millrace {

/// A pipeline as a person names it, and what they want otherwise than it says.
struct PipelineRequest {
  std::string pipeline;                 ///< a file, or an example's name
  std::vector<std::string> data;        ///< in place of the source's paths, in order
  std::vector<std::string> settings;    ///< NODE.PARAM=VALUE
  std::string base;                     ///< where relative paths start; empty: at the file
  std::optional<std::uint64_t> seed;    ///< in place of the document's
  bool noRandom = false;                ///< centre of each draw, source order
  bool noFuse = false;                  ///< every node an operation of its own
  std::optional<std::string> document;  ///< this text in place of what `pipeline` names
};

/// A pipeline as its document says, with data, settings and seed applied.
struct LoadedPipeline {
  Graph graph;
  std::filesystem::path base;
};

/// A pipeline that runs: checked, with its data open.
struct PreparedPipeline {
  Graph graph;
  Plan plan;
  std::filesystem::path base;
};

/// Reads the document and applies the rest. Nothing: `problems` says why, naming what is at fault
/// as the command line calls it (`--data`, `--set`). Any thread.
std::optional<LoadedPipeline> loadRequest(const PipelineRequest& request, Problems& problems);

/// Checks with the data open, and plans. Nothing: `problems` says why. May make the generated data
/// of `sample:` paths. Any thread.
std::optional<PreparedPipeline> prepareLoaded(LoadedPipeline loaded, const PipelineRequest& request,
                                              const PlanOptions& plan, DeviceUse device,
                                              Problems& problems);

}  // namespace millrace
