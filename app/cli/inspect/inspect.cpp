// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace inspect`: what a path contains, what reading it costs, and the next command.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/refusal.h"
#include "app/cli/inspect/inspect_page.h"
#include "core/base/shell_word.h"
#include "core/base/whole_file.h"
#include "core/graph/graph_check.h"
#include "core/graph/graph_json.h"
#include "core/inspect/data_survey.h"
#include "core/inspect/folder_content.h"
#include "core/inspect/pipeline_proposal.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

namespace {

struct InspectArguments {
  std::string path;
  std::string output;
  std::uint32_t samples = SurveyLimits{}.samples;
  bool force = false;
  bool json = false;
};

/// The command that runs the proposal: an example accepts folders with --data, a container needs
/// its own pipeline.
std::string nextCommand(const Inspection& found, const std::string& path,
                        const std::string& output) {
  if (!output.empty()) return "millrace run " + shellWord(output);
  if (found.content.layout == DataLayout::Container)
    return fmt::format("millrace inspect {} -o data.millrace.json", shellWord(path));
  std::string command = "millrace run " + found.proposal->like;
  for (const auto& data : found.content.paths) command += " --data " + shellWord(data.native());
  return command;
}

Status keep(const Inspection& found, const InspectArguments& arguments) {
  return writeWholeFile(arguments.output, graphText(found.proposal->graph, builtinCatalog()),
                        arguments.force ? IfThere::Replace : IfThere::Refuse);
}

int inspectCommand(const InspectArguments& arguments) {
  std::error_code error;
  const auto path = std::filesystem::absolute(arguments.path, error).lexically_normal();
  if (!std::filesystem::exists(path, error))
    return refuseData(fmt::format("{} does not exist", path.native()), kBadUsage);
  Inspection found;
  found.path = path.native();
  ScanLimits limits;
  limits.namesPerFolder = 100000;
  limits.folders = 100000;
  limits.heads = 64;
  found.content = detectContent(path, limits);
  if (isReadable(found.content)) {
    auto proposal = proposePipeline(found.content, builtinCatalog());
    if (!proposal) return refuseData(proposal.error().message, kFailed);
    found.proposal = proposal.take();
    const auto source = openSourceOf(found.proposal->graph, builtinCatalog());
    if (!source) return refuseData(source.error().message, kFailed);
    SurveyLimits survey;
    survey.samples = arguments.samples;
    found.survey = surveyData(**source, survey);
    if (!arguments.output.empty())
      if (Status kept = keep(found, arguments); !kept)
        return refuseData(kept.error().message, kFailed);
    found.next = nextCommand(found, arguments.path, arguments.output);
  } else if (!arguments.output.empty()) {
    return refuseData("no pipeline can be written: " + found.content.description, kFailed);
  }
  fmt::print("{}", arguments.json ? inspectionJson(found) : inspectionPage(found));
  return isReadable(found.content) ? kDone : kFailed;
}

}  // namespace

void addInspect(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<InspectArguments>();
  CLI::App* inspect =
      app.add_subcommand("inspect", "Show what a folder or a file of data contains");
  inspect->footer(
      "Examples: what does it contain? Also write a pipeline for it\n"
      "  millrace inspect train.tfrecord\n"
      "  millrace inspect train.tfrecord -o mine.millrace.json\n"
      "Reads only a part of large data, and says so. Exit code 1: nothing could be read.");
  inspect->add_option("path", arguments->path, "A folder, or a container file")->required();
  inspect->add_option("-o,--output", arguments->output,
                      "Write a pipeline for this data to this file");
  inspect->add_flag("--force", arguments->force, "Replace an existing file");
  inspect->add_option("--samples", arguments->samples, "Number of samples to examine (1000)")
      ->check(CLI::Range(1U, 100'000'000U));
  inspect->add_flag("--json", arguments->json, "Print one JSON object");
  inspect->callback(
      [arguments, &action] { action = [arguments] { return inspectCommand(*arguments); }; });
}

}  // namespace millrace::cli
