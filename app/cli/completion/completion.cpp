// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace completion`: shell scripts that complete millrace's arguments, and the hidden command
// `__complete`, which they ask.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/numbers.h"
#include "app/cli/common/output.h"
#include "app/cli/completion/candidates.h"
#include "app/cli/completion/completion_script.h"
#include "core/base/text/text.h"

namespace millrace::cli {

namespace {

const std::vector<std::string>& shellNames() {
  static const std::vector<std::string> names = {"bash", "zsh", "fish"};
  return names;
}

int completionCommand(const std::string& shell) {
  if (shell == "bash") print("{}", bashCompletion());
  if (shell == "zsh") print("{}", zshCompletion());
  if (shell == "fish") print("{}", fishCompletion());
  return kDone;
}

struct CompleteArguments {
  std::string shell;
  std::vector<std::string> words;
};

/// Prints the candidates that begin with the unfinished word, one on each line. For bash without
/// the part that it does not replace.
int completeCommand(const CLI::App& app, const CompleteArguments& arguments) {
  const bool bash = arguments.shell == "bash";
  std::vector<std::string> words = bash ? joinedWords(arguments.words) : arguments.words;
  if (words.empty()) words.emplace_back();
  const std::string& begun = words.back();
  const std::size_t kept = bash ? begun.find_last_of("=:") + 1 : 0;
  for (const std::string& candidate : candidatesFor(app, words))
    if (candidate.starts_with(begun)) print("{}\n", singleLine(candidate.substr(kept)));
  return kDone;
}

}  // namespace

void addCompletion(CLI::App& app, Action& action) {
  auto shell = std::make_shared<std::string>();
  CLI::App* completion = app.add_subcommand(
      "completion", "Print a script that lets a shell complete millrace's arguments");
  completion->footer(
      "Examples: for this shell; for every later bash\n"
      "  source <(millrace completion bash)\n"
      "  millrace completion bash > ~/.local/share/bash-completion/completions/millrace");
  completion->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(oneOf(shellNames()));
  completion->callback(
      [shell, &action] { action = [shell] { return completionCommand(*shell); }; });
  auto arguments = std::make_shared<CompleteArguments>();
  CLI::App* complete = app.add_subcommand("__complete", "What may follow a command line");
  complete->group("");  // Used by the scripts only.
  complete->prefix_command();
  complete->fallthrough(false);
  complete->callback([arguments, complete, &app, &action] {
    std::vector<std::string> given = complete->remaining();
    if (!given.empty()) arguments->shell = given.front();
    const auto from = std::ranges::find(given, "--");
    if (from != given.end()) arguments->words.assign(from + 1, given.end());
    action = [arguments, &app] { return completeCommand(app, *arguments); };
  });
}

}  // namespace millrace::cli
