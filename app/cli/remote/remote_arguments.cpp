// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/remote/remote_arguments.h"

#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/input.h"
#include "core/graph/json/graph_json.h"
#include "core/open/examples.h"
#include "core/open/pipeline_request.h"

namespace millrace::cli {

namespace {

namespace fs = std::filesystem;

/// "--long", or "-s" for an option without a long name.
std::string optionNameOf(const CLI::Option& option) {
  if (!option.get_lnames().empty()) return "--" + option.get_lnames().front();
  return "-" + option.get_snames().front();
}

bool takesValues(const CLI::Option& option) { return option.get_expected_max() > 0; }

/// The names of the pipelines that the command was given.
std::vector<std::string> pipelinesOf(const CLI::App& command) {
  std::vector<std::string> names;
  for (const char* argument : {"pipeline", "A", "B"}) {
    const CLI::Option* option = command.get_option_no_throw(argument);
    if (option == nullptr) continue;
    names.insert(names.end(), option->results().begin(), option->results().end());
  }
  return names;
}

/// At most one byte more than a document may have, so that a reader sees that it is too long.
std::optional<std::string> sentTextOf(const std::string& file) {
  if (file == "-") return standardInput(kMaxGraphBytes);
  if (isStream(file)) return streamText(file, kMaxGraphBytes);
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::string text(kMaxGraphBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return in.bad() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace

std::vector<std::string> wordsOf(const CLI::App& command, const std::set<std::string>& without) {
  std::vector<std::string> words = {command.get_name()};
  std::vector<std::string> positionals;
  for (const CLI::Option* option : command.get_options()) {
    const std::vector<std::string>& values = option->results();
    if (option->count() == 0) continue;
    if (option->get_positional()) {
      positionals.insert(positionals.end(), values.begin(), values.end());
      continue;
    }
    const std::string name = optionNameOf(*option);
    if (without.contains(name)) continue;
    for (const std::string& value : values)
      words.push_back(takesValues(*option) ? name + "=" + value : name);
  }
  if (!positionals.empty()) words.emplace_back("--");
  words.insert(words.end(), positionals.begin(), positionals.end());
  return words;
}

std::vector<std::pair<std::string, std::string>> documentsOf(const CLI::App& command,
                                                             Problems& problems) {
  std::vector<std::pair<std::string, std::string>> documents;
  for (const std::string& name : pipelinesOf(command)) {
    std::error_code error;
    if (name != "-" && !fs::exists(name, error) && exampleJson(name)) continue;
    if (auto text = fs::is_directory(name, error) ? std::nullopt : sentTextOf(name)) {
      documents.emplace_back(name, std::move(*text));
      continue;
    }
    // The same sentence as without another machine.
    PipelineRequest request;
    request.pipeline = name;
    if (loadRequest(request, problems))
      problems.error("", "", fmt::format("{} cannot be read", name), "");
  }
  return documents;
}

}  // namespace millrace::cli
