// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/graph/graph_check.h"
#include "core/graph/plan.h"

namespace CLI {
class App;
}

namespace millrace::cli {

/// The arguments by which every command names a pipeline.
struct PipelineArguments {
  std::string pipeline;                 ///< a file, an example's name, or `-`
  std::vector<std::string> data;        ///< --data
  std::vector<std::string> settings;    ///< --set NODE.PARAM=VALUE
  std::string base;                     ///< --base
  std::optional<std::uint64_t> seed;    ///< --seed
  bool noRandom = false;                ///< --no-random
  bool noFuse = false;                  ///< --no-fuse
  std::optional<std::string> document;  ///< this text in place of what `pipeline` names

  void addTo(CLI::App& command);
  /// Of them those that say how a document is read, whichever it is: --seed --base --no-random
  /// --no-fuse.
  void addReadingTo(CLI::App& command);

  /// All of them as a shell takes them, " PIPELINE --data PATH ...": for commands that are
  /// suggested.
  std::string suggested() const;
  /// Without the pipeline's name.
  std::string suggestedFlags() const;
  /// Those of addReadingTo.
  std::string suggestedReading() const;
};

/// A pipeline as its document says, with --data, --set and --seed applied.
struct LoadedPipeline {
  Graph graph;
  std::filesystem::path base;
  Problems problems;  ///< of reading; warnings when the graph is sound
};

/// Reads the document. Nothing: it could not be read, and `problems` says why.
std::optional<LoadedPipeline> loadPipeline(const PipelineArguments& arguments, Problems& problems);

/// Loads, checks with the data open, and plans. Nothing: `problems` says why.
struct PreparedPipeline {
  Graph graph;
  Plan plan;
  std::filesystem::path base;
};
std::optional<PreparedPipeline> preparePipeline(const PipelineArguments& arguments,
                                                Problems& problems);

/// The document as the store keeps it: with absolute paths, so that it means the same anywhere.
std::string keptText(const PreparedPipeline& prepared);

/// Prints problems to standard error, one each; errors with their remedy on a line of its own.
void printProblems(const std::vector<Problem>& problems);

}  // namespace millrace::cli
