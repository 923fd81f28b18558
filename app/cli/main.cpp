// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/numbers.h"
#include "app/cli/common/output.h"
#include "app/cli/common/terminal.h"
#include "app/cli/common/usage_error.h"
#include "app/cli/common/version.h"
#include "app/cli/help/help_format.h"
#include "app/cli/loader/loader_words.h"
#include "app/cli/remote/on.h"
#include "app/cli/remote/served.h"
#include "app/cli/run/run_control.h"

namespace {

using namespace millrace::cli;

constexpr std::string_view kJsonFlag = "--json";

/// The last barrier: exceptions of libraries and lack of memory end with an error message.
int guarded(const Action& action) {
  try {
    return action();
  } catch (const std::bad_alloc&) {
    printMessage("error: there is not enough memory for this command\n");
  } catch (const std::system_error& refused) {
    const bool threads = refused.code() == std::errc::resource_unavailable_try_again;
    printMessage("error: the system refused {}: {}\n", threads ? "a thread" : "a request",
                 threads ? "its limit is reached (ulimit -u); end other programs or raise the limit"
                         : refused.what());
  } catch (const std::exception& thrown) {
    printMessage("error: {}\n", thrown.what());
  }
  return kFailed;
}

void addColours(CLI::App& app) {
  app.add_option_function<std::string>(
         "--color",
         [](const std::string& when) {
           setColours(when == "always"  ? Colours::Always
                      : when == "never" ? Colours::Never
                                        : Colours::Auto);
         },
         "Show errors and verdicts in colour: auto (on a terminal), always or never")
      ->type_name("WHEN")
      ->check(oneOf({"auto", "always", "never"}));
}

/// Reports a failure that printed nothing yet as JSON, if that was asked for, and flushes.
int ended(int code, bool json) {
  if (code == kDone && anythingNotKept()) code = kFailed;
  if (code != kDone && json)
    if (const std::string failure = failureJson(); !failure.empty()) print("{}\n", failure);
  // A measurement whose events are lost stops itself.
  return !flushOutput() && (code == kDone || code == kInterrupted) ? kFailed : code;
}

int parsedAndRun(CLI::App& app, int argc, char** argv, const OnFlags& on, Action& action) {
  const auto asksForJson = [&] {
    return std::any_of(argv, argv + argc, [](const char* word) { return word == kJsonFlag; });
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      std::ostringstream text;
      app.exit(error, text, text);
      writeOutput(text.str());
      return ended(kDone, false);
    }
    printMessage("{}", usageError(app, error));
    return ended(kBadUsage, asksForJson());
  }
  if (const std::string empty = emptyArgument(app); !empty.empty()) {
    printMessage("{}", empty);
    return ended(kBadUsage, wantsJson(app));
  }
  if (on.host)
    action = [&app, &on, given = std::vector<std::string>(argv + 1, argv + argc)] {
      return runOn(app, given, on);
    };
  const int code = ended(action ? guarded(action) : kBadUsage, wantsJson(app));
  // An interrupt that no watch received came before the command's own work, while samples were
  // generated.
  return code == kBadUsage && interruptPending() ? kInterrupted : code;
}

int runProgram(char* program, const std::vector<std::string>& given) {
  CLI::App app{
      "Millrace feeds GPUs: it runs data-loading pipelines, measures them and shows where the "
      "time goes."};
  app.set_version_flag("--version", kVersion);
  app.formatter(helpFormat());
  app.require_subcommand(1);
  app.fallthrough();
  app.footer(
      "Start with:          millrace run classification\n"
      "Help for a command:  millrace help run\n"
      "Exit codes:          0 done, 1 failed, 2 bad usage or pipeline, 3 interrupted\n"
      "JSON and streams:    docs/reference/command-line.md,\n"
      "                     docs/reference/event-stream.md");
  addColours(app);
  OnFlags on;
  on.addTo(app);
  Action action;
#define MILLRACE_COMMAND(name) add##name(app, action);
#include "app/cli/commands.def"
#undef MILLRACE_COMMAND
  std::vector<std::string> words = wordsForLoader(app, given);
  std::vector<char*> arguments = {program};
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return parsedAndRun(app, static_cast<int>(words.size()) + 1, arguments.data(), on, action);
}

/// Standard streams that are closed become ones that refuse every use: otherwise the first file
/// that the program opens would take their place.
void refuseClosedStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0)
      (void)!::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// Runs what another machine asks for.
int serve(char* program) {
  auto served = Served::begin();
  if (!served) {
    printMessage("error: {}\n", served.error().message);
    return kBadUsage;
  }
  return runProgram(program, (*served)->words());
}

}  // namespace

int main(int argc, char** argv) {
  refuseClosedStreams();
  blockInterrupts();
  const StuckWatch stuck;
  // Exceeding the file size limit (ulimit -f) then becomes an error of the write, which is
  // reported.
  std::signal(SIGXFSZ, SIG_IGN);
  return isServed(argc, argv) ? serve(argv[0])
                              : runProgram(argv[0], {argv + 1, argv + std::max(1, argc)});
}
