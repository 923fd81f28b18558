// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/completion/completion_script.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace millrace::cli {

namespace {

/// The branches of a `case` that tracks the command path of the line.
std::string pathArms(const std::vector<CommandWords>& commands, const std::string& word) {
  std::string arms;
  for (const CommandWords& command : commands)
    for (const std::string& sub : command.subcommands)
      arms += fmt::format("      \"{}:{}\") path=\"{}{}\" ;;\n", command.path, sub,
                          command.path.empty() ? "" : command.path + " ", sub);
  return fmt::format("    case \"$path:{}\" in\n{}    esac\n", word, arms);
}

std::string optionWords(const CommandWords& command) {
  std::vector<std::string> names;
  for (const OptionWords& option : command.options) names.push_back(option.name);
  return join(names, " ");
}

std::string plainWords(const CommandWords& command) {
  std::vector<std::string> words = command.subcommands;
  words.insert(words.end(), command.values.begin(), command.values.end());
  return join(words, " ");
}

/// The branches that set `options` and `plain` to what may follow.
std::string wordArms(const std::vector<CommandWords>& commands) {
  std::string arms;
  for (const CommandWords& command : commands)
    arms += fmt::format("    \"{}\")\n      options=\"{}\"\n      plain=\"{}\" ;;\n", command.path,
                        optionWords(command), plainWords(command));
  return "  case \"$path\" in\n" + arms + "  esac\n";
}

/// The branches that set `plain` to the values of the option before the cursor.
std::string valueArms(const std::vector<CommandWords>& commands, const std::string& before) {
  std::string arms;
  for (const CommandWords& command : commands)
    for (const OptionWords& option : command.options)
      if (option.takesValue)
        arms += fmt::format("    \"{}:{}\") options=\"\" plain=\"{}\" ;;\n", command.path,
                            option.name, join(option.values, " "));
  return fmt::format("  case \"$path:{}\" in\n{}  esac\n", before, arms);
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

}  // namespace

std::string bashCompletion(const std::vector<CommandWords>& commands) {
  return "# Made by `millrace completion bash`.\n"
         "_millrace() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} path=\"\" options=\"\" plain=\"\" i\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n" +
         pathArms(commands, "${COMP_WORDS[i]}") + "  done\n" + wordArms(commands) +
         valueArms(commands, "${COMP_WORDS[COMP_CWORD - 1]}") +
         "  if [[ $current == -* ]]; then plain=$options; fi\n"
         "  COMPREPLY=($(compgen -W \"$plain\" -- \"$current\"))\n"
         "}\n"
         "complete -o bashdefault -o default -F _millrace millrace\n";
}

std::string zshCompletion(const std::vector<CommandWords>& commands) {
  return "#compdef millrace\n"
         "# Made by `millrace completion zsh`.\n"
         "_millrace() {\n"
         // In zsh, `path` is the shell's search path unless it is made local.
         "  local current=$words[CURRENT] options=\"\" plain=\"\" i\n"
         "  local -h path=\"\"\n"
         "  for ((i = 2; i < CURRENT; i++)); do\n" +
         pathArms(commands, "$words[i]") + "  done\n" + wordArms(commands) +
         valueArms(commands, "$words[CURRENT-1]") +
         "  if [[ $current == -* ]]; then plain=$options; fi\n"
         "  compadd -- ${=plain}\n"
         "  [[ $current == -* ]] || _files\n"
         "}\n"
         "if [[ $funcstack[1] == _millrace ]]; then _millrace; else compdef _millrace millrace; "
         "fi\n";
}

namespace {

std::string fishCondition(const std::string& path) {
  if (path.empty()) return "__fish_use_subcommand";
  std::vector<std::string> seen;
  for (const std::string& word : split(path, ' '))
    seen.push_back("__fish_seen_subcommand_from " + word);
  return join(seen, "; and ");
}

std::string fishLines(const CommandWords& command, const std::vector<CommandWords>& commands) {
  const std::string head = "complete -c millrace -n " + quoted(fishCondition(command.path));
  std::string text;
  for (const CommandWords& each : commands)
    for (const std::string& sub : command.subcommands)
      if (each.path == (command.path.empty() ? sub : command.path + " " + sub))
        text += fmt::format("{} -f -a {} -d {}\n", head, sub, quoted(each.help));
  if (!command.values.empty())
    text += fmt::format("{} -a {}\n", head, quoted(join(command.values, " ")));
  for (const OptionWords& option : command.options) {
    text += fmt::format("{} -l {} -d {}", head, option.name.substr(2), quoted(option.help));
    if (option.takesValue) text += " -r";
    if (!option.values.empty()) text += " -f -a " + quoted(join(option.values, " "));
    text += "\n";
  }
  return text;
}

}  // namespace

std::string fishCompletion(const std::vector<CommandWords>& commands) {
  std::string text = "# Made by `millrace completion fish`.\n";
  for (const CommandWords& command : commands) text += fishLines(command, commands);
  return text;
}

}  // namespace millrace::cli
