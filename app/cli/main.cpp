// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/usage_error.h"
#include "app/cli/common/version.h"
#include "app/cli/run/run_control.h"

namespace {

/// The last barrier: exceptions of libraries and lack of memory end with an error message.
int guarded(const millrace::cli::Action& action) {
  try {
    return action();
  } catch (const std::bad_alloc&) {
    millrace::cli::printMessage("error: out of memory\n");
  } catch (const std::exception& thrown) {
    millrace::cli::printMessage("error: {}\n", thrown.what());
  }
  return millrace::cli::kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace millrace::cli;
  blockInterrupts();
  // Exceeding the file size limit (ulimit -f) then becomes an error of the write, which is
  // reported.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app{
      "Millrace feeds GPUs: it runs data-loading pipelines, measures them and shows where the "
      "time goes."};
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(1);
  app.footer(
      "Start with:          millrace run classification\nHelp for a command:  millrace run --help");
  Action action;
#define MILLRACE_COMMAND(name) add##name(app, action);
#include "app/cli/commands.def"
#undef MILLRACE_COMMAND
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      std::ostringstream text;
      app.exit(error, text, text);
      writeOutput(text.str());
      return flushOutput() ? kDone : kFailed;
    }
    printMessage("{}", usageError(app, error));
    return kBadUsage;
  }
  if (const std::string empty = emptyArgument(app); !empty.empty()) {
    printMessage("{}", empty);
    return kBadUsage;
  }
  int code = action ? guarded(action) : kBadUsage;
  if (!flushOutput() && code == kDone) code = kFailed;
  // An interrupt that no watch received came before the command's own work, while samples were
  // generated.
  return code == kBadUsage && interruptPending() ? kInterrupted : code;
}
