// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/usage_error.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/text_layout.h"
#include "app/cli/common/unknown_name.h"
#include "core/base/text/shell_word.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/nodes/builtin.h"
#include "core/spec/did_you_mean.h"

namespace millrace::cli {

namespace {

std::vector<std::string> subcommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub :
       app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); }))
    names.push_back(sub->get_name());
  return names;
}

std::vector<std::string> optionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // Internal: used by programs that start this one.
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The option that takes a setting like "batch.size=16" or, if there are several values, one like
/// "batch.size=16,32"; nullptr if the word is none, or the command has no such option.
const char* optionForSetting(const std::string& word, const CLI::App& at) {
  const std::size_t equals = word.find('=');
  if (equals == 0 || equals == std::string::npos) return nullptr;
  const bool isOne = word.find_first_of(",*", equals) == std::string::npos &&
                     word.find("..", equals) == std::string::npos;
  for (const char* name : {isOne ? "--set" : "--vary", "--set"})
    if (at.get_option_no_throw(name) != nullptr) return name;
  return nullptr;
}

/// The parameter that an option of other frameworks would set, as KIND.PARAM: "batch.size" for
/// "--batch-size". Empty: none, several, or the command takes no settings.
std::string settingFor(const std::string& option, const CLI::App& at) {
  if (at.get_option_no_throw("--set") == nullptr) return {};
  std::string word = option.substr(std::min(option.find_first_not_of('-'), option.size()));
  std::ranges::replace(word, '-', '_');
  std::vector<std::string> meant;
  for (const NodeSpec& spec : builtinCatalog().all())
    for (const ParamSpec& param : spec.params)
      if (const std::string setting = spec.kind + "." + param.name;
          setting == word || isOtherName(spec.kind, param.name, word))
        meant.push_back(setting);
  return meant.size() == 1 ? meant.front() : std::string();
}

struct OtherCommand {
  std::string_view word;
  std::string_view command;
};
/// What other programs call our commands.
constexpr OtherCommand kOtherCommands[] = {
    {"ls", "runs list"},     {"bench", "run"},     {"benchmark", "run"},     {"measure", "run"},
    {"profile", "diagnose"}, {"optimise", "tune"}, {"optimize", "tune"},     {"validate", "check"},
    {"lint", "check"},       {"info", "inspect"},  {"version", "--version"}, {"-V", "--version"},
    {"-v", "--version"}};

/// The command line that `word` means in place of a command, without the program's name: one of
/// another program, a command of `runs`, a run, a pipeline file or data. Empty: none.
std::string commandLineFor(const std::string& word, const CLI::App& at) {
  if (at.get_parent() != nullptr)
    return at.get_name() == "runs" && word.find_first_not_of("0123456789") == std::string::npos
               ? "runs show " + word
               : "";
  const auto other = std::ranges::find(kOtherCommands, word, &OtherCommand::word);
  if (other != std::end(kOtherCommands)) return std::string(other->command);
  for (const CLI::App* sub : at.get_subcommands([](const CLI::App*) { return true; }))
    if (std::ranges::count(subcommandNames(*sub), word) > 0) return sub->get_name() + " " + word;
  std::error_code error;
  if (!std::filesystem::exists(word, error)) return {};
  return (word.ends_with(".json") ? "run " : "inspect ") + shownShellWord(word);
}

/// The deepest command that was parsed, and its full name, "millrace runs".
const CLI::App& reached(const CLI::App& app, std::string& name) {
  const CLI::App* at = &app;
  name = "millrace";
  for (auto subs = at->get_subcommands(); !subs.empty(); subs = at->get_subcommands()) {
    at = subs.front();
    name += " " + at->get_name();
  }
  return *at;
}

/// CLI11's text about an argument in the words of the other messages.
std::string plainWords(const CLI::ParseError& error) {
  const std::string text = error.what();
  const auto isKind = [&](std::string_view kind) { return error.get_name() == kind; };
  /// "A BETWEEN B" with other words between; empty if it is another text.
  const auto reworded = [&](std::string_view between, std::string_view with) {
    const std::size_t at = text.find(between);
    if (at == std::string::npos) return std::string();
    return text.substr(0, at) + std::string(with) + text.substr(at + between.size());
  };
  std::string plain;
  if (const std::string name = reworded(" is required", "");
      isKind("RequiredError") && !name.empty())
    plain = (name.starts_with('-') ? "the option " + name : "the argument `" + name + "`") +
            " is missing";
  else if (isKind("ArgumentMismatch") && text.ends_with(" missing"))
    plain = text.substr(0, text.find(':')) + " needs a value";
  else if (const std::string both = reworded(" excludes ", " and "); isKind("ExcludesError"))
    plain = both + " exclude each other";
  else if (isKind("RequiresError"))
    plain = reworded(" requires ", " needs ");
  return plain.empty() ? text : plain;
}

}  // namespace

std::string unknownWord(const std::string& word, const CLI::App& at) {
  const bool isOption = word.size() > 1 && word.front() == '-';
  if (const char* option = isOption ? nullptr : optionForSetting(word, at))
    return fmt::format("error: unexpected argument `{0}`; did you mean `{1} {0}`?\n",
                       visibleName(word), option);
  if (const std::string setting = isOption ? settingFor(word, at) : ""; !setting.empty())
    return fmt::format("error: there is no option `{}`; did you mean `--set {}=VALUE`?\n",
                       visibleName(word), setting);
  if (const std::string meant = commandLineFor(word, at); !meant.empty())
    return fmt::format("error: there is no {} `{}`; did you mean `millrace {}`?\n",
                       isOption ? "option" : "command", visibleName(word), meant);
  const std::vector<std::string> valid = isOption ? optionNames(at) : subcommandNames(at);
  if (valid.empty()) return fmt::format("error: unexpected argument `{}`\n", visibleName(word));
  return fmt::format("error: {}\n", unknownName(isOption ? "option" : "command", word, valid));
}

bool wantsJson(const CLI::App& app) {
  std::string ignored;
  const CLI::Option* json = reached(app, ignored).get_option_no_throw("--json");
  return json != nullptr && json->count() > 0;
}

std::string emptyArgument(const CLI::App& app) {
  std::string name;
  const CLI::App& at = reached(app, name);
  for (const CLI::Option* option : at.get_options()) {
    const bool any = std::ranges::any_of(
        option->results(), [](const std::string& value) { return trimmed(value).empty(); });
    const bool needsValue = option->get_expected_min() > 0;  // Neither a flag nor `--resume`.
    if (!any || !needsValue || (name == "millrace runs note" && option->get_name() == "text"))
      continue;
    return fmt::format(
        "error: {} is empty; give a value or leave it out\n    help: {} --help\n",
        option->get_positional() ? "the argument " + option->get_name() : option->get_name(), name);
  }
  return {};
}

std::string usageError(const CLI::App& app, const CLI::ParseError& error) {
  std::string name;
  const CLI::App& at = reached(app, name);
  std::vector<std::string> unknown = app.remaining(true);
  std::erase(unknown, "--");
  std::string text;
  // A valid option is left only if it comes after `--`.
  const std::vector<std::string> valid = optionNames(at);
  if (!unknown.empty() && std::ranges::find(valid, unknown.front()) != valid.end())
    text = fmt::format("error: unexpected argument `{}`: after `--` there are no options\n",
                       visibleName(unknown.front()));
  else if (!unknown.empty())
    text = unknownWord(unknown.front(), at);
  else if (at.get_require_subcommand_min() > 0)
    text = fmt::format("error: {} needs a command\n    valid: {}", name,
                       wrapped(joinWords(subcommandNames(at)), 11, 11));
  else
    text = fmt::format("error: {}\n", visibleName(plainWords(error)));
  return text + fmt::format("    help: {} --help\n", name);
}

}  // namespace millrace::cli
