// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

namespace millrace {

/// The smaller of two optional values.
template <class T>
std::optional<T> smaller(std::optional<T> a, std::optional<T> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

/// The smallest `read(folder)` over a control group's folder and all its parents, because each of
/// them applies (cgroups(7)). `hierarchy`: where the controller is mounted; `group`: the path
/// returned by parseCgroupPath.
template <class Read>
auto leastUpwards(const std::filesystem::path& hierarchy, const std::string& group, Read&& read) {
  auto least = read(hierarchy);
  std::filesystem::path folder = hierarchy;
  for (const auto& part : std::filesystem::path(group).relative_path()) {
    folder /= part;
    least = smaller(least, read(folder));
  }
  return least;
}

}  // namespace millrace
