// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/convert.h"
#include "app/cli/inspect.h"
#include "app/cli/run_control.h"
#include "app/cli/tune.h"
#include "app/cli/usage_error.h"
#include "app/cli/version.h"

namespace {

/// The last net: what a library throws, or the want of memory, ends with a sentence.
int guarded(const millrace::cli::Action& action) {
  try {
    return action();
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: no memory left\n");
  } catch (const std::exception& thrown) {
    fmt::print(stderr, "error: {}\n", thrown.what());
  }
  return millrace::cli::kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace millrace::cli;
  blockInterrupts();
  // A file beyond the limit of its size (ulimit -f) is then an error of the write, told as one.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app{
      "Millrace feeds GPUs: it runs data-loading pipelines, measures them and says where the "
      "time goes."};
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(1);
  app.footer("Start here:  millrace run classification\nHelp of one:  millrace run --help");
  Action action;
  addRun(app, action);
  addCompare(app, action);
  addDiagnose(app, action);
  addSweep(app, action);
  addTune(app, action);
  addCheck(app, action);
  addPreview(app, action);
  addRuns(app, action);
  addExport(app, action);
  addNodes(app, action);
  addSampleData(app, action);
  addInspect(app, action);
  addConvert(app, action);
  addDoctor(app, action);
  addCompletion(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    fmt::print(stderr, "{}", usageError(app, error));
    return kBadUsage;
  }
  const int code = action ? guarded(action) : kBadUsage;
  // An interrupt that no watch took came before the command's own work, while samples were made.
  return code == kBadUsage && interruptPending() ? kInterrupted : code;
}
