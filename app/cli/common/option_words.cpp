// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/option_words.h"

#include <algorithm>

#include <CLI/CLI.hpp>

namespace millrace::cli {

std::string optionIn(const std::string& word) {
  if (word.starts_with("--")) return word.substr(0, word.find('='));
  return word.starts_with('-') ? word.substr(0, 2) : std::string();
}

bool takesNext(const CLI::App& app, const std::string& word) {
  const CLI::Option* option = app.get_option_no_throw(optionIn(word));
  const bool hasValue =
      word.starts_with("--") ? word.find('=') != std::string::npos : word.size() > 2;
  return option != nullptr && option->get_expected_max() > 0 && !hasValue;
}

std::size_t nextArgument(const std::vector<std::string>& words, std::size_t from,
                         std::span<const CLI::App* const> apps) {
  for (std::size_t at = from; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (word == "--") return at + 1;
    if (word == "-" || optionIn(word).empty()) return at;
    if (std::ranges::any_of(apps, [&](const CLI::App* app) { return takesNext(*app, word); })) ++at;
  }
  return words.size();
}

}  // namespace millrace::cli
