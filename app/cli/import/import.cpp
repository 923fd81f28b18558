// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace import`: writes the user's own loader as a pipeline, and compares their samples.
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/numbers.h"
#include "app/cli/common/output.h"
#include "app/cli/common/refusal.h"
#include "app/cli/import/import_page.h"
#include "app/cli/run/run_control.h"

namespace millrace::cli {

namespace {

struct TranslateArguments {
  std::string loader;
  std::string python = "python3";
  std::string output;
  std::size_t samples = 16;
  bool force = false;
  bool json = false;
};

Result<TranslateSettings> settingsOf(const TranslateArguments& arguments) {
  TranslateSettings settings;
  MILLRACE_ASSIGN_OR_RETURN(settings.loader, findOwnLoader(arguments.loader, arguments.python));
  settings.word = arguments.loader;
  settings.interpreter = arguments.python;
  settings.output = arguments.output;
  settings.ifThere = arguments.force ? IfThere::Replace : IfThere::Refuse;
  settings.samples = arguments.samples;
  return settings;
}

int importCommand(const TranslateArguments& arguments) {
  auto settings = settingsOf(arguments);
  if (!settings) return fail(settings.error().message, kBadUsage);
  TranslateJob job(*settings);
  const Result<TranslateOutcome> outcome = [&] {
    const InterruptWatch interrupts([&job] { job.stop(); });
    return job.run();
  }();
  if (!outcome) return fail(outcome.error().message, job.wasStopped() ? kInterrupted : kBadUsage);
  print("{}", arguments.json ? importJson(*outcome, *settings) : importPage(*outcome, *settings));
  if (outcome->stopped) return kInterrupted;
  const bool unproved = arguments.samples > 0 && !(outcome->proof && outcome->proof->holds());
  return unproved ? kFailed : kDone;
}

}  // namespace

void addImport(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<TranslateArguments>();
  CLI::App* import = app.add_subcommand(
      "import", "Write your own Python loader as a pipeline, and compare the samples of both");
  import->footer(
      "Example: a DataLoader of train.py in the environment that has its packages\n"
      "  millrace import train.py:loader --python env/bin/python -o mine.millrace.json\n"
      "The file is imported, so keep what trains below `if __name__ == \"__main__\":`. A step for "
      "which there is no node stays your own code, in a `python` node.\n"
      "Exit code 1: the pipeline is written, but its samples differ from those of the loader, or "
      "could not be compared.");
  import
      ->add_option("loader", arguments->loader,
                   "A Python file, and the name in it of a loader, a dataset or a function that "
                   "returns one")
      ->type_name("FILE.py:NAME")
      ->required();
  import->add_option("--python", arguments->python, "The interpreter that runs it (python3)")
      ->type_name("INTERPRETER");
  import->add_option("-o,--output", arguments->output, "Write the pipeline to this file")
      ->type_name("FILE")
      ->required();
  import->add_flag("--force", arguments->force, "Replace an existing file");
  import->add_option("--samples", arguments->samples, "Number of samples to compare (16); 0: none")
      ->transform(whole(0, 1'000'000));
  import->add_flag("--json", arguments->json, "Print one JSON object");
  import->callback(
      [arguments, &action] { action = [arguments] { return importCommand(*arguments); }; });
}

}  // namespace millrace::cli
