// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/inspect/scan.h"

namespace millrace {

namespace {

/// Words of the names of arrays of samples and of their labels, in lower case.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kWords = {
    {{"images", "labels"},
     {"image", "label"},
     {"imgs", "labels"},
     {"data", "labels"},
     {"features", "labels"},
     {"inputs", "targets"},
     {"x", "y"},
     {"images", "masks"},
     {"image", "mask"},
     {"imgs", "masks"},
     {"x", "masks"}}};

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The name with the word replaced where it is a whole word; empty if it is not in the name.
std::string withWord(const std::string& name, std::string_view word, std::string_view other) {
  const std::string low = lowerCase(name);
  for (std::size_t at = low.find(word); at != std::string::npos; at = low.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at > 0 && isLetter(low[at - 1])) || (end < low.size() && isLetter(low[end]))) continue;
    return low.substr(0, at) + std::string(other) + low.substr(end);
  }
  return {};
}

}  // namespace

std::optional<LabelledArrays> labelledArrays(const FolderProbe& seen) {
  std::optional<LabelledArrays> found;
  for (const std::string& name : seen.files) {
    if (!name.ends_with(".npy") && !name.ends_with(".npz")) continue;
    for (const auto& [word, other] : kWords) {
      const std::string wanted = withWord(name, word, other);
      const auto labels = std::ranges::find_if(
          seen.files, [&](const std::string& file) { return lowerCase(file) == wanted; });
      if (wanted.empty() || labels == seen.files.end()) continue;
      const bool train = lowerCase(name).find("train") != std::string::npos;
      if (!found || train) found = LabelledArrays{name, *labels};
      break;
    }
  }
  return found;
}

}  // namespace millrace
