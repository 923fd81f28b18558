// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/file_list.h"

namespace millrace {

/// What the two files of a pair do not share at the end of their names: `_LR`, `_LR.png`, or
/// nothing. A suffix without extension counts in front of any.
struct PairSuffixes {
  std::string input;
  std::string target;
};

/// Which target belongs to which input, by the path below the root without suffix and extension.
struct PairTable {
  struct Pair {
    std::uint32_t input;   ///< index into the list of inputs
    std::uint32_t target;  ///< index into the list of targets
  };
  std::vector<Pair> pairs;  ///< in the order of the inputs
  /// Files without partner, in sentences.
  std::vector<std::string> notes;

  /// Inputs and targets in two lists. The error says how the names failed to agree.
  static Result<PairTable> match(const FileList& inputs, const FileList& targets,
                                 const PairSuffixes& suffixes);
  /// Both in one list, told apart by suffix; where neither is given, by the first of the usual
  /// suffixes that finds pairs, which a note names.
  static Result<PairTable> matchWithin(const FileList& files, const PairSuffixes& suffixes);
};

/// What `path` is called among files with this suffix; empty when it is none of them.
std::string_view pairKey(std::string_view path, std::string_view suffix);

}  // namespace millrace
