// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace inspect`: what a path contains, what reading it costs, and the next command.
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/numbers.h"
#include "app/cli/common/output.h"
#include "app/cli/common/program_words.h"
#include "app/cli/common/refusal.h"
#include "app/cli/inspect/inspect_loader.h"
#include "app/cli/inspect/inspect_page.h"
#include "app/cli/inspect/report.h"
#include "app/cli/inspect/setting_flags.h"
#include "core/base/text/loader_word.h"
#include "core/base/text/shell_word.h"
#include "core/base/whole_file.h"
#include "core/events/jobs/inspection_json.h"
#include "core/formats/io/data_place.h"
#include "core/graph/json/graph_json.h"
#include "core/jobs/inspect/inspect_job.h"
#include "core/nodes/builtin.h"
#include "core/storage/remote_path.h"

namespace millrace::cli {

namespace {

struct InspectArguments {
  std::string path;
  std::string output;
  std::string python = "python3";
  std::uint32_t samples = SurveyLimits{}.samples;
  bool force = false;
  bool json = false;
  ReportArguments report;
};

/// The flags that both forms of the command have.
ReportArguments reportOf(const InspectArguments& arguments) {
  ReportArguments report = arguments.report;
  report.path = arguments.path;
  report.output = arguments.output;
  report.force = arguments.force;
  report.json = arguments.json;
  return report;
}

/// What lets a run go on over the samples that could not be read: by default it ends at 1 %.
std::string allowedFailures(const DataSurvey& survey) {
  const std::uint64_t percent = survey.percentToAllow();
  return percent == 0 ? "" : fmt::format(" --max-failures {}%", percent);
}

/// Builds the suggested next command from what the job finds.
class NextCommand final : public InspectObserver {
 public:
  explicit NextCommand(const InspectArguments& arguments) : m_arguments(arguments) {}

  void onContent(const FolderContent& content) override { m_content = content; }
  void onProposal(const PipelineProposal& proposal) override {
    m_like = proposal.isExample ? proposal.like : std::string();
  }

  /// The example if it is the proposal with other data; otherwise a pipeline is written first.
  std::string text(const DataSurvey& survey) const {
    const std::string allowed = allowedFailures(survey);
    if (!m_arguments.output.empty())
      return programWords() + " run " + shownShellWord(m_arguments.output) + allowed;
    if (m_like.empty())
      return fmt::format(
          "{0} inspect {1} -o data.millrace.json{2}", programWords(),
          shownShellWord(m_arguments.path),
          allowed.empty() ? "" : " && " + programWords() + " run data.millrace.json" + allowed);
    std::string command = programWords() + " run " + m_like;
    for (const auto& data : m_content.paths) command += " --data " + shownShellWord(data.native());
    return command + allowed;
  }

 private:
  const InspectArguments& m_arguments;
  FolderContent m_content;
  std::string m_like;
};

/// A pipe or a device is there, and is no data.
std::string whyNoData(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::exists(path, error) ? " is neither a file nor a folder"
                                              : " does not exist";
}

/// Of a user's own loader there is less to say than of data.
int loaderCommandOf(const InspectArguments& arguments) {
  if (arguments.report.all || !arguments.output.empty())
    return fail(
        fmt::format("{} is a loader: `millrace import` writes a pipeline for it", arguments.path),
        kBadUsage);
  return inspectLoader(arguments.path, arguments.python, arguments.json);
}

int inspectCommand(const InspectArguments& arguments) {
  const auto path = typedPath(arguments.path);
  if (!isRemotePath(arguments.path) && !isFolderAt(path) && !isFileAt(path))
    return fail(path.native() + whyNoData(path));
  const IfThere ifThere = arguments.force ? IfThere::Replace : IfThere::Refuse;
  if (!arguments.output.empty())
    if (const Status may = mayWrite(arguments.output, ifThere); !may)
      return fail(may.error().message, kFailed);
  NextCommand next(arguments);
  InspectJob job({path, arguments.samples});
  auto found = job.run(next);
  if (!found) return fail(found.error().message, kFailed);
  if (!arguments.output.empty()) {
    if (!found->isReadable()) return refuseNoPipeline(*found);
    const Status kept =
        writeWholeFile(arguments.output, graphText(*found->proposal, builtinCatalog()), ifThere);
    if (!kept) return fail(kept.error().message, kFailed);
  }
  if (found->isReadable()) found->next = next.text(*found->survey);
  takeSettingFlags(*found);
  print("{}", arguments.json ? inspectionJson(*found) : inspectionPage(*found));
  return found->isReadable() ? kDone : kFailed;
}

}  // namespace

void addInspect(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<InspectArguments>();
  CLI::App* inspect =
      app.add_subcommand("inspect", "Show what a folder or a file of data contains");
  inspect->footer(
      "Examples: what does it contain? Also write a pipeline. What is wrong with it?\n"
      "  millrace inspect train.tfrecord\n"
      "  millrace inspect train.tfrecord -o mine.millrace.json\n"
      "  millrace inspect --all photos\n"
      "  millrace inspect train.py:loader --python env/bin/python\n"
      "  millrace inspect --all photos --list broken,truncated\n"
      "Reads only a part of large data, and reports how much. --all reads everything, continues "
      "where an earlier report was stopped, and finds broken, blank and repeated samples.\n"
      "Exit code 1: nothing could be read.");
  inspect
      ->add_option("path", arguments->path,
                   "A folder, a container file, or your own loader as FILE.py:NAME")
      ->required();
  inspect
      ->add_option("--python", arguments->python,
                   "The interpreter that runs your own loader (python3)")
      ->type_name("INTERPRETER");
  inspect->add_option(
      "-o,--output", arguments->output,
      "Write a pipeline for this data to this file; with --all, the report or list");
  inspect->add_flag("--force", arguments->force, "Replace an existing file");
  CLI::Option* samples =
      inspect->add_option("--samples", arguments->samples, "Number of samples to examine (1000)")
          ->transform(whole(1, 100'000'000));
  CLI::Option* json = inspect->add_flag("--json", arguments->json, "Print one JSON object");
  arguments->report.addTo(*inspect);
  inspect->get_option("--all")->excludes(samples);
  inspect->get_option("--events")->excludes(json);
  inspect->callback([arguments, &action] {
    action = [arguments] {
      if (isLoaderWord(arguments->path)) return loaderCommandOf(*arguments);
      return arguments->report.all ? reportCommand(reportOf(*arguments))
                                   : inspectCommand(*arguments);
    };
  });
}

}  // namespace millrace::cli
