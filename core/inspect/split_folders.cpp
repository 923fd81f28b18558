// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Folders that divide a data set into splits.
#include <algorithm>
#include <array>

#include "core/formats/folder/held_out_names.h"
#include "core/inspect/pair_names.h"
#include "core/inspect/scan.h"

namespace millrace {

namespace {

/// Besides kHeldOutNames: `query` and `gallery` are for re-identification.
constexpr std::array<std::string_view, 6> kOtherWords = {"testing", "eval",    "pred",
                                                         "query",   "gallery", "unlabeled"};

}  // namespace

std::optional<std::filesystem::path> trainFolder(const std::filesystem::path& folder,
                                                 const FolderProbe& seen) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(seen.folders, name) != seen.folders.end();
  };
  const bool divided = has("train") && std::ranges::any_of(kHeldOutNames, has);
  return divided ? std::optional(folder / "train") : std::nullopt;
}

std::string trainingSplit(const FolderProbe& seen) {
  const auto isTraining = [](const std::string& name) { return holdsWord(name, kTrainingWords); };
  const auto isHeldOut = [](const std::string& name) {
    return holdsWord(name, kHeldOutNames) || holdsWord(name, kOtherWords);
  };
  const auto found = std::ranges::find_if(seen.folders, isTraining);
  if (found == seen.folders.end() || *found == "train" ||
      std::ranges::count_if(seen.folders, isTraining) != 1 ||
      std::ranges::none_of(seen.folders, isHeldOut))
    return {};
  return *found;
}

}  // namespace millrace
