// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/open/pipeline_request.h"

namespace CLI {
class App;
}

namespace millrace::cli {

/// The arguments that name a pipeline in every command; the pipeline may be `-`.
struct PipelineArguments : PipelineRequest {
  void addTo(CLI::App& command);
  /// Adds only those that affect how any document is read: --seed --base --no-random --no-fuse.
  void addReadingTo(CLI::App& command);
  /// Adds only those that change nodes: --replace --insert --remove --on --off --step. `side`
  /// precedes the form of each: "[A:|B:]".
  void addEditsTo(CLI::App& command, const std::string& side = {});

  /// All arguments quoted for a shell, " PIPELINE --data PATH ...", for suggested commands.
  std::string suggested() const;
  /// The same without the pipeline's name.
  std::string suggestedFlags() const;
  /// The flags of addReadingTo and addEditsTo.
  std::string suggestedReading() const;
};

/// Documents that stand for the pipelines of these names, because their files lie on another
/// machine. Call it before any command.
void setDocuments(std::vector<std::pair<std::string, std::string>> documents);

/// The request for a job; reads standard input if that is the pipeline.
PipelineRequest requestOf(const PipelineArguments& arguments);

/// Reads the document, possibly from standard input, and generates the sample data that it needs.
/// nullopt: it could not be read; see `problems`.
std::optional<LoadedPipeline> loadPipeline(const PipelineArguments& arguments, Problems& problems);

/// Loads, checks with the data open, and plans. nullopt: see `problems`.
std::optional<PreparedPipeline> preparePipeline(const PipelineArguments& arguments,
                                                Problems& problems);

/// Prints problems to standard error, one each. Errors have their remedy on a separate line; a hint
/// on setting parameters follows once.
void printProblems(const std::vector<Problem>& problems);

/// How to set the parameters of the nodes with errors; empty if no error is about a node.
std::string howToSet(const std::vector<Problem>& problems);

}  // namespace millrace::cli
