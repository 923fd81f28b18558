// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/folder/file_list.h"

namespace millrace {

/// The differing ends of the two names of a pair: `_LR`, `_LR.png`, or empty. A suffix without
/// extension is followed by any extension.
struct PairSuffixes {
  std::string input;
  std::string target;
};

/// Usual ends of the names of inputs and targets in one folder. `isMask`: the targets are masks.
struct UsualSuffixes {
  std::string_view input;
  std::string_view target;
  bool isMask = false;
};
/// In the order in which PairTable::matchWithin tries them. The exported Python code has the same
/// list (resources/export).
std::span<const UsualSuffixes> usualSuffixes();

/// Assigns targets to inputs by the path below the root without suffix and extension. Names that
/// only look alike (looseName) are paired if no other file of either side has that name.
struct PairTable {
  struct Pair {
    std::uint32_t input;   ///< index into the list of inputs
    std::uint32_t target;  ///< index into the list of targets
  };
  std::vector<Pair> pairs;         ///< in the order of the inputs
  std::vector<std::string> notes;  ///< files without a counterpart, in sentences

  /// Inputs and targets in two lists. The error says why no names match.
  static Result<PairTable> match(const FileList& inputs, const FileList& targets,
                                 const PairSuffixes& suffixes);
  /// Both in one list, distinguished by suffix; if neither suffix is given, by the first of the
  /// usual suffixes that yields pairs, with a note that names it.
  static Result<PairTable> matchWithin(const FileList& files, const PairSuffixes& suffixes);
};

/// The pair's key of `path` among files with this suffix; empty if the path does not have it.
std::string_view pairKey(std::string_view path, std::string_view suffix);

}  // namespace millrace
