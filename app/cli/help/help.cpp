// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace help [COMMAND]`: the same as `millrace COMMAND --help`.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/refusal.h"
#include "app/cli/common/usage_error.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

namespace {

int noSuchCommand(const std::string& word, const CLI::App& at, const std::string& name) {
  if (builtinCatalog().find(word) != nullptr)
    return fail(fmt::format("`{}` is a node kind: use `millrace nodes {}`", word, word));
  printMessage("{}    help: {} --help\n", unknownWord(word, at), name);
  return kBadUsage;
}

int helpCommand(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  std::string name = app.get_name();  // As the program was called.
  std::string parents;
  for (const std::string& word : words) {
    const auto subs =
        at->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == word; });
    if (subs.empty())
      return noSuchCommand(word, *at, "millrace" + name.substr(app.get_name().size()));
    at = subs.front();
    parents = name;
    name += " " + word;
  }
  // The program itself would print the help of the command that was parsed, which is this one.
  print("{}", at == &app ? app.get_formatter()->make_help(&app, name, CLI::AppFormatMode::Normal)
                         : at->help(parents));
  return kDone;
}

}  // namespace

void addHelp(CLI::App& app, Action& action) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* help = app.add_subcommand("help", "Explain a command and its options");
  help->footer("Examples:  millrace help run\n           millrace help runs list");
  help->add_option("command", *words, "The command, such as run or runs list");
  help->callback(
      [words, &app, &action] { action = [words, &app] { return helpCommand(app, *words); }; });
}

}  // namespace millrace::cli
