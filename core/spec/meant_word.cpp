// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/meant_word.h"

#include <algorithm>
#include <cstddef>

#include "core/base/text/text.h"

namespace millrace {

namespace {

std::string_view withoutDashes(std::string_view word) {
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

/// Whether `word` has only letters of `full`, in their order, and begins with the same one.
bool abbreviates(std::string_view word, std::string_view full) {
  if (word.size() < 2 || !full.starts_with(word.front())) return false;
  std::size_t at = 0;
  for (const char letter : word) {
    at = full.find(letter, at);
    if (at++ == std::string_view::npos) return false;
  }
  return true;
}

}  // namespace

std::string meantWord(std::string_view word, const std::vector<std::string>& valid) {
  word = withoutDashes(word);
  std::vector<std::string> names;
  for (const std::string& each : valid) names.emplace_back(withoutDashes(each));
  const auto isFull = [&](const std::string& name) { return abbreviates(word, name); };
  auto meant = std::ranges::find_if(names, isFull);
  if (std::ranges::count_if(names, isFull) != 1)
    meant = std::ranges::find(names, nearest(word, names));
  return meant == names.end() ? "" : valid[static_cast<std::size_t>(meant - names.begin())];
}

}  // namespace millrace
