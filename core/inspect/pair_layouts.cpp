// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/inspect/pair_names.h"
#include "core/inspect/scan.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPairsTried = 16;
using PairedFiles = std::pair<fs::path, fs::path>;

/// Looks for pairs in one folder. Use once.
class PairDetector {
 public:
  PairDetector(const fs::path& root, const FolderProbe& seen, Scan& scan)
      : m_root(root), m_seen(seen), m_scan(scan) {}

  std::optional<FolderContent> detect() {
    const auto train = trainFolder(m_root, m_seen);
    if (lmdbPairs() || (train && (siblingPairs(*train) || suffixPairs(*train))) ||
        siblingPairs(m_root) || suffixPairs(m_root) || suffixPairsBelow(train.value_or(m_root)))
      return std::move(m_found);
    return std::nullopt;
  }

 private:
  /// Two databases with equal keys next to each other, such as basicsr's `lq.lmdb` and `gt.lmdb`.
  bool lmdbPairs() {
    const auto sides = pairFolders(m_seen.folders);
    std::error_code ignored;
    if (!sides || !fs::is_regular_file(m_root / sides->input / "data.mdb", ignored) ||
        !fs::is_regular_file(m_root / sides->target / "data.mdb", ignored))
      return false;
    m_found.layout = DataLayout::Container;
    m_found.format = formatNamed("lmdb");
    m_found.files = 2;
    m_found.all = m_seen.all;
    m_found.paths = {m_root / sides->input, m_root / sides->target};
    m_found.masks = sides->isMask;
    m_found.description =
        fmt::format("{} of {}. Pairs: `{}` with `{}`.", countedFiles(2, m_seen.all, "file"),
                    m_found.format->title, visibleName(sides->input), visibleName(sides->target));
    return true;
  }

  bool siblingPairs(const fs::path& folder) {
    const auto seen = m_scan.probe(folder);
    if (!seen || m_scan.stopped()) return false;
    const auto sides = pairFolders(seen->folders);
    return (sides && pairsOf(folder, *seen, *sides)) || pairsByContent(folder, *seen);
  }

  bool pairsOf(const fs::path& folder, const FolderProbe& seen, const PairFolders& sides) {
    fs::path input = folder / sides.input;
    fs::path target = folder / sides.target;
    // Splits in both, as `images/training` and `annotations/training`.
    for (const char* split : {"train", "training"}) {
      std::error_code ignored;
      if (!fs::is_directory(input / split, ignored) || !fs::is_directory(target / split, ignored))
        continue;
      input /= split;
      target /= split;
      break;
    }
    auto inputs = listPictures(input, m_scan.limits().namesPerFolder);
    auto targets = listPictures(target, m_scan.limits().namesPerFolder);
    if (inputs.pictures == 0 || targets.pictures == 0) return false;
    std::vector<NamePair> names = namesOfPairs(inputs, targets);
    for (auto [side, list] : {std::pair{&target, &targets}, std::pair{&input, &inputs}})
      if (const std::string inner = commonFolder(list->names); names.empty() && !inner.empty()) {
        *side /= inner;
        *list = listPictures(*side, m_scan.limits().namesPerFolder);
        names = namesOfPairs(inputs, targets);
      }
    // Among other folders, two that are named like a pair show nothing.
    if (names.empty() && inputs.all && targets.all && seen.folders.size() == 2) {
      namesDiffer(sides, inputs.names, targets.names);
      return true;
    }
    if (names.empty()) return false;
    m_found.paths = {input, target};
    m_found.files = names.size();
    m_found.all = inputs.all && targets.all;
    if (!m_ends.empty()) {
      m_found.params["input_suffix"] = m_ends.front().input;
      m_found.params["target_suffix"] = m_ends.front().target;
    }
    std::vector<PairedFiles> pairs;
    for (const NamePair& pair : names)
      if (pairs.size() < kPairsTried) pairs.emplace_back(input / pair.input, target / pair.target);
    addDetail(fmt::format(
        "The folders are `{}` and `{}`{}.", visibleName(input.lexically_relative(folder).native()),
        visibleName(target.lexically_relative(folder).native()),
        folder == m_root ? std::string()
                         : fmt::format(" in `{}`", visibleName(folder.filename().native()))));
    describeEnds();
    foundPairs(pairs, sides.isMask || areMasks(pairs));
    return true;
  }

  /// Whether the targets are masks of the inputs by their content: class folders may have equal
  /// names, too, but not such pictures.
  static bool areMasks(const std::vector<PairedFiles>& pairs) {
    std::vector<fs::path> inputs;
    std::vector<fs::path> targets;
    for (const auto& [input, target] : pairs) {
      const auto size = pictureSize(input);
      const auto other = pictureSize(target);
      if (!size || !other || size->width != other->width || size->height != other->height)
        return false;
      inputs.push_back(input);
      targets.push_back(target);
    }
    return holdClassIndices(targets) && !holdClassIndices(inputs);
  }

  /// Two folders whose names say nothing: all their files pair, and those of one are masks.
  bool pairsByContent(const fs::path& folder, const FolderProbe& seen) {
    constexpr std::size_t kMostFolders = 8;
    if (isRemotePath(folder.native()) || seen.folders.size() > kMostFolders) return false;
    std::vector<std::string> folders = seen.folders;
    std::ranges::stable_partition(folders, [](const std::string& name) {
      return lowerCase(name).find("train") != std::string::npos;
    });
    std::vector<PictureList> lists;
    for (const std::string& name : folders)
      lists.push_back(listPictures(folder / name, m_scan.limits().namesPerFolder));
    for (std::size_t in = 0; in < folders.size(); ++in)
      for (std::size_t out = 0; out < folders.size(); ++out) {
        if (in == out || m_scan.stopped() || lists[in].pictures < 2) continue;
        const std::vector<NamePair> names = namesOfPairs(lists[in], lists[out]);
        if (names.size() < 2 || names.size() < lists[in].names.size() ||
            names.size() < lists[out].names.size())
          continue;
        std::vector<PairedFiles> pairs;
        for (const NamePair& pair : names)
          if (pairs.size() < kPairsTried)
            pairs.emplace_back(folder / folders[in] / pair.input,
                               folder / folders[out] / pair.target);
        if (areMasks(pairs)) return pairsOf(folder, seen, {folders[in], folders[out], true});
      }
    return false;
  }

  /// Files of equal names, else those whose names differ by the same ends.
  std::vector<NamePair> namesOfPairs(const PictureList& inputs, const PictureList& targets) {
    const std::size_t most = inputs.names.size();
    m_ends.clear();
    std::vector<NamePair> names = pairsByName(inputs.names, targets.names, most);
    if (!names.empty()) return names;
    m_ends = pairEnds(inputs.names, targets.names, inputs.all && targets.all);
    return m_ends.empty() ? names : pairsByEnds(inputs.names, targets.names, m_ends.front(), most);
  }

  /// "The names end with `_leftImg8bit` and `_gtFine_labelIds`."
  void describeEnds() {
    if (m_ends.empty()) return;
    const NameEnds& first = m_ends.front();
    const auto quoted = [](const std::string& end) { return "`" + visibleName(end) + "`"; };
    addDetail(first.input.empty() || first.target.empty()
                  ? fmt::format("The names of the {} end with {}.",
                                first.input.empty() ? "targets" : "inputs",
                                quoted(first.input.empty() ? first.target : first.input))
                  : fmt::format("The names end with {} and {}.", quoted(first.input),
                                quoted(first.target)));
    if (m_ends.size() == 1) return;
    std::vector<std::string> others;
    for (std::size_t i = 1; i < m_ends.size(); ++i) others.push_back(quoted(m_ends[i].target));
    addDetail(fmt::format("There are targets with {}, too: for the first, use `target_suffix={}`.",
                          fmt::join(others, ", "), visibleName(m_ends[1].target)));
  }

  /// The folder that all pictures are in, such as `trimaps`; empty: there is none.
  static std::string commonFolder(const std::vector<std::string>& names) {
    std::string folder;
    for (const std::string& name : names) {
      if (!isPictureName(name)) continue;
      const std::size_t slash = name.find('/');
      if (slash == std::string::npos) return {};
      if (!folder.empty() && name.compare(0, slash, folder) != 0) return {};
      folder = name.substr(0, slash);
    }
    return folder;
  }

  void namesDiffer(const PairFolders& sides, const std::vector<std::string>& inputs,
                   const std::vector<std::string>& targets) {
    m_found.layout = DataLayout::Unknown;
    m_found.description = fmt::format(
        "`{}` and `{}` look like pairs, but no file names match: the first ones are {} and {}. "
        "Rename the files, or start from a source of pairs and set its suffixes.",
        visibleName(sides.input), visibleName(sides.target), visibleName(inputs.front()),
        visibleName(targets.front()));
  }

  bool suffixPairs(const fs::path& folder) {
    const auto seen = m_scan.probe(folder);
    if (!seen || m_scan.stopped()) return false;
    const std::vector<std::string> pictures = picturesOf(seen->files);
    return pairsWithin(folder, pictures, seen->all, usualSuffixes()) ||
           extensionPairs(folder, pictures, seen->all);
  }

  /// Pictures of two formats with equal names, those of one of which are masks: `1.jpg`, `1.png`.
  bool extensionPairs(const fs::path& folder, const std::vector<std::string>& pictures, bool all) {
    std::map<std::string, std::vector<std::string>> formats;
    for (const std::string& name : pictures) formats[name.substr(name.rfind('.'))].push_back(name);
    if (formats.size() != 2 || isRemotePath(folder.native())) return false;
    for (const bool turned : {false, true}) {
      const auto& inputs = turned ? *formats.rbegin() : *formats.begin();
      const auto& targets = turned ? *formats.begin() : *formats.rbegin();
      const auto names = pairsByName(inputs.second, targets.second, inputs.second.size());
      if (names.size() < 2 || 2 * names.size() + (all ? 0 : 1) < pictures.size()) continue;
      if (!areMasks(firstPairs(folder, names))) continue;
      takeWithin(folder, names, all, {inputs.first, targets.first, true});
      return true;
    }
    return false;
  }

  static std::vector<std::string> picturesOf(const std::vector<std::string>& files) {
    std::vector<std::string> pictures;
    std::ranges::copy_if(files, std::back_inserter(pictures), isPictureName);
    return pictures;
  }

  /// The folder's own pictures are none, those of its folders differ by name endings.
  bool suffixPairsBelow(const fs::path& folder) {
    const auto seen = m_scan.probe(folder);
    if (!seen || seen->folders.empty() || picturesIn(*seen) > 0 || m_scan.stopped()) return false;
    const PictureList list = listPictures(folder, m_scan.limits().namesPerFolder);
    const std::vector<std::string> pictures = picturesOf(list.names);
    if (pairsWithin(folder, pictures, list.all, usualSuffixes()) ||
        extensionPairs(folder, pictures, list.all))
      return true;
    const auto names = namesInEachFolder(pictures);
    if (!names) return false;
    const UsualSuffixes suffixes{names->input, names->target, names->isMask};
    return pairsWithin(folder, pictures, list.all, {&suffixes, 1});
  }

  bool pairsWithin(const fs::path& folder, const std::vector<std::string>& pictures, bool all,
                   std::span<const UsualSuffixes> known) {
    for (const UsualSuffixes& suffixes : known) {
      const auto names = pairsBySuffix(suffixes, pictures, pictures.size());
      if (names.empty() || 4 * names.size() < pictures.size()) continue;
      if (scalesDiffer(folder, names)) return false;
      takeWithin(folder, names, all, suffixes);
      return true;
    }
    return false;
  }

  void takeWithin(const fs::path& folder, const std::vector<NamePair>& names, bool all,
                  const UsualSuffixes& suffixes) {
    m_found = {};
    m_found.paths = {folder};
    m_found.files = names.size();
    m_found.all = all;
    m_found.params["input_suffix"] = std::string(suffixes.input);
    m_found.params["target_suffix"] = std::string(suffixes.target);
    addDetail(suffixes.input.empty()
                  ? fmt::format("The names of {} end with `{}`.",
                                suffixes.isMask ? "masks" : "targets", suffixes.target)
                  : fmt::format("Distinguished by the name endings `{}` and `{}`.", suffixes.input,
                                suffixes.target));
    noteClasses(names);
    foundPairs(firstPairs(folder, names), suffixes.isMask);
  }

  static std::vector<PairedFiles> firstPairs(const fs::path& folder,
                                             const std::vector<NamePair>& names) {
    std::vector<PairedFiles> pairs;
    for (const NamePair& pair : names)
      if (pairs.size() < kPairsTried) pairs.emplace_back(folder / pair.input, folder / pair.target);
    return pairs;
  }

  /// Folders of several pairs each may be classes.
  void noteClasses(const std::vector<NamePair>& names) {
    std::map<std::string, std::size_t> folders;
    for (const NamePair& pair : names) ++folders[fs::path(pair.input).parent_path().native()];
    constexpr std::size_t kMostClasses = 100;
    if (folders.size() < 2 || folders.size() > kMostClasses ||
        std::ranges::any_of(folders, [](const auto& each) {
          return each.second < 2 || each.first.find('/') != std::string::npos;
        }))
      return;
    addDetail(fmt::format(
        "The {} folders, such as `{}` and `{}`, may be classes, which pairs do not have: a table "
        "(CSV) with columns of images, masks and labels has both.",
        folders.size(), visibleName(folders.begin()->first),
        visibleName(std::next(folders.begin())->first)));
  }

  /// Folders of different scales are different data sets: a batch has one scale.
  bool scalesDiffer(const fs::path& root, const std::vector<NamePair>& names) {
    std::set<std::string> folders;
    std::set<int> scales;
    for (const NamePair& pair : names) {
      const std::string folder = fs::path(pair.input).parent_path().native();
      if (folder.empty() || !folders.insert(folder).second) continue;
      const auto input = pictureSize(root / pair.input);
      const auto target = pictureSize(root / pair.target);
      if (input && target && input->width > 0) scales.insert(target->width / input->width);
    }
    return scales.size() > 1;
  }

  /// How many times the target is larger; nullopt if that is not a whole number.
  static std::optional<int> scaleOf(Size from, Size to) {
    if (from.width <= 0 || from.height <= 0) return std::nullopt;
    const int scale = to.width / from.width;
    if (to.width != scale * from.width || to.height != scale * from.height) return std::nullopt;
    return scale;
  }

  void foundPairs(const std::vector<PairedFiles>& pairs, bool isMask) {
    m_found.layout = isMask ? DataLayout::Masks : DataLayout::Pairs;
    std::vector<fs::path> targets;
    std::map<int, std::size_t> scales;
    for (const auto& [input, target] : pairs) {
      targets.push_back(target);
      const auto from = m_scan.measure(input, m_found);
      if (!from || isMask) continue;
      const auto to = pictureSize(target);
      if (const auto scale = to ? scaleOf(*from, *to) : std::nullopt) ++scales[*scale];
    }
    // A few pairs may be turned or damaged.
    const auto count = [](const auto& a, const auto& b) { return a.second < b.second; };
    if (!scales.empty()) m_found.scale = std::ranges::max_element(scales, count)->first;
    if (m_found.scale > 1)
      addDetail(fmt::format("The targets are {} times larger.", m_found.scale));
    if (isMask) describeMasks(targets, m_found);
    describe(m_found);
  }

  void addDetail(const std::string& sentence) {
    m_found.details += (m_found.details.empty() ? "" : " ") + sentence;
  }

  const fs::path m_root;
  const FolderProbe& m_seen;
  Scan& m_scan;
  FolderContent m_found;
  std::vector<NameEnds> m_ends;  ///< of two folders whose names are not equal
};

}  // namespace

bool hasPairs(const FolderProbe& seen) {
  std::vector<std::string> pictures;
  std::ranges::copy_if(seen.files, std::back_inserter(pictures), isPictureName);
  return std::ranges::any_of(usualSuffixes(), [&](const UsualSuffixes& suffixes) {
    const std::size_t pairs = pairsBySuffix(suffixes, pictures, pictures.size()).size();
    return pairs > 0 && 4 * pairs >= pictures.size();
  });
}

std::optional<FolderContent> detectPairs(const fs::path& folder, const FolderProbe& seen,
                                         Scan& scan) {
  return PairDetector(folder, seen, scan).detect();
}

}  // namespace millrace
