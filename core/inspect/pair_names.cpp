// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/pair_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/base/text/folded_name.h"
#include "core/base/text/text.h"
#include "core/formats/folder/held_out_names.h"
#include "core/inspect/folder_probe.h"

namespace millrace {

namespace {

using Words = std::span<const std::string_view>;

// Words that occur in the names of paired folders.
constexpr std::array<std::string_view, 20> kInputWords = {
    "rgb",    "color",  "colour", "lr",      "lq",         "low",        "small",
    "input",  "inputs", "blur",   "blurred", "blurry",     "noisy",      "image",
    "images", "img",    "imgs",   "photos",  "jpegimages", "leftimg8bit"};
constexpr std::array<std::string_view, 12> kTargetWords = {"depth",   "depths", "hr",      "high",
                                                           "large",   "target", "targets", "output",
                                                           "outputs", "sharp",  "gt",      "clean"};
constexpr std::array<std::string_view, 15> kMaskWords = {
    "mask",      "masks",       "label",        "labels",        "annotation",        "annotations",
    "annotated", "seg",         "segmentation", "segmentations", "segmentationclass", "gtfine",
    "gtcoarse",  "groundtruth", "manual"};
/// Some data sets have colour masks next to index masks; index masks need no colour table.
constexpr std::array<std::string_view, 3> kColourWords = {"colour", "color", "rgb"};

/// The first folder whose name contains one of `words` and none of `without`.
std::string firstWith(const std::vector<std::string>& folders, Words words, Words without) {
  for (const std::string& name : folders)
    if (holdsWord(name, words) && !holdsWord(name, without)) return name;
  return {};
}

/// A folder and another one with its name and a word, as CamVid's `train` and `train_labels`; those
/// for training first.
std::optional<PairFolders> namedAfterAnother(const std::vector<std::string>& folders) {
  std::optional<PairFolders> found;
  for (const std::string& name : folders) {
    const std::size_t end = name.find_last_of("_- .");
    if (end == std::string::npos || end == 0) continue;
    const std::string word = name.substr(end + 1);
    const bool isMask = holdsWord(word, kMaskWords);
    const std::string input = name.substr(0, end);
    if ((!isMask && !holdsWord(word, kTargetWords)) ||
        std::ranges::find(folders, input) == folders.end())
      continue;
    PairFolders pair{input, name, isMask};
    if (lowerCase(input).starts_with("train")) return pair;
    if (!found) found = pair;
  }
  return found;
}

/// How the ends can be that pair the first input: with each of the targets whose names share most
/// with its name. An end begins with its separator.
std::vector<NameEnds> possibleEnds(std::string_view input,
                                   const std::vector<std::string>& targets) {
  const std::size_t slash = input.rfind('/');
  const std::size_t name = slash == std::string_view::npos ? 0 : slash + 1;
  std::size_t longest = name + 1;
  std::vector<NameEnds> found;
  for (const std::string& path : targets) {
    const std::string_view target = stemOf(path);
    const auto shared =
        static_cast<std::size_t>(std::ranges::mismatch(input, target).in1 - input.begin());
    if (shared < longest) continue;
    if (shared > longest) found.clear();
    longest = shared;
    const bool isSeparator = shared > name + 1 && shared < input.size() && shared < target.size() &&
                             std::string_view("_-. ").find(input[shared - 1]) != std::string::npos;
    const std::size_t begin = isSeparator ? shared - 1 : shared;
    found.push_back({std::string(input.substr(begin)), std::string(target.substr(begin))});
  }
  return found;
}

/// Whether masks with this end are better than others: smaller is better.
std::pair<bool, std::size_t> rankOf(const NameEnds& ends) {
  const bool isOther = holdsWord(ends.target, kColourWords) ||
                       lowerCase(ends.target).find("instance") != std::string::npos;
  return {isOther, ends.target.size()};
}

/// Names by folded stem.
using Stems = std::map<std::string, const std::string*>;

Stems byStem(const std::vector<std::string>& names) {
  Stems stems;
  for (const std::string& name : names) stems.emplace(looseName(stemOf(name)), &name);
  return stems;
}

/// The target of an input with these ends; nullptr: there is none.
const std::string* targetOf(const std::string& input, const NameEnds& ends, const Stems& targets) {
  const std::string_view stem = stemOf(input);
  if (!stem.ends_with(ends.input)) return nullptr;
  std::string target(stem.substr(0, stem.size() - ends.input.size()));
  target += ends.target;
  const auto found = targets.find(looseName(target));
  return found == targets.end() ? nullptr : found->second;
}

/// Folders for training first, those of held-out splits last.
std::vector<std::string> trainingFirst(std::vector<std::string> folders) {
  std::ranges::stable_sort(folders, {}, [&](const std::string& name) {
    return holdsWord(name, kTrainingWords) ? 0 : holdsWord(name, kHeldOutNames) ? 2 : 1;
  });
  return folders;
}

}  // namespace

bool holdsWord(std::string_view name, std::span<const std::string_view> words) {
  std::string low = lowerCase(name);
  for (char& letter : low)
    if (letter == '-' || letter == '.' || letter == ' ') letter = '_';
  for (const std::string& part : split(low, '_'))
    if (std::find(words.begin(), words.end(), part) != words.end()) return true;
  return false;
}

std::optional<PairFolders> pairFolders(const std::vector<std::string>& all) {
  const std::vector<std::string> folders = trainingFirst(all);
  PairFolders sides;
  sides.target = firstWith(folders, kMaskWords, kColourWords);
  if (sides.target.empty()) sides.target = firstWith(folders, kMaskWords, {});
  sides.isMask = !sides.target.empty();
  if (!sides.isMask) sides.target = firstWith(folders, kTargetWords, {});
  std::vector<std::string> others = folders;
  std::erase(others, sides.target);
  sides.input = firstWith(others, kInputWords, kMaskWords);
  if (sides.target.empty() || sides.input.empty()) return namedAfterAnother(folders);
  return sides;
}

std::vector<NamePair> pairsByName(const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& targets, std::size_t most) {
  return pairsByEnds(inputs, targets, {}, most);
}

std::vector<NameEnds> pairEnds(const std::vector<std::string>& inputs,
                               const std::vector<std::string>& targets, bool complete) {
  if (inputs.size() < 2) return {};
  const Stems stems = byStem(targets);
  const auto pairsAmong = [&](const NameEnds& ends, std::size_t step) {
    std::size_t pairs = 0;
    for (std::size_t i = step - 1; i < inputs.size(); i += step)
      if (targetOf(inputs[i], ends, stems) != nullptr) ++pairs;
    return pairs;
  };
  std::vector<NameEnds> found = possibleEnds(stemOf(inputs.front()), targets);
  // There may be as many as targets, so a few inputs decide first.
  constexpr std::size_t kTried = 16;
  const std::size_t step = std::max<std::size_t>(1, inputs.size() / kTried);
  std::erase_if(found, [&](const NameEnds& ends) { return pairsAmong(ends, step) == 0; });
  std::erase_if(found, [&](const NameEnds& ends) {
    const auto ended = [&](const std::string& name) { return stemOf(name).ends_with(ends.target); };
    const std::size_t less =
        std::min(inputs.size(), static_cast<std::size_t>(std::ranges::count_if(targets, ended)));
    const std::size_t pairs = pairsAmong(ends, 1);
    return pairs < 2 || 10 * pairs < 9 * (complete ? inputs.size() : less);
  });
  std::ranges::stable_sort(found, {}, rankOf);
  return found;
}

std::vector<NamePair> pairsByEnds(const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& targets, const NameEnds& ends,
                                  std::size_t most) {
  const Stems stems = byStem(targets);
  std::vector<NamePair> pairs;
  for (const std::string& name : inputs) {
    if (pairs.size() == most) break;
    if (const std::string* target = targetOf(name, ends, stems)) pairs.push_back({name, *target});
  }
  return pairs;
}

std::optional<PairFolders> namesInEachFolder(const std::vector<std::string>& names) {
  std::set<std::string_view> folders;
  std::map<std::string, std::size_t> stems;
  for (const std::string_view name : names) {
    const std::size_t slash = name.rfind('/');
    if (slash == std::string_view::npos) return std::nullopt;
    folders.insert(name.substr(0, slash));
    ++stems[std::string(stemOf(name.substr(slash + 1)))];
  }
  std::vector<std::string> frequent;
  for (const auto& [stem, count] : stems)
    if (10 * count >= 9 * folders.size()) frequent.push_back(stem);
  return folders.size() < 2 ? std::nullopt : pairFolders(frequent);
}

std::vector<NamePair> pairsBySuffix(const UsualSuffixes& suffix,
                                    const std::vector<std::string>& names, std::size_t most) {
  const Stems stems = byStem(names);
  std::vector<NamePair> pairs;
  for (const std::string& name : names) {
    if (pairs.size() == most) break;
    const std::string_view stem = stemOf(name);
    if (!stem.ends_with(suffix.target) || stem.size() == suffix.target.size()) continue;
    std::string input(stem.substr(0, stem.size() - suffix.target.size()));
    input += suffix.input;
    if (const auto found = stems.find(looseName(input)); found != stems.end())
      pairs.push_back({*found->second, name});
  }
  return pairs;
}

}  // namespace millrace
