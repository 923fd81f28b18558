// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace --on HOST COMMAND`: a command on another machine, which ssh reaches.
#include "app/cli/remote/on.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/pipeline_input.h"
#include "app/cli/common/refusal.h"
#include "app/cli/common/terminal.h"
#include "app/cli/remote/remote_arguments.h"
#include "app/cli/remote/remote_inspect.h"
#include "app/cli/remote/remote_run.h"
#include "app/cli/run/run_control.h"
#include "core/base/text/shell_word.h"
#include "core/remote/remote_process.h"

namespace millrace::cli {

namespace {

enum class OnWay : std::uint8_t {
  Shown,    ///< what it prints there is shown here
  Kept,     ///< its run is kept here
  NotKept,  ///< shown here; works with --no-store, because its runs cannot be kept yet
  Here,     ///< works on files of this machine
};
struct OnCommand {
  std::string_view name;
  OnWay way;
};
/// Every other command is refused.
constexpr std::array<OnCommand, 15> kOnCommands = {{{"run", OnWay::Kept},
                                                    {"check", OnWay::Shown},
                                                    {"plan", OnWay::Shown},
                                                    {"doctor", OnWay::Shown},
                                                    {"inspect", OnWay::Shown},
                                                    {"nodes", OnWay::Shown},
                                                    {"sample-data", OnWay::Shown},
                                                    {"help", OnWay::Shown},
                                                    {"compare", OnWay::NotKept},
                                                    {"diagnose", OnWay::NotKept},
                                                    {"sweep", OnWay::NotKept},
                                                    {"tune", OnWay::NotKept},
                                                    {"loader", OnWay::NotKept},
                                                    {"runs", OnWay::Here},
                                                    {"completion", OnWay::Here}}};

/// Passes on what comes, unchanged.
class PassedOn final : public RemoteObserver {
 public:
  /// `onLost`: called when what it passes on cannot be written.
  explicit PassedOn(std::function<void()> onLost) : m_onLost(std::move(onLost)) {}
  void onOutput(std::string_view bytes) override {
    if (!passOnOutput(bytes)) m_onLost();
  }
  void onMessage(std::string_view bytes) override { passOnMessage(bytes); }

 private:
  const std::function<void()> m_onLost;
};

int showThere(const SshSettings& settings, RemoteRequest request) {
  RemoteProcess* running = nullptr;
  PassedOn passed([&running] { running->stop(); });
  RemoteProcess process(settings, std::move(request), passed);
  running = &process;
  const Result<int> code = [&] {
    const InterruptWatch interrupts([&process] { process.stop(); });
    return process.run();
  }();
  if (code) return *code;
  return fail(code.error().message, process.stopped() ? kInterrupted : kFailed);
}

/// Why a command does not work there; empty if it does.
std::string refusalOf(const CLI::App& command, OnWay way) {
  const std::string& name = command.get_name();
  if (way == OnWay::Here)
    return fmt::format("`{}` works on files of this machine: leave out --on", name);
  if (way == OnWay::NotKept && command.get_option("--no-store")->count() == 0)
    return fmt::format("`{}` on another machine cannot be kept yet: add --no-store", name);
  // The file would be written there.
  const CLI::Option* output = command.get_option_no_throw("--output");
  if (output != nullptr && output->count() > 0 && !writesPipeline(command))
    return fmt::format("`{}` on another machine cannot write a file here yet: leave out {}", name,
                       output->get_name());
  return {};
}

}  // namespace

void OnFlags::addTo(CLI::App& app) {
  app.add_option("--on", host, "Work on this machine; what `ssh` takes, before the command")
      ->type_name("HOST");
  app.add_option("--on-program", program, "The program there, if it is not in its PATH")
      ->type_name("PATH");
}

SshSettings OnFlags::settings() const {
  SshSettings settings;
  settings.host = *host;
  settings.program = program;
  if (const char* config = std::getenv("MILLRACE_SSH_CONFIG")) settings.config = config;
  settings.sockets = socketFolder();
  settings.asks = isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
  return settings;
}

std::string OnFlags::programWords() const {
  const std::string words = "millrace --on " + shownShellWord(*host);
  return program == OnFlags().program ? words : words + " --on-program " + shownShellWord(program);
}

int runOn(const CLI::App& app, const std::vector<std::string>& given, const OnFlags& flags) {
  if (const Status checked = checkHost(*flags.host); !checked) return fail(checked.error().message);
  const CLI::App& command = *app.get_subcommands().front();
  const auto known = std::ranges::find(kOnCommands, command.get_name(), &OnCommand::name);
  if (known == kOnCommands.end())
    return fail(fmt::format("`{}` does not work on another machine yet: log in there and start it",
                            command.get_name()));
  if (const std::string refusal = refusalOf(command, known->way); !refusal.empty())
    return fail(refusal);
  Problems problems;
  RemoteRequest request;
  request.documents = documentsOf(command, problems);
  printProblems(problems.all());
  if (problems.anyError()) return kBadUsage;
  request.program = flags.programWords();
  request.columns = terminalColumns();
  request.colours = showsColours();
  std::set<std::string> ofHere;
  const bool kept = known->way == OnWay::Kept;
  if (kept) ofHere = runFlagsOfHere();
  if (writesPipeline(command)) ofHere = inspectFlagsOfHere();
  request.words = wordsToSend(app, given, ofHere);
  if (kept) return runThere(command, flags.settings(), std::move(request));
  if (writesPipeline(command)) return inspectThere(command, flags.settings(), std::move(request));
  return showThere(flags.settings(), std::move(request));
}

}  // namespace millrace::cli
