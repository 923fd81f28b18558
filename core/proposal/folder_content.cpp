// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/proposal/folder_content.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/proposal/container_kind.h"
#include "core/proposal/folder_glimpse.h"
#include "core/proposal/pair_names.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
constexpr std::array<std::string_view, 5> kValidation = {"val", "valid", "validation", "test",
                                                         "dev"};

std::string counted(std::size_t count, bool all, std::string_view what) {
  return fmt::format("{}{} {}{}", all ? "" : "at least ", grouped(count), what,
                     count == 1 ? "" : "s");
}

/// What there is to say of containers, read or not. `where`: " in `train`".
FolderContent containerContent(DataLayout layout, const fs::path& path, std::size_t files, bool all,
                               std::string_view where = {}) {
  FolderContent found;
  found.layout = layout;
  found.files = files;
  found.all = all;
  found.words = fmt::format("{} of {}{}.", counted(files, all, "file"), nameOf(layout), where);
  if (isReadable(layout))
    found.paths = {path};
  else
    found.words += fmt::format(
        " This version does not read {} yet: unpack the pictures into a folder for each class, or "
        "into two folders with equal names.",
        nameOf(layout));
  return found;
}

using PairedFiles = std::pair<fs::path, fs::path>;

/// One look at one folder. One use.
class Look {
 public:
  Look(const fs::path& root, const LookLimits& limits, const std::atomic<bool>* stop)
      : m_root(root), m_limits(limits), m_stop(stop) {}

  FolderContent recognise() {
    // A folder that holds one folder alone is a wrapper, as archives make them.
    constexpr int kWrappers = 3;
    for (int i = 0; i < kWrappers; ++i) {
      if (!see(m_root)) return std::move(m_found);
      if (!m_seen.files.empty() || m_seen.folders.size() != 1 || !m_seen.all) break;
      const fs::path inner = m_root / m_seen.folders.front();
      const auto next = glimpse(inner, m_limits.namesPerFolder);
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

  bool see(const fs::path& folder) {
    auto seen = glimpse(folder, m_limits.namesPerFolder);
    if (!seen) {
      m_found.words = seen.error().message;
      return false;
    }
    m_seen = seen.take();
    return true;
  }

  static std::size_t picturesIn(const FolderGlimpse& seen) {
    return static_cast<std::size_t>(
        std::count_if(seen.files.begin(), seen.files.end(),
                      [](const std::string& name) { return isPictureName(name); }));
  }

  /// Most files are containers of one kind.
  bool containersIn(const fs::path& folder, const FolderGlimpse& seen,
                    std::string_view where = {}) {
    std::array<std::size_t, static_cast<std::size_t>(DataLayout::Unknown)> counts{};
    std::size_t all = 0;
    for (const std::string& name : seen.files) {
      const DataLayout layout = containerByName(name);
      if (layout == DataLayout::Unknown) continue;
      ++counts[static_cast<std::size_t>(layout)];
      ++all;
    }
    if (all == 0 || picturesIn(seen) > all) return false;
    const auto most = std::max_element(counts.begin(), counts.end());
    m_found = containerContent(static_cast<DataLayout>(most - counts.begin()), folder, *most,
                               seen.all, where);
    return true;
  }

  /// Each part of a data set in a folder of its own, as MDS sets are written.
  bool dividedContainers() {
    const auto train = trainFolder();
    if (!train || stopped()) return false;
    const auto seen = glimpse(*train, m_limits.namesPerFolder);
    return seen && containersIn(*train, *seen, " in `train`");
  }

  /// Two databases side by side under equal keys, as basicsr's `lq.lmdb` and `gt.lmdb`.
  bool lmdbPairs() {
    const auto sides = pairFolders(m_seen.folders);
    std::error_code ignored;
    if (!sides || !fs::is_regular_file(m_root / sides->input / "data.mdb", ignored) ||
        !fs::is_regular_file(m_root / sides->target / "data.mdb", ignored))
      return false;
    m_found = containerContent(DataLayout::Lmdb, m_root, 2, m_seen.all);
    m_found.paths = {m_root / sides->input, m_root / sides->target};
    m_found.masks = sides->isMask;
    m_found.words +=
        fmt::format(" Pairs: `{}` with `{}`.", validUtf8(sides->input), validUtf8(sides->target));
    return true;
  }

  /// `train` beside a validation folder: what lies inside `train` is trained on.
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
    const auto seen = glimpse(folder, m_limits.namesPerFolder);
    if (!seen || stopped()) return false;
    const auto sides = pairFolders(seen->folders);
    if (!sides) return false;
    const fs::path input = folder / sides->input;
    const fs::path target = folder / sides->target;
    const auto inputs = glimpse(input, m_limits.namesPerFolder);
    const auto targets = glimpse(target, m_limits.namesPerFolder);
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
    m_found.words +=
        fmt::format(" `{}` with `{}`.", validUtf8(sides->input), validUtf8(sides->target));
    return true;
  }

  bool namesDiffer(const PairFolders& sides, const FolderGlimpse& inputs,
                   const FolderGlimpse& targets) {
    m_found.layout = DataLayout::Unknown;
    m_found.words = fmt::format(
        "`{}` and `{}` look like pairs, but no two names agree: the first ones are {} and {}. "
        "Rename them alike, or begin with a source of pairs and set its suffixes.",
        validUtf8(sides.input), validUtf8(sides.target), validUtf8(inputs.files.front()),
        validUtf8(targets.files.front()));
    return true;
  }

  bool suffixPairs(const fs::path& folder) {
    const auto seen = glimpse(folder, m_limits.namesPerFolder);
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
      m_found.words += fmt::format(" Told apart by `{}` and `{}` at the end of their names.",
                                   suffixes.input, suffixes.target);
      return true;
    }
    return false;
  }

  void foundPairs(const std::vector<PairedFiles>& pairs, bool isMask) {
    m_found.layout = isMask ? DataLayout::Masks : DataLayout::Pairs;
    m_found.words = isMask ? counted(m_found.files, m_found.all, "picture") + " with masks."
                           : counted(m_found.files, m_found.all, "pair") + " of pictures.";
    for (const auto& [input, target] : pairs) {
      const auto from = measure(input);
      if (!from || isMask) continue;
      const auto to = pictureSize(target);
      if (to && from->width > 0 && to->width % from->width == 0)
        m_found.scale = std::max(m_found.scale, to->width / from->width);
    }
    if (m_found.scale > 1)
      m_found.words += fmt::format(" The targets are {} times larger.", m_found.scale);
  }

  /// Looks into a picture, so many in all.
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
    const auto seen = train ? glimpse(root, m_limits.namesPerFolder) : Result(m_seen);
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
    m_found.words =
        counted(m_found.all ? m_found.classes.size() : classes, seen->all, "class folder") + ", " +
        counted(m_found.files, m_found.all, "picture") + (train ? " in `train`." : ".");
    return true;
  }

  void countClass(const fs::path& folder, const std::string& name) {
    auto seen = glimpse(folder, m_limits.namesPerFolder);
    // Some sets have a folder more inside: n01440764/images/1.JPEG.
    fs::path at = folder;
    if (seen && picturesIn(*seen) == 0 && !seen->folders.empty()) {
      at /= seen->folders.front();
      seen = glimpse(at, m_limits.namesPerFolder);
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
    m_found.words = counted(pictures, m_seen.all, "picture") +
                    " in one folder. Without class folders all of them are one class.";
    return true;
  }

  void measureFirst(const fs::path& folder, const FolderGlimpse& seen) {
    const auto first = std::find_if(seen.files.begin(), seen.files.end(),
                                    [](const std::string& name) { return isPictureName(name); });
    if (first != seen.files.end()) (void)measure(folder / *first);
  }

  void unknown() {
    const std::string known =
        "Known are class folders, pairs, and pictures with masks, of JPEG, PNG, WebP, TIFF and BMP "
        "files, and files of TFRecord, WebDataset, NumPy, LMDB, MDS, RecordIO and HDF5.";
    m_found = {};
    if (m_seen.files.empty() && m_seen.folders.empty())
      m_found.words = "The folder is empty. " + known;
    else
      m_found.words = fmt::format(
          "No layout that is known; the first name in there is {}. {}",
          validUtf8(m_seen.files.empty() ? m_seen.folders.front() : m_seen.files.front()), known);
  }

  static constexpr std::size_t kPairsTried = 16;

  fs::path m_root;
  const LookLimits m_limits;
  const std::atomic<bool>* m_stop;
  FolderGlimpse m_seen;  ///< of the root
  FolderContent m_found;
  std::size_t m_heads = 0;
};

FolderContent lookAtFile(const fs::path& file) {
  const std::string name = file.filename().native();
  DataLayout layout = containerByName(name);
  // The list of a folder's shards stands for all of them.
  if (name == "index.json" && lookAt(file.parent_path()).layout == DataLayout::Mds)
    layout = DataLayout::Mds;
  if (layout == DataLayout::Unknown) layout = containerByHead(file);
  if (layout != DataLayout::Unknown) return containerContent(layout, file, 1, true);
  FolderContent found;
  found.words = isPictureName(name)
                    ? "One picture is no data set. Drop the folder that holds it."
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
    case DataLayout::TfRecord: return "TFRecord";
    case DataLayout::WebDataset: return "WebDataset";
    case DataLayout::Numpy: return "NumPy";
    case DataLayout::Lmdb: return "LMDB";
    case DataLayout::Hdf5: return "HDF5";
    case DataLayout::RecordIo: return "RecordIO";
    case DataLayout::Mds: return "MosaicML MDS";
    case DataLayout::Parquet: return "Parquet";
    case DataLayout::Ffcv: return "FFCV";
    case DataLayout::Unknown: return "unknown";
  }
  return "unknown";
}

bool isReadable(DataLayout layout) { return layout <= DataLayout::Hdf5; }
bool isContainer(DataLayout layout) {
  return layout >= DataLayout::TfRecord && layout != DataLayout::Unknown;
}

FolderContent lookAt(const fs::path& path, const LookLimits& limits,
                     const std::atomic<bool>* stop) {
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) return lookAtFile(path);
  return Look(path, limits, stop).recognise();
}

}  // namespace millrace
