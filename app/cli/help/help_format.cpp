// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/help/help_format.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/cli/common/text_layout.h"
#include "core/base/text/text.h"

namespace millrace::cli {

namespace {

/// An option such as --resume, which leaves few others: the command's text explains it.
bool excludesMany(const CLI::Option& option) { return option.get_excludes().size() > 3; }

std::vector<std::string> sortedNames(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options)
    if (!excludesMany(*option)) names.push_back(option->get_name());
  std::ranges::sort(names);
  return names;
}

/// CLI11 begins each further line of a description in this column.
constexpr std::size_t kColumn = 30;

/// A description within the width of the page, in lines without indentation.
std::string inColumn(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string& line : split(trimmed(wrapped(text, kColumn, kColumn)), '\n'))
    lines.emplace_back(trimmed(line));
  return join(lines, "\n");
}

/// `line` with a command that begins at `command`, wrapped before options so that it can still be
/// copied.
std::string commandLines(const std::string& line, std::size_t command) {
  std::vector<std::string> parts;
  for (const std::string& word : split(line.substr(command), ' ')) {
    if (parts.empty() || word.starts_with('-'))
      parts.push_back(word);
    else
      parts.back() += " " + word;
  }
  constexpr std::string_view kContinued = " \\";
  const std::string indent(command + 4, ' ');
  std::string text = line.substr(0, command) + parts.front();
  std::size_t column = columnsOf(text);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t width = columnsOf(parts[i]);
    const bool fits = column + 1 + width + kContinued.size() <= pageColumns();
    text += fits ? " " : std::string(kContinued) + "\n" + indent;
    text += parts[i];
    column = (fits ? column + 1 : indent.size()) + width;
  }
  return text;
}

/// A line of the text below the options. All lines of a sentence begin at the margin.
std::string footerLine(const std::string& line) {
  const std::size_t command = line.find("millrace ");
  const std::string_view before = trimmed(std::string_view(line).substr(0, command));
  if (command != std::string::npos && (before.empty() || before == "Example:"))
    return columnsOf(line) > pageColumns() ? commandLines(line, command) : line;
  if (line.starts_with(' ') || line.starts_with("Example")) return wrappedMessage(line);
  std::string text = wrapped(line, 0);
  text.pop_back();
  return text;
}

class HelpFormat final : public CLI::Formatter {
 public:
  HelpFormat() { column_width(kColumn); }

  std::string make_description(const CLI::App* app) const override {
    return wrappedMessage(CLI::Formatter::make_description(app));
  }
  std::string make_footer(const CLI::App* app) const override {
    std::vector<std::string> lines = split(CLI::Formatter::make_footer(app), '\n');
    for (std::string& line : lines) line = footerLine(line);
    return join(lines, "\n");
  }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    return wrappedMessage(CLI::Formatter::make_usage(app, std::move(name)));
  }
  std::string make_subcommand(const CLI::App* sub) const override {
    std::ostringstream out;
    CLI::detail::format_help(out, sub->get_name(), inColumn(sub->get_description()), kColumn);
    return out.str();
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string all = CLI::Formatter::make_option_opts(option);
    return all.substr(0, std::min(all.find(" Needs:"), all.find(" Excludes:")));
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = option->get_description();
    const std::vector<std::string> needed = sortedNames(option->get_needs());
    const std::vector<std::string> excluded = sortedNames(option->get_excludes());
    if (!needed.empty()) text += "; needs " + join(needed, " and ");
    if (!excluded.empty() && !excludesMany(*option)) text += "; not with " + join(excluded, " or ");
    return inColumn(text);
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> helpFormat() { return std::make_shared<HelpFormat>(); }

}  // namespace millrace::cli
