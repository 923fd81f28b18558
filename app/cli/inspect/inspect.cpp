// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace inspect`: what a path contains, what reading it costs, and the next command.
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/numbers.h"
#include "app/cli/common/output.h"
#include "app/cli/common/refusal.h"
#include "app/cli/inspect/inspect_page.h"
#include "core/base/shell_word.h"
#include "core/base/whole_file.h"
#include "core/events/jobs/inspection_json.h"
#include "core/graph/graph_json.h"
#include "core/jobs/inspect/inspect_job.h"
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

/// Builds the suggested next command from what the job finds.
class NextCommand final : public InspectObserver {
 public:
  explicit NextCommand(const InspectArguments& arguments) : m_arguments(arguments) {}

  void onContent(const FolderContent& content) override { m_content = content; }
  void onProposal(const PipelineProposal& proposal) override { m_like = proposal.like; }

  /// An example accepts folders with --data; a container needs its own pipeline.
  std::string text() const {
    if (!m_arguments.output.empty()) return "millrace run " + shellWord(m_arguments.output);
    if (m_content.layout == DataLayout::Container)
      return fmt::format("millrace inspect {} -o data.millrace.json", shellWord(m_arguments.path));
    std::string command = "millrace run " + m_like;
    for (const auto& data : m_content.paths) command += " --data " + shellWord(data.native());
    return command;
  }

 private:
  const InspectArguments& m_arguments;
  FolderContent m_content;
  std::string m_like;
};

int inspectCommand(const InspectArguments& arguments) {
  std::error_code error;
  const auto path = std::filesystem::absolute(arguments.path, error).lexically_normal();
  if (!std::filesystem::exists(path, error))
    return refuseData(fmt::format("{} does not exist", path.native()), kBadUsage);
  NextCommand next(arguments);
  InspectJob job({path, arguments.samples});
  auto found = job.run(next);
  if (!found) return refuseData(found.error().message, kFailed);
  if (!arguments.output.empty()) {
    if (!found->proposal)
      return refuseData("no pipeline can be written: " + found->description, kFailed);
    const Status kept =
        writeWholeFile(arguments.output, graphText(*found->proposal, builtinCatalog()),
                       arguments.force ? IfThere::Replace : IfThere::Refuse);
    if (!kept) return refuseData(kept.error().message, kFailed);
  }
  if (found->isReadable()) found->next = next.text();
  print("{}", arguments.json ? inspectionJson(*found) : inspectionPage(*found));
  return found->isReadable() ? kDone : kFailed;
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
      "Reads only a part of large data, and reports how much. Exit code 1: nothing could be read.");
  inspect->add_option("path", arguments->path, "A folder, or a container file")->required();
  inspect->add_option("-o,--output", arguments->output,
                      "Write a pipeline for this data to this file");
  inspect->add_flag("--force", arguments->force, "Replace an existing file");
  inspect->add_option("--samples", arguments->samples, "Number of samples to examine (1000)")
      ->transform(whole(1, 100'000'000));
  inspect->add_flag("--json", arguments->json, "Print one JSON object");
  inspect->callback(
      [arguments, &action] { action = [arguments] { return inspectCommand(*arguments); }; });
}

}  // namespace millrace::cli
