// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/remote/remote_arguments.h"

#include <array>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/input.h"
#include "app/cli/common/option_words.h"
#include "core/graph/json/graph_json.h"
#include "core/open/examples.h"
#include "core/open/pipeline_request.h"

namespace millrace::cli {

namespace {

namespace fs = std::filesystem;

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

std::vector<std::string> wordsToSend(const CLI::App& app, const std::vector<std::string>& given,
                                     const std::set<std::string>& without) {
  const CLI::App& command = *app.get_subcommands().front();
  std::size_t at = nextArgument(given, 0, std::array{&app});
  std::vector<std::string> words;
  for (; at < given.size() && given[at] != "--"; ++at) {
    const std::string name = optionIn(given[at]);
    const bool own = command.get_option_no_throw(name) != nullptr;
    const bool programs = !own && app.get_option_no_throw(name) != nullptr;
    if (name.empty() || (!programs && !without.contains(name)))
      words.push_back(given[at]);
    else if (takesNext(own ? command : app, given[at]))
      ++at;
  }
  for (; at < given.size(); ++at) words.push_back(given[at]);
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
