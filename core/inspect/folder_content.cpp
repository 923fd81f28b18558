// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/folder_content.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/codecs/picture_formats.h"
#include "core/inspect/folder_probe.h"
#include "core/inspect/pair_names.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
constexpr std::array<std::string_view, 5> kValidation = {"val", "valid", "validation", "test",
                                                         "dev"};

std::string counted(std::size_t count, bool all, std::string_view what) {
  return fmt::format("{}{} {}{}", all ? "" : "at least ", grouped(count), what,
                     count == 1 ? "" : "s");
}

/// The result for container files, supported or not. `where` is for example " in `train`".
FolderContent containerContent(const Format& format, const fs::path& path, std::size_t files,
                               bool all, std::string_view where = {}) {
  FolderContent found;
  found.layout = DataLayout::Container;
  found.format = &format;
  found.files = files;
  found.all = all;
  found.description = fmt::format("{} of {}{}.", counted(files, all, "file"), format.title, where);
  if (isReadable(found))
    found.paths = {path};
  else
    found.description += fmt::format(
        " This version cannot read {}: unpack the pictures into one folder per class, or into two "
        "folders with equal file names.",
        format.title);
  return found;
}

using PairedFiles = std::pair<fs::path, fs::path>;

/// Detects the layout of one folder. Use once.
class LayoutDetector {
 public:
  LayoutDetector(const fs::path& root, const ScanLimits& limits, const std::atomic<bool>* stop)
      : m_root(root), m_limits(limits), m_stop(stop) {}

  FolderContent detect() {
    // Archives often unpack to a folder that contains just one folder: enter it.
    constexpr int kWrappers = 3;
    for (int i = 0; i < kWrappers; ++i) {
      if (!probe(m_root)) return std::move(m_found);
      if (!m_seen.files.empty() || m_seen.folders.size() != 1 || !m_seen.all) break;
      const fs::path inner = m_root / m_seen.folders.front();
      const auto next = probeFolder(inner, m_limits.namesPerFolder);
      if (!next || next->folders.empty()) break;
      m_root = inner;
    }
    if (containersIn(m_root, m_seen) || dividedContainers() || lmdbPairs() || dividedPairs() ||
        siblingPairs(m_root) || suffixPairs(m_root) || classFolders() || flatPictures())
      return std::move(m_found);
    unknown();
    return std::move(m_found);
  }

 private:
  bool stopped() const { return m_stop != nullptr && *m_stop; }

  bool probe(const fs::path& folder) {
    auto seen = probeFolder(folder, m_limits.namesPerFolder);
    if (!seen) {
      m_found.description = seen.error().message;
      return false;
    }
    m_seen = seen.take();
    return true;
  }

  static std::size_t picturesIn(const FolderProbe& seen) {
    return static_cast<std::size_t>(
        std::count_if(seen.files.begin(), seen.files.end(),
                      [](const std::string& name) { return isPictureName(name); }));
  }

  /// Whether most files are containers of one format.
  bool containersIn(const fs::path& folder, const FolderProbe& seen, std::string_view where = {}) {
    std::map<const Format*, std::size_t> counts;
    std::size_t all = 0;
    for (const std::string& name : seen.files) {
      const Format* format = formatOfFileName(name);
      if (format == nullptr) continue;
      ++counts[format];
      ++all;
    }
    if (all == 0 || picturesIn(seen) > all) return false;
    const auto most = std::ranges::max_element(counts, {}, [](const auto& c) { return c.second; });
    m_found = containerContent(*most->first, folder, most->second, seen.all, where);
    return true;
  }

  /// Splits in separate folders, as MDS data sets are written.
  bool dividedContainers() {
    const auto train = trainFolder();
    if (!train || stopped()) return false;
    const auto seen = probeFolder(*train, m_limits.namesPerFolder);
    return seen && containersIn(*train, *seen, " in `train`");
  }

  /// Two databases with equal keys next to each other, such as basicsr's `lq.lmdb` and `gt.lmdb`.
  bool lmdbPairs() {
    const auto sides = pairFolders(m_seen.folders);
    std::error_code ignored;
    if (!sides || !fs::is_regular_file(m_root / sides->input / "data.mdb", ignored) ||
        !fs::is_regular_file(m_root / sides->target / "data.mdb", ignored))
      return false;
    m_found = containerContent(*formatNamed("lmdb"), m_root, 2, m_seen.all);
    m_found.paths = {m_root / sides->input, m_root / sides->target};
    m_found.masks = sides->isMask;
    m_found.description +=
        fmt::format(" Pairs: `{}` with `{}`.", validUtf8(sides->input), validUtf8(sides->target));
    return true;
  }

  /// The folder `train`, if a validation folder is next to it.
  std::optional<fs::path> trainFolder() const {
    const auto has = [&](std::string_view name) {
      return std::find(m_seen.folders.begin(), m_seen.folders.end(), name) != m_seen.folders.end();
    };
    const bool divided = has("train") && std::any_of(kValidation.begin(), kValidation.end(), has);
    return divided ? std::optional(m_root / "train") : std::nullopt;
  }

  bool dividedPairs() {
    const auto train = trainFolder();
    return train && (siblingPairs(*train) || suffixPairs(*train));
  }

  bool siblingPairs(const fs::path& folder) {
    const auto seen = probeFolder(folder, m_limits.namesPerFolder);
    if (!seen || stopped()) return false;
    const auto sides = pairFolders(seen->folders);
    if (!sides) return false;
    const fs::path input = folder / sides->input;
    const fs::path target = folder / sides->target;
    const auto inputs = probeFolder(input, m_limits.namesPerFolder);
    const auto targets = probeFolder(target, m_limits.namesPerFolder);
    if (!inputs || !targets || picturesIn(*inputs) == 0 || picturesIn(*targets) == 0) return false;
    std::vector<PairedFiles> pairs;
    for (const NamePair& pair : pairsByName(inputs->files, targets->files, kPairsTried))
      pairs.emplace_back(input / pair.input, target / pair.target);
    if (pairs.empty() && inputs->all && targets->all) return namesDiffer(*sides, *inputs, *targets);
    if (pairs.empty()) return false;
    m_found.paths = {input, target};
    m_found.files = picturesIn(*inputs);
    m_found.all = inputs->all;
    foundPairs(pairs, sides->isMask);
    m_found.description +=
        fmt::format(" `{}` with `{}`.", validUtf8(sides->input), validUtf8(sides->target));
    return true;
  }

  bool namesDiffer(const PairFolders& sides, const FolderProbe& inputs,
                   const FolderProbe& targets) {
    m_found.layout = DataLayout::Unknown;
    m_found.description = fmt::format(
        "`{}` and `{}` look like pairs, but no file names match: the first ones are {} and {}. "
        "Rename the files, or start from a source of pairs and set its suffixes.",
        validUtf8(sides.input), validUtf8(sides.target), validUtf8(inputs.files.front()),
        validUtf8(targets.files.front()));
    return true;
  }

  bool suffixPairs(const fs::path& folder) {
    const auto seen = probeFolder(folder, m_limits.namesPerFolder);
    if (!seen || stopped()) return false;
    std::vector<std::string> pictures;
    std::copy_if(seen->files.begin(), seen->files.end(), std::back_inserter(pictures),
                 isPictureName);
    for (const PairSuffix& suffixes : usualSuffixes()) {
      const auto names = pairsBySuffix(suffixes, pictures, kPairsTried);
      if (names.empty() || 4 * names.size() < std::min(pictures.size(), 2 * kPairsTried)) continue;
      std::vector<PairedFiles> pairs;
      for (const NamePair& pair : names)
        pairs.emplace_back(folder / pair.input, folder / pair.target);
      m_found.paths = {folder};
      m_found.files = pictures.size() / 2;
      m_found.all = seen->all;
      foundPairs(pairs, suffixes.isMask);
      m_found.description += fmt::format(" Distinguished by the name endings `{}` and `{}`.",
                                         suffixes.input, suffixes.target);
      return true;
    }
    return false;
  }

  void foundPairs(const std::vector<PairedFiles>& pairs, bool isMask) {
    m_found.layout = isMask ? DataLayout::Masks : DataLayout::Pairs;
    m_found.description = isMask ? counted(m_found.files, m_found.all, "picture") + " with masks."
                                 : counted(m_found.files, m_found.all, "pair") + " of pictures.";
    for (const auto& [input, target] : pairs) {
      const auto from = measure(input);
      if (!from || isMask) continue;
      const auto to = pictureSize(target);
      if (to && from->width > 0 && to->width % from->width == 0)
        m_found.scale = std::max(m_found.scale, to->width / from->width);
    }
    if (m_found.scale > 1)
      m_found.description += fmt::format(" The targets are {} times larger.", m_found.scale);
  }

  /// Reads the picture's header, up to a limited number of pictures in total.
  std::optional<Size> measure(const fs::path& file) {
    if (m_heads == m_limits.heads || stopped()) return std::nullopt;
    ++m_heads;
    const auto size = pictureSize(file);
    if (!size) return std::nullopt;
    Size& least = m_found.least;
    least.width = least.width == 0 ? size->width : std::min(least.width, size->width);
    least.height = least.height == 0 ? size->height : std::min(least.height, size->height);
    return size;
  }

  bool classFolders() {
    const auto train = trainFolder();
    const fs::path root = train.value_or(m_root);
    const auto seen = train ? probeFolder(root, m_limits.namesPerFolder) : Result(m_seen);
    if (!seen || picturesIn(*seen) > seen->folders.size()) return false;
    m_found.all = seen->all && seen->folders.size() <= m_limits.folders;
    for (const std::string& name : seen->folders) {
      if (m_found.classes.size() == m_limits.folders || stopped()) break;
      countClass(root / name, name);
    }
    if (m_found.classes.empty()) return false;
    const std::size_t classes = seen->folders.size();
    m_found.layout = DataLayout::Classes;
    m_found.paths = {m_root};
    m_found.description =
        counted(m_found.all ? m_found.classes.size() : classes, seen->all, "class folder") + ", " +
        counted(m_found.files, m_found.all, "picture") + (train ? " in `train`." : ".");
    return true;
  }

  void countClass(const fs::path& folder, const std::string& name) {
    auto seen = probeFolder(folder, m_limits.namesPerFolder);
    // Some data sets have one more level: n01440764/images/1.JPEG.
    fs::path at = folder;
    if (seen && picturesIn(*seen) == 0 && !seen->folders.empty()) {
      at /= seen->folders.front();
      seen = probeFolder(at, m_limits.namesPerFolder);
    }
    if (!seen || picturesIn(*seen) == 0) return;
    m_found.classes.push_back(name);
    m_found.files += picturesIn(*seen);
    m_found.all = m_found.all && seen->all;
    measureFirst(at, *seen);
  }

  bool flatPictures() {
    const std::size_t pictures = picturesIn(m_seen);
    if (pictures == 0) return false;
    m_found.layout = DataLayout::Pictures;
    m_found.paths = {m_root};
    m_found.files = pictures;
    m_found.all = m_seen.all;
    measureFirst(m_root, m_seen);
    m_found.description = counted(pictures, m_seen.all, "picture") +
                          " in one folder. Without class folders they form one class.";
    return true;
  }

  void measureFirst(const fs::path& folder, const FolderProbe& seen) {
    const auto first = std::find_if(seen.files.begin(), seen.files.end(),
                                    [](const std::string& name) { return isPictureName(name); });
    if (first != seen.files.end()) (void)measure(folder / *first);
  }

  void unknown() {
    std::vector<std::string> formats;
    for (const Format& format : allFormats())
      if (format.isFileName != nullptr && !format.onlyNamed) formats.emplace_back(format.title);
    const std::string known = fmt::format(
        "Supported are class folders, pairs and pictures with masks, as {} files, and the formats "
        "{}.",
        pictureFormats(), joinWords(formats));
    m_found = {};
    if (m_seen.files.empty() && m_seen.folders.empty())
      m_found.description = "The folder is empty. " + known;
    else
      m_found.description = fmt::format(
          "Unknown layout; the first name in the folder is {}. {}",
          validUtf8(m_seen.files.empty() ? m_seen.folders.front() : m_seen.files.front()), known);
  }

  static constexpr std::size_t kPairsTried = 16;

  fs::path m_root;
  const ScanLimits m_limits;
  const std::atomic<bool>* m_stop;
  FolderProbe m_seen;  ///< of the root
  FolderContent m_found;
  std::size_t m_heads = 0;
};

FolderContent detectFile(const fs::path& file) {
  const std::string name = file.filename().native();
  const Format* format = formatOfFileName(name);
  // index.json lists the shards of an MDS folder: it represents the whole folder.
  if (name == "index.json" && detectContent(file.parent_path()).format == formatNamed("mds"))
    format = formatNamed("mds");
  if (format == nullptr) format = formatOfHead(file);
  if (format != nullptr) return containerContent(*format, file, 1, true);
  FolderContent found;
  found.description =
      isPictureName(name)
          ? "A single picture is not a data set. Drop the folder that contains it."
          : "This is neither a pipeline nor a data set. Drop a *.millrace.json file or "
            "a folder of pictures.";
  return found;
}

}  // namespace

std::string_view nameOf(DataLayout layout) {
  switch (layout) {
    case DataLayout::Classes: return "class folders";
    case DataLayout::Pictures: return "pictures";
    case DataLayout::Pairs: return "pairs";
    case DataLayout::Masks: return "image and mask";
    case DataLayout::Container: return "container files";
    case DataLayout::Unknown: return "unknown";
  }
  return "unknown";
}

std::string_view nameOf(const FolderContent& content) {
  return content.format != nullptr ? content.format->title : nameOf(content.layout);
}

bool isReadable(const FolderContent& content) {
  return content.layout != DataLayout::Unknown &&
         (content.format == nullptr || !content.format->onlyNamed);
}

FolderContent detectContent(const fs::path& path, const ScanLimits& limits,
                            const std::atomic<bool>* stop) {
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) return detectFile(path);
  return LayoutDetector(path, limits, stop).detect();
}

}  // namespace millrace
