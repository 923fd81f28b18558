// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/folder/held_out_names.h"
#include "core/inspect/scan.h"

namespace millrace {

namespace {

bool isHeldOut(const std::string& split) {
  return split == "eval" || std::ranges::find(kHeldOutNames, split) != kHeldOutNames.end();
}

/// `train` of `train-00000-of-00002.parquet` and `mnist-train.tfrecord`: the first word that names
/// a split, or else the first one.
std::string splitNamed(std::string_view file) {
  constexpr std::string_view kDividers = "-_.0123456789";
  const std::string names = lowerCase(file);
  std::string first;
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find_first_of(kDividers, at), names.size());
    const std::string word = names.substr(at, end - at);
    if (word.starts_with("train") || isHeldOut(word)) return word;
    if (at == 0) first = word;
    at = end + 1;
  }
  return first;
}

bool isNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The names, which are sorted and different, as one with braces.
std::string inBraces(const std::vector<std::string>& names) {
  const std::string& first = names.front();
  const std::string& last = names.back();
  std::size_t before = 0;
  std::size_t after = 0;
  const auto allHave = [&](const auto& same) { return std::ranges::all_of(names, same); };
  while (before < first.size() && allHave([&](const std::string& name) {
           return before < name.size() && name[before] == first[before];
         }))
    ++before;
  while (allHave([&](const std::string& name) {
    return before + after < name.size() &&
           name[name.size() - 1 - after] == first[first.size() - 1 - after];
  }))
    ++after;
  // Numbers stay whole.
  while (before > 0 && isNumber(first.substr(before - 1, 1))) --before;
  while (after > 0 && isNumber(first.substr(first.size() - after, 1))) --after;
  std::vector<std::string> middles;
  for (const std::string& name : names)
    middles.push_back(name.substr(before, name.size() - before - after));
  std::string inside = join(middles, ",");
  const std::string& low = middles.front();
  const std::string& high = middles.back();
  constexpr std::size_t kMostDigits = 9;
  if (low.size() == high.size() && low.size() <= kMostDigits &&
      std::ranges::all_of(middles, isNumber) &&
      std::stoul(high) - std::stoul(low) + 1 == middles.size())
    inside = low + ".." + high;
  return first.substr(0, before) + "{" + inside + "}" + last.substr(last.size() - after);
}

}  // namespace

std::optional<TrainShards> trainShards(std::vector<std::string> names) {
  const std::size_t all = names.size();
  std::erase_if(names, [](const std::string& name) { return isHeldOut(splitNamed(name)); });
  const bool braces = std::ranges::any_of(names, [](const std::string& name) {
    return name.find_first_of("{},") != std::string::npos;
  });
  const bool train = std::ranges::all_of(
      names, [](const std::string& name) { return splitNamed(name).starts_with("train"); });
  if (names.empty() || names.size() == all || braces || !train) return std::nullopt;
  std::ranges::sort(names);
  return TrainShards{names.size() == 1 ? names.front() : inBraces(names), names.size(),
                     all - names.size()};
}

}  // namespace millrace
