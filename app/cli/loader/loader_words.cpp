// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/loader/loader_words.h"

#include <array>
#include <cstddef>

#include <CLI/CLI.hpp>

#include "app/cli/common/option_words.h"
#include "core/base/text/loader_word.h"

namespace millrace::cli {

namespace {

struct Meaning {
  const char* command;
  std::vector<std::string> words;
};

}  // namespace

std::vector<std::string> wordsForLoader(const CLI::App& app, std::vector<std::string> words) {
  static const Meaning kMeanings[] = {{"run", {"loader"}}, {"tune", {"loader", "--tune"}}};
  const std::size_t command = nextArgument(words, 0, std::array{&app});
  for (const Meaning& meaning : kMeanings) {
    if (command >= words.size() || words[command] != meaning.command) continue;
    const CLI::App* loader = app.get_subcommand("loader");
    const CLI::App* own = app.get_subcommand(meaning.command);
    const std::size_t first = nextArgument(words, command + 1, std::array{own, loader, &app});
    if (first >= words.size() || !isLoaderWord(words[first])) break;
    const auto after = words.erase(words.begin() + static_cast<std::ptrdiff_t>(command));
    words.insert(after, meaning.words.begin(), meaning.words.end());
    break;
  }
  return words;
}

}  // namespace millrace::cli
