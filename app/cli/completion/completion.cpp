// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace completion`: shell scripts that complete millrace's arguments.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/completion/completion_script.h"
#include "core/base/text.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "core/sample_data/sample_data.h"

namespace millrace::cli {

namespace {

const std::vector<std::string>& shellNames() {
  static const std::vector<std::string> names = {"bash", "zsh", "fish"};
  return names;
}

/// The values that an argument accepts besides files, by its name and the command's.
std::vector<std::string> valuesOf(const std::string& argument, const std::string& command) {
  std::vector<std::string> values;
  const bool side = command == "compare" && (argument == "A" || argument == "B");
  if (argument == "pipeline" || side)
    for (const Example& example : examples()) values.emplace_back(example.name);
  if (argument == "kind" && command == "nodes") values = builtinCatalog().kinds();
  if (argument == "--kind")
    for (const SampleKind& kind : sampleKinds()) values.emplace_back(kind.name);
  if (argument == "shell") values = shellNames();
  if (argument == "run" && command == "show") values = {"last"};
  return values;
}

void addCommandWords(const CLI::App& app, const std::string& path, std::vector<CommandWords>& all) {
  CommandWords words;
  words.path = path;
  words.help = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // Internal: used by programs that start this one.
    for (const std::string& name : option->get_lnames())
      words.options.push_back({"--" + name, option->get_description(),
                               option->get_items_expected_max() > 0,
                               valuesOf("--" + name, app.get_name())});
    if (option->get_positional())
      for (const std::string& value : valuesOf(option->get_name(), app.get_name()))
        words.values.push_back(value);
  }
  const auto subs = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* sub : subs) words.subcommands.push_back(sub->get_name());
  all.push_back(words);
  for (const CLI::App* sub : subs)
    addCommandWords(*sub, path.empty() ? sub->get_name() : path + " " + sub->get_name(), all);
}

int completionCommand(const CLI::App& app, const std::string& shell) {
  std::vector<CommandWords> commands;
  addCommandWords(app, "", commands);
  if (shell == "bash") print("{}", bashCompletion(commands));
  if (shell == "zsh") print("{}", zshCompletion(commands));
  if (shell == "fish") print("{}", fishCompletion(commands));
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
      ->check(CLI::IsMember(shellNames()));
  completion->callback([shell, &app, &action] {
    action = [shell, &app] { return completionCommand(app, *shell); };
  });
}

}  // namespace millrace::cli
