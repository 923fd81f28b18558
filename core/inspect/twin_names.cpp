// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/base/text/visible_name.h"
#include "core/inspect/scan.h"

namespace millrace {

namespace {

/// The names of the pictures in a folder, by what they have in common: `1` of `1.jpg` and
/// `1_mask.png`, with the endings `.jpg` and `_mask.png`.
using Endings = std::map<std::string, std::set<std::string>>;

/// The longest other stem with which this name begins, up to a sign that is not part of a word, so
/// that `1` is not the beginning of `12`; otherwise its own.
std::string commonStem(const std::string& stem, const std::set<std::string>& stems) {
  constexpr std::string_view kSigns = "_-. ()";
  for (std::size_t end = stem.size(); end-- > 1;)
    if (kSigns.find(stem[end]) != std::string_view::npos)
      if (std::string begin = stem.substr(0, end); stems.contains(begin)) return begin;
  return stem;
}

Endings endingsOf(const std::vector<std::string>& names) {
  std::set<std::string> stems;
  for (const std::string& name : names)
    if (isPictureName(name)) stems.emplace(stemOf(name));
  Endings endings;
  for (const std::string& name : names) {
    if (!isPictureName(name)) continue;
    const std::string stem = commonStem(std::string(stemOf(name)), stems);
    endings[stem].insert(name.substr(stem.size()));
  }
  return endings;
}

}  // namespace

bool noteTwins(const std::vector<std::string>& names, FolderContent& content) {
  constexpr std::size_t kFewest = 2;
  const Endings endings = endingsOf(names);
  if (endings.size() < kFewest) return false;
  const auto& [stem, first] = *endings.begin();
  const bool alike =
      std::ranges::all_of(endings, [&](const auto& each) { return each.second == first; });
  if (!alike || first.size() < 2) return false;
  content.details += fmt::format(
      "{}Files belong together by their names, such as `{}` and `{}`. If one is the mask or the "
      "target of the other, write a table (CSV) with a column for each of them.",
      content.details.empty() ? "" : " ", visibleName(stem + *first.begin()),
      visibleName(stem + *std::next(first.begin())));
  return true;
}

}  // namespace millrace
