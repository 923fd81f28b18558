// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/loader/loader_words.h"

#include <algorithm>

#include "core/base/text/loader_word.h"

namespace millrace::cli {

namespace {

struct Meaning {
  const char* command;
  std::vector<std::string> words;
};

}  // namespace

std::vector<std::string> wordsForLoader(std::vector<std::string> words) {
  static const Meaning kMeanings[] = {{"run", {"loader"}}, {"tune", {"loader", "--tune"}}};
  if (std::ranges::none_of(words, isLoaderWord)) return words;
  const auto command =
      std::ranges::find_if(words, [](const std::string& word) { return !word.starts_with('-'); });
  for (const Meaning& meaning : kMeanings) {
    if (*command != meaning.command) continue;
    const auto after = words.erase(command);
    words.insert(after, meaning.words.begin(), meaning.words.end());
    break;
  }
  return words;
}

}  // namespace millrace::cli
