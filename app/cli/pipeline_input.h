// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/loader/pipeline_request.h"

namespace CLI {
class App;
}

namespace millrace::cli {

/// The arguments by which every command names a pipeline; it may be `-`.
struct PipelineArguments : PipelineRequest {
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

/// Reads the document, from standard input too, and makes the generated data that it asks for.
/// Nothing: it could not be read, and `problems` says why.
std::optional<LoadedPipeline> loadPipeline(const PipelineArguments& arguments, Problems& problems);

/// Loads, checks with the data open, and plans. Nothing: `problems` says why.
std::optional<PreparedPipeline> preparePipeline(const PipelineArguments& arguments,
                                                Problems& problems);

/// The document as the store keeps it: with absolute paths, so that it means the same anywhere.
std::string keptText(const PreparedPipeline& prepared);

/// Prints problems to standard error, one each; errors with their remedy on a line of its own, and
/// once behind them how parameters are set.
void printProblems(const std::vector<Problem>& problems);

/// How a command line sets the parameters of nodes that errors are about; empty: none is about one.
std::string howToSet(const std::vector<Problem>& problems);

}  // namespace millrace::cli
