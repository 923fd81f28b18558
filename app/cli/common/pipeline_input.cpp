// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/pipeline_input.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/input.h"
#include "app/cli/common/numbers.h"
#include "app/cli/common/output.h"
#include "app/cli/sample_data/sample_line.h"
#include "core/base/text/shell_word.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/graph/json/graph_json.h"
#include "core/jobs/common/job_input.h"

namespace millrace::cli {

void PipelineArguments::addTo(CLI::App& command) {
  command
      .add_option("pipeline", pipeline,
                  "A *.millrace.json file, an example's name, or - for standard input")
      ->required();
  command.add_option("--data", data, "Read this data; replaces the source's paths, in order")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command.add_option("--set", settings, "Set a parameter, such as workers.count=4")
      ->type_name("NODE.PARAM=VALUE")
      ->allow_extra_args(false);
  addEditsTo(command);
  addReadingTo(command);
}

void PipelineArguments::addEditsTo(CLI::App& command, const std::string& side) {
  for (const PipelineEditKind& kind : pipelineEditKinds())
    command.add_option("--" + std::string(kind.name), edits.*kind.texts, std::string(kind.help))
        ->type_name(side + std::string(kind.form))
        ->allow_extra_args(false);
  command
      .add_option("--step", stepSeconds, "End with a training step of this length, such as 20ms")
      ->type_name("TIME")
      ->transform(lengthOfTime());
}

std::string PipelineArguments::suggested() const {
  return " " + shownShellWord(pipeline) + suggestedFlags();
}

std::string PipelineArguments::suggestedFlags() const {
  std::string text;
  for (const std::string& path : data) text += " --data " + shownShellWord(path);
  for (const std::string& setting : settings) text += " --set " + shownShellWord(setting);
  return text + suggestedReading();
}

std::string PipelineArguments::suggestedReading() const {
  std::string text;
  for (const PipelineEditKind& kind : pipelineEditKinds())
    for (const std::string& edit : edits.*kind.texts)
      text += fmt::format(" --{} {}", kind.name, shownShellWord(edit));
  if (stepSeconds) text += fmt::format(" --step {}s", *stepSeconds);
  if (seed) text += fmt::format(" --seed {}", *seed);
  if (!base.empty()) text += " --base " + shownShellWord(base);
  if (noRandom) text += " --no-random";
  if (noFuse) text += " --no-fuse";
  return text;
}

void PipelineArguments::addReadingTo(CLI::App& command) {
  command.add_option("--seed", seed, "Seed of all random draws")->transform(whole(0));
  command.add_option("--base", base, "Folder for relative paths (that of the file)")
      ->type_name("DIR");
  command.add_flag("--no-random", noRandom,
                   "Use the centre of each random range, and source order");
  command.add_flag("--no-fuse", noFuse, "Run every node separately, to measure its time");
}

namespace {

std::vector<std::pair<std::string, std::string>>& sentDocuments() {
  static std::vector<std::pair<std::string, std::string>> all;
  return all;
}

}  // namespace

void setDocuments(std::vector<std::pair<std::string, std::string>> documents) {
  sentDocuments() = std::move(documents);
}

PipelineRequest requestOf(const PipelineArguments& arguments) {
  PipelineRequest request = arguments;
  if (request.document) return request;
  for (const auto& [name, document] : sentDocuments())
    if (name == request.pipeline) request.document = document;
  if (request.document) return request;
  if (request.pipeline == "-")
    request.document = standardInput(kMaxGraphBytes);
  else if (isStream(request.pipeline))
    request.document = streamText(request.pipeline, kMaxGraphBytes);
  return request;
}

std::optional<LoadedPipeline> loadPipeline(const PipelineArguments& arguments, Problems& problems) {
  SampleLine samples;
  return millrace::loadPipeline(requestOf(arguments), samples, problems);
}

std::optional<PreparedPipeline> preparePipeline(const PipelineArguments& arguments,
                                                Problems& problems) {
  SampleLine samples;
  return millrace::preparePipeline(requestOf(arguments), samples, problems);
}

void printProblems(const std::vector<Problem>& problems) {
  noteProblems(problems);
  for (const Problem& problem : problems) {
    Problem head = problem;
    head.remedy.clear();
    printMessage("{}\n", visibleName(head.text()));
    if (!problem.remedy.empty()) printMessage("    {}\n", visibleName(problem.remedy));
  }
  if (const std::string how = howToSet(problems); !how.empty()) printMessage("{}\n", how);
}

std::string howToSet(const std::vector<Problem>& problems) {
  // Wires and the order of nodes are no parameters.
  const auto isSet = [](const Problem& problem) {
    if (problem.severity != Severity::Error || problem.node.empty()) return false;
    if (!problem.field.empty()) return problem.field != "id" && problem.field != "kind";
    return problem.remedy.find("parameter") != std::string::npos ||
           problem.remedy.find("data") != std::string::npos;
  };
  if (std::ranges::none_of(problems, isSet)) return {};
  return "Set parameters with `--set NODE.PARAM=VALUE` or in the file; set data also with "
         "`--data PATH`.";
}

}  // namespace millrace::cli
