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

// Naming conventions for the two sides of paired data.

/// Two sibling folders of paired data: inputs and targets, or pictures and masks.
struct PairFolders {
  std::string input;
  std::string target;
  bool isMask = false;
};
/// The pair of folders whose names are conventional; nullopt if there is none. Equal file names
/// alone do not make pairs, since class folders have them too. Index masks are preferred to colour
/// masks, which need a colour table.
std::optional<PairFolders> pairFolders(const std::vector<std::string>& folders);

/// Endings that distinguish inputs and targets in one folder.
struct PairSuffix {
  std::string_view input;
  std::string_view target;
  bool isMask = false;
};
/// The endings that paired sources try, in that order.
std::span<const PairSuffix> usualSuffixes();

struct NamePair {
  std::string input;
  std::string target;
};
/// Up to `most` pairs of files with equal names apart from the extension. Both lists must be
/// sorted.
std::vector<NamePair> pairsByName(const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& targets, std::size_t most);
/// Up to `most` pairs within one sorted list.
std::vector<NamePair> pairsBySuffix(const PairSuffix& suffix, const std::vector<std::string>& names,
                                    std::size_t most);

}  // namespace millrace
