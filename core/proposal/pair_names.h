// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// What people call the two sides of pairs.

/// Two folders beside each other by their names: inputs and targets, or pictures and masks.
struct PairFolders {
  std::string input;
  std::string target;
  bool isMask = false;
};
/// Nothing where the names do not say so: equal file names alone are no pairs, class folders have
/// them too. Masks by index are taken before masks by colour, which need a table.
std::optional<PairFolders> pairFolders(const std::vector<std::string>& folders);

/// How names in one folder end.
struct PairSuffix {
  std::string_view input;
  std::string_view target;
  bool isMask = false;
};
/// Those that paired sources look for, in their order.
std::span<const PairSuffix> usualSuffixes();

struct NamePair {
  std::string input;
  std::string target;
};
/// The first `most` files of both lists that agree in their names without extension. Both sorted.
std::vector<NamePair> pairsByName(const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& targets, std::size_t most);
/// The first `most` pairs within one sorted list.
std::vector<NamePair> pairsBySuffix(const PairSuffix& suffix, const std::vector<std::string>& names,
                                    std::size_t most);

}  // namespace millrace
