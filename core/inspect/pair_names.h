// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/folder/pair_table.h"

namespace millrace {

/// Whether one of the words of a name, in lower case and divided by `_`, `-`, dots or spaces, is
/// among `words`.
bool holdsWord(std::string_view name, std::span<const std::string_view> words);
/// The words of folders for training.
inline constexpr std::array<std::string_view, 2> kTrainingWords = {"train", "training"};

// Naming conventions for the two sides of paired data.

/// Two sibling folders, or files, of paired data: inputs and targets, or pictures and masks.
struct PairFolders {
  std::string input;
  std::string target;
  bool isMask = false;
};
/// The pair of folders whose names are conventional; nullopt if there is none. Equal file names
/// alone do not make pairs, since class folders have them too. Index masks are preferred to colour
/// masks, which need a colour table.
std::optional<PairFolders> pairFolders(const std::vector<std::string>& folders);

struct NamePair {
  std::string input;
  std::string target;
};
/// Up to `most` pairs of files with names that look the same (looseName) apart from the extension.
std::vector<NamePair> pairsByName(const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& targets, std::size_t most);

/// The ends by which the names of two folders differ: `_leftImg8bit` and `_gtFine_labelIds`. One of
/// them may be empty.
struct NameEnds {
  std::string input;
  std::string target;
};
/// The ends that pair at least nine of ten inputs with a target; empty if none do. If the lists are
/// not `complete`, nine of ten of the side with fewer names are enough. Index masks are before
/// colours and instances, shorter ends before longer ones.
std::vector<NameEnds> pairEnds(const std::vector<std::string>& inputs,
                               const std::vector<std::string>& targets, bool complete);
/// Up to `most` pairs of files with these ends.
std::vector<NamePair> pairsByEnds(const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& targets, const NameEnds& ends,
                                  std::size_t most);
/// The two names that the files of a pair have in each of several folders, as `s1/image.png` with
/// `s1/mask.png`; nullopt if fewer than nine of ten folders have both.
std::optional<PairFolders> namesInEachFolder(const std::vector<std::string>& names);
/// Up to `most` pairs within one list.
std::vector<NamePair> pairsBySuffix(const UsualSuffixes& suffix,
                                    const std::vector<std::string>& names, std::size_t most);

}  // namespace millrace
