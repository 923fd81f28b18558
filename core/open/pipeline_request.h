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
#include "core/open/pipeline_edits.h"

namespace millrace {

/// A pipeline as the user names it, with overrides of its document.
struct PipelineRequest {
  std::string pipeline;               ///< a file, or the name of an example
  std::vector<std::string> data;      ///< replaces the source's paths, in order
  std::vector<std::string> settings;  ///< NODE.PARAM=VALUE
  PipelineEdits edits;                ///< applied before data and settings
  std::optional<double> stepSeconds;  ///< withStep
  std::string base;                   ///< base of relative paths; empty: the file's folder
  std::optional<std::uint64_t> seed;  ///< replaces the document's seed
  bool noRandom = false;              ///< the centre of every random range; samples in source order
  bool noFuse = false;                ///< no fusion of nodes
  std::optional<std::string> document;  ///< replaces the document that `pipeline` names
};

/// A pipeline document with data, settings and seed applied.
struct LoadedPipeline {
  Graph graph;
  std::filesystem::path base;
};

/// A pipeline that is ready to run: checked, with its data open.
struct PreparedPipeline {
  Graph graph;
  Plan plan;
  std::filesystem::path base;
};

/// Reads the document and applies the overrides. On failure the result is empty and `problems` says
/// why, naming the command-line option at fault (`--data`, `--set`). Any thread.
std::optional<LoadedPipeline> loadRequest(const PipelineRequest& request, Problems& problems);

/// Checks the pipeline with its data open, and plans it; its batches must fit into the memory that
/// is free. On failure the result is empty and
/// `problems` says why. May generate the data of `sample:` paths. Any thread.
std::optional<PreparedPipeline> prepareLoaded(LoadedPipeline loaded, const PipelineRequest& request,
                                              const PlanOptions& plan, DeviceUse device,
                                              Problems& problems);

}  // namespace millrace
