// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/completion/candidates.h"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/completion/argument_values.h"

namespace millrace::cli {

namespace {

bool isBreak(const std::string& word) { return word == "=" || word == ":"; }

/// The command line before the unfinished word.
class ReadLine {
 public:
  ReadLine(const CLI::App& app, const std::vector<std::string>& words) : m_at(&app), m_root(app) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) take(words[i]);
  }

  /// The option whose value comes next; nullptr if none does.
  const CLI::Option* awaiting() const { return m_awaiting; }
  const CLI::App& command() const { return *m_at; }
  const CompletionLine& line() const { return m_line; }

  const CLI::Option* option(const std::string& name) const {
    const CLI::Option* own = m_at->get_option_no_throw(name);
    return own != nullptr ? own : m_root.get_option_no_throw(name);
  }

  /// The positional argument that comes next; nullptr if all are given.
  const CLI::Option* positional() const {
    std::size_t before = m_line.positionals.size();
    for (const CLI::Option* option : m_at->get_options()) {
      if (!option->get_positional()) continue;
      if (option->get_items_expected_max() > 1 || before == 0) return option;
      --before;
    }
    return nullptr;
  }

 private:
  void take(const std::string& word) {
    if (m_awaiting != nullptr) {
      m_line.values.emplace_back(m_awaiting->get_name(), word);
      m_awaiting = nullptr;
    } else if (word.size() > 1 && word.front() == '-') {
      const CLI::Option* known = option(word.substr(0, word.find('=')));
      if (known != nullptr && known->get_items_expected_max() > 0 &&
          word.find('=') == std::string::npos)
        m_awaiting = known;
    } else if (const auto subs = m_at->get_subcommands(
                   [&](const CLI::App* sub) { return sub->get_name() == word; });
               !subs.empty()) {
      m_at = subs.front();
      m_line.command += (m_line.command.empty() ? "" : " ") + word;
    } else {
      m_line.positionals.push_back(word);
    }
  }

  const CLI::App* m_at;
  const CLI::App& m_root;
  const CLI::Option* m_awaiting = nullptr;
  CompletionLine m_line;
};

std::vector<std::string> optionsOf(const CLI::App& command, const CLI::App& root) {
  std::vector<std::string> names;
  for (const CLI::App* app : {&command, &root}) {
    for (const CLI::Option* option : app->get_options())
      if (!option->get_group().empty())  // Otherwise used by programs that start this one.
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    if (&command == &root) break;
  }
  return names;
}

std::vector<std::string> commandsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub :
       app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); }))
    names.push_back(sub->get_name());
  return names;
}

/// What follows "help" and these words: names of commands, too.
std::vector<std::string> explained(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  for (const std::string& word : words) {
    const auto subs =
        at->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == word; });
    if (subs.empty()) return {};
    at = subs.front();
  }
  return commandsOf(*at);
}

}  // namespace

std::vector<std::string> joinedWords(const std::vector<std::string>& words) {
  std::vector<std::string> joined;
  bool open = false;
  for (const std::string& word : words) {
    if ((isBreak(word) || open) && !joined.empty())
      joined.back() += word;
    else
      joined.push_back(word);
    open = isBreak(word);
  }
  return joined;
}

std::vector<std::string> candidatesFor(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty()) return {};
  const ReadLine read(app, words);
  const std::string& last = words.back();
  if (read.awaiting() != nullptr) return valuesOf(*read.awaiting(), read.line(), last);
  if (last.starts_with("--") && last.find('=') != std::string::npos) {
    const std::string name = last.substr(0, last.find('='));
    std::vector<std::string> values;
    if (const CLI::Option* option = read.option(name))
      for (const std::string& value : valuesOf(*option, read.line(), last.substr(name.size() + 1)))
        values.push_back(fmt::format("{}={}", name, value));
    return values;
  }
  if (last.starts_with('-')) return optionsOf(read.command(), app);
  if (read.line().command == "help") return explained(app, read.line().positionals);
  std::vector<std::string> candidates;
  if (read.line().positionals.empty()) candidates = commandsOf(read.command());
  if (const CLI::Option* positional = read.positional())
    for (std::string& value : valuesOf(*positional, read.line(), last))
      candidates.push_back(std::move(value));
  return candidates;
}

}  // namespace millrace::cli
