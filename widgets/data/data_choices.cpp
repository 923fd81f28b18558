// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/data/data_choices.h"

#include <algorithm>

namespace millrace {

std::vector<std::filesystem::path> dataChoices(const std::vector<DataPlace>& places) {
  std::vector<std::filesystem::path> choices;
  const auto offer = [&choices](const std::filesystem::path& path) {
    if (std::ranges::find(choices, path) == choices.end()) choices.push_back(path);
  };
  for (const DataPlace& place : places) {
    const bool hasSibling = std::ranges::any_of(places, [&place](const DataPlace& other) {
      return other.node == place.node && other.path != place.path &&
             other.path.parent_path() == place.path.parent_path();
    });
    if (hasSibling) offer(place.path.parent_path());
  }
  for (const DataPlace& place : places) offer(place.path);
  return choices;
}

}  // namespace millrace
