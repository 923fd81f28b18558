// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace loader`: measures the user's own loader and keeps the run.
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/refusal.h"
#include "app/cli/loader/loader_arguments.h"
#include "app/cli/loader/loader_screen.h"
#include "app/cli/loader/tune_loader.h"
#include "app/cli/run/run_control.h"
#include "core/jobs/loader/loader_job.h"

namespace millrace::cli {

namespace {

int loaderCommand(const LoaderArguments& arguments) {
  if (arguments.tune) return tuneLoader(arguments);
  auto settings = arguments.settings();
  LoaderJob* running = nullptr;
  LoaderScreen screen(arguments, [&running] { running->stop(); });
  if (!settings) return screen.refuse(settings.error().message);
  if (const Status may = arguments.keep.mayKeep(arguments.events); !may)
    return fail(may.error().message);
  LoaderJob job(settings.take(), screen);
  running = &job;
  Result<LoaderJobOutcome> outcome = [&] {
    const InterruptWatch interrupts([&job] { job.stop(); });
    Result<LoaderJobOutcome> ended = job.run();
    screen.end();
    return ended;
  }();
  return outcome ? screen.show(*outcome) : screen.refuse(outcome.error().message);
}

}  // namespace

void addLoader(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<LoaderArguments>();
  CLI::App* loader = app.add_subcommand(
      "loader", "Measure your own Python loader, as run measures a pipeline, and keep the result");
  loader->footer(
      "Example: a DataLoader of train.py in the environment that has its packages, then a "
      "pipeline on the same data, then both side by side\n"
      "  millrace loader train.py:loader --python env/bin/python\n"
      "  millrace run classification --data ~/photos\n"
      "  millrace runs compare 1 2\n"
      "The file is imported, so keep what trains below `if __name__ == \"__main__\":`.\n"
      "Ctrl+C stops and keeps the results so far (exit code 3); a second one exits at once.");
  arguments->addTo(*loader);
  loader->callback(
      [arguments, &action] { action = [arguments] { return loaderCommand(*arguments); }; });
}

}  // namespace millrace::cli
