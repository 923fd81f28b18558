// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/folder_content.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/folder/file_list.h"
#include "core/formats/folder/junk_names.h"
#include "core/formats/folder/manifest_form.h"
#include "core/formats/io/data_place.h"
#include "core/inspect/folder_probe.h"
#include "core/inspect/pair_names.h"
#include "core/inspect/scan.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// Detects the layout of one folder. Use once.
class LayoutDetector {
 public:
  LayoutDetector(const fs::path& root, Scan& scan) : m_root(root), m_scan(scan) {}

  FolderContent detect() {
    // Archives often unpack to a folder that contains just one folder: enter it.
    constexpr int kWrappers = 16;
    for (int i = 0; i < kWrappers; ++i) {
      if (!probe(m_root)) return std::move(m_found);
      const std::string only = onlyFolderWithData();
      if (only.empty()) break;
      const fs::path inner = m_root / only;
      const auto next = m_scan.probe(inner);
      if (!next || (next->folders.empty() && !holdsContainers(*next)) ||
          (m_seen.folders.size() > 1 && picturesIn(*next) > 0))
        break;
      m_root = inner;
    }
    if (containersIn(m_root, m_seen))
      return withOtherData(std::move(m_found), m_root, m_seen, m_scan);
    if (dividedContainers()) return std::move(m_found);
    if (auto objects = detectObjects(m_root, m_seen, m_scan)) return std::move(*objects);
    if (auto pairs = detectPairs(m_root, m_seen, m_scan)) return std::move(*pairs);
    if (auto split = trainingSplitContent()) return std::move(*split);
    m_annotations = annotationNote(m_root, m_seen, m_scan);
    const bool classes = m_annotations.empty() && classFolders();
    auto table = detectManifest(m_root, m_seen, m_scan);
    if (table && (!classes || m_found.classes.size() < 2 || listsMost(*table)))
      return std::move(*table);
    if (!table) table = manifestBeside(m_root, m_seen, m_scan);
    if (table && classes && listsMost(*table)) return std::move(*table);
    if (!table) table = manifestBelow(m_root, m_seen, m_scan);
    if (table && m_found.classes.size() < 2) return std::move(*table);
    // The only class folder holds the data set, next to lists that are not read.
    if (classes && m_found.classes.size() == 1 && m_found.where.empty())
      if (const auto inner = m_scan.probe(m_root / m_found.classes.front());
          inner && picturesIn(*inner) == 0 && !inner->folders.empty())
        return LayoutDetector(m_root / m_found.classes.front(), m_scan).detect();
    if (!m_lone.empty()) {
      FolderContent found = LayoutDetector(m_lone, m_scan).detect();
      addDetail(found,
                fmt::format("Of the folders next to each other, only `{}` has pictures. `{}` holds "
                            "files that are not read: if they are labels, write them as COCO, "
                            "Pascal VOC or YOLO, or as a table (CSV).",
                            visibleName(m_lone.filename().native()), visibleName(m_others)));
      return found;
    }
    if (classes || flatPictures()) {
      noteLabelFiles(m_seen, !table, m_found);
      if (m_found.classes.size() == 1)
        notePrefixes(listPictures(m_root / m_found.classes.front(), kNamesExamined).names, m_found);
      if (m_found.classes.empty()) {
        notePrefixes(m_seen.files, m_found);
        if (noteTwins(m_seen.files, m_found)) describe(m_found);
      }
      return std::move(m_found);
    }
    unknown();
    if (!m_annotations.empty())
      m_found.description =
          m_found.below.empty() ? m_annotations : m_annotations + " " + m_found.description;
    return std::move(m_found);
  }

 private:
  bool holdsContainersBelow(const fs::path& folder, int levels) const {
    const auto seen = m_scan.probe(folder);
    if (!seen) return false;
    const auto named = [](const std::string& name) { return formatOfFileName(name) != nullptr; };
    if (std::ranges::any_of(seen->files, named)) return true;
    return levels > 0 && std::ranges::any_of(seen->folders, [&](const std::string& name) {
             return holdsContainersBelow(folder / name, levels - 1);
           });
  }

  /// The only folder, or the only one with pictures among a few without data; empty: there is none.
  std::string onlyFolderWithData() const {
    constexpr std::size_t kFew = 8;
    constexpr std::size_t kEnough = 64;
    constexpr int kDeep = 3;
    const bool plain = std::ranges::all_of(m_seen.files, isJunkAmongPictures);
    if (!plain || m_seen.folders.empty() || m_seen.folders.size() > kFew || !m_seen.all) return {};
    if (m_seen.folders.size() == 1) return m_seen.files.empty() ? m_seen.folders.front() : "";
    if (!annotationNote(m_root, m_seen, m_scan).empty()) return {};
    std::string found;
    for (const std::string& name : m_seen.folders) {
      const PictureList list = listPictures(m_root / name, kEnough);
      if (list.names.empty() && !holdsContainersBelow(m_root / name, kDeep)) continue;
      if (!found.empty() || list.pictures == 0) return {};
      found = name;
    }
    return found;
  }

  static void addDetail(FolderContent& content, const std::string& sentence) {
    content.details += (content.details.empty() ? "" : " ") + sentence;
  }

  /// What the training split holds, if its folder has another name than `train`: as a table lists
  /// it, or as its folder shows.
  std::optional<FolderContent> trainingSplitContent() {
    const std::string name = trainingSplit(m_seen);
    if (name.empty() || m_scan.stopped()) return std::nullopt;
    if (auto table = detectManifest(m_root, m_seen, m_scan)) return table;
    if (auto table = manifestBeside(m_root, m_seen, m_scan)) return table;
    FolderContent found = LayoutDetector(m_root / name, m_scan).detect();
    if (found.layout == DataLayout::Unknown) return std::nullopt;
    addDetail(found, fmt::format("Only `{}` is read; the other folders are other splits.",
                                 visibleName(name)));
    return found;
  }

  bool probe(const fs::path& folder) {
    auto seen = m_scan.probe(folder);
    if (!seen) {
      m_found.description = seen.error().message;
      return false;
    }
    m_seen = seen.take();
    return true;
  }

  /// Whether the table lists most of the pictures in the class folders.
  bool listsMost(const FolderContent& table) const { return 2 * table.files >= m_found.files; }

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
    const auto pictures =
        static_cast<std::size_t>(std::ranges::count_if(seen.files, isPictureName));
    if (all == 0 || pictures > all) return false;
    const auto most = std::ranges::max_element(counts, {}, [](const auto& c) { return c.second; });
    const Format* const format = most->first;
    m_found = containerContent(*format, folder, most->second, seen.all, where);
    counts.erase(most);
    if (format == formatNamed("numpy"))
      takeLabels(folder, seen);
    else
      takeTrainShards(folder, seen, where);
    for (const auto& [other, count] : counts)
      m_found.description +=
          fmt::format(" {} of {} {} left out: give {} alone.", countedFiles(count, true, "file"),
                      other->title, count == 1 ? "is" : "are", count == 1 ? "it" : "them");
    if (isReadable(m_found)) describeFirst(folder, seen);
    return true;
  }

  /// Without the shards of held-out splits that lie in the same folder.
  void takeTrainShards(const fs::path& folder, const FolderProbe& seen, std::string_view where) {
    std::vector<std::string> names;
    for (const std::string& name : seen.files)
      if (formatOfFileName(name) == m_found.format) names.push_back(name);
    const auto train =
        seen.all && isReadable(m_found) ? trainShards(std::move(names)) : std::nullopt;
    if (!train) return;
    m_found = containerContent(
        *m_found.format, folder / train->name, train->files, true,
        fmt::format("{} of the split `train`; {} of other splits {} left out", where,
                    grouped(train->others), train->others == 1 ? "is" : "are"));
  }

  /// Describes the first of the files that are read.
  void describeFirst(const fs::path& folder, const FolderProbe& seen) {
    const std::string prefix =
        m_found.paths.front() == folder ? "" : m_found.paths.front().filename().native();
    for (const std::string& name : seen.files) {
      if (formatOfFileName(name) != m_found.format ||
          !name.starts_with(prefix.substr(0, prefix.find('{'))))
        continue;
      m_scan.examine(folder / name);
      if (m_found.format->about != nullptr)
        m_found.description += m_found.format->about(folder / name);
      return;
    }
  }

  /// Arrays of samples and of labels are two fields of one data set.
  void takeLabels(const fs::path& folder, const FolderProbe& seen) {
    const auto arrays = labelledArrays(seen);
    if (!arrays) return;
    m_found.paths = {folder / arrays->samples};
    m_found.params["labels"] = (folder / arrays->labels).native();
    const bool masks = lowerCase(arrays->labels).find("mask") != std::string::npos;
    m_found.description +=
        fmt::format(" Samples in `{}`, {} in `{}`.", visibleName(arrays->samples),
                    masks ? "masks" : "labels", visibleName(arrays->labels));
    if (m_found.files > 2)
      m_found.description +=
          fmt::format(" {} not used.",
                      m_found.files == 3 ? "1 file is" : grouped(m_found.files - 2) + " files are");
  }

  /// Splits in separate folders, as MDS data sets are written.
  bool dividedContainers() {
    const auto train = trainFolder(m_root, m_seen);
    if (!train || m_scan.stopped()) return false;
    const auto seen = m_scan.probe(*train);
    return seen && containersIn(*train, *seen, " in `train`");
  }

  bool classFolders() {
    const auto train = trainFolder(m_root, m_seen);
    const fs::path root = train.value_or(m_root);
    const auto seen = train ? m_scan.probe(root) : Result(m_seen);
    if (!seen || (!train && severalSets(*seen)) || holdPairs(root, *seen)) return false;
    m_found.all = seen->all && seen->folders.size() <= m_scan.limits().folders;
    std::size_t pictures = 0;
    std::size_t withPictures = 0;
    for (const std::string& name : seen->folders) {
      if (m_found.classes.size() == m_scan.limits().folders || m_scan.stopped()) break;
      const std::size_t found = countClass(root / name, name);
      pictures += found;
      withPictures += found > 0 ? 1 : 0;
      if (found > 0) m_lone = root / name;
    }
    m_others = withPictures == 1 ? folderOfOtherFiles(root, *seen, m_scan) : std::string();
    const bool lone = !m_others.empty();
    if (!lone) m_lone.clear();
    if (pictures == 0 || lone) {
      m_found = {};
      return false;
    }
    m_found.layout = DataLayout::Classes;
    m_found.paths = {m_root};
    m_found.classFolders = seen->folders.size();
    if (train) m_found.where = " in `train`";
    noteClassFolders(root, m_scan, m_found);
    describe(m_found);
    return true;
  }

  /// An empty class folder is a class, too: the source numbers it. Returns the number of pictures.
  std::size_t countClass(const fs::path& folder, const std::string& name) {
    const PictureList list = listPictures(folder, m_scan.limits().namesPerFolder);
    m_found.classes.push_back(name);
    m_found.all = m_found.all && list.all;
    m_found.files += list.names.size();
    if (list.first() != nullptr) (void)m_scan.measure(folder / *list.first(), m_found);
    return list.pictures;
  }

  /// Whether each of the folders holds two of a pair, as `train/GOPR0372_07_00/blur`.
  bool holdPairs(const fs::path& root, const FolderProbe& seen) const {
    const std::size_t count = std::min(seen.folders.size(), kSetsExamined);
    return count > 0 && std::all_of(seen.folders.begin(),
                                    seen.folders.begin() + static_cast<std::ptrdiff_t>(count),
                                    [&](const std::string& name) {
                                      const auto inner = m_scan.probe(root / name);
                                      return inner && pairFolders(inner->folders);
                                    });
  }

  static bool holdsContainers(const FolderProbe& seen) {
    return picturesIn(seen) == 0 && std::ranges::any_of(seen.files, [](const std::string& name) {
             return formatOfFileName(name) != nullptr;
           });
  }

  /// Whether the folders are data sets with the same class folders, such as `train` and `new`, or
  /// sets of pairs, or whether one of them, or a folder in it, holds containers and is not a class.
  bool severalSets(const FolderProbe& seen) const {
    // Two unpaired sets, as CycleGAN has them.
    const auto has = [&](const char* name) {
      return std::ranges::find(seen.folders, name) != seen.folders.end();
    };
    if (has("trainA") && has("trainB")) return true;
    std::map<std::string, std::size_t> names;
    std::size_t sets = 0;
    std::size_t pairs = 0;
    std::size_t probes = 0;
    for (const std::string& folder : seen.folders) {
      const auto inner = m_scan.probe(m_root / folder);
      if (!inner) continue;
      if (hasPairs(*inner)) ++pairs;
      if (holdsContainers(*inner)) return true;
      for (const std::string& name : inner->folders) {
        if (probes++ == kFoldersProbed) break;
        const auto deeper = m_scan.probe(m_root / folder / name);
        if (deeper && holdsContainers(*deeper)) return true;
      }
      if (inner->folders.size() < 2 || picturesIn(*inner) > 0) continue;
      ++sets;
      for (const std::string& name : inner->folders) ++names[name];
      if (sets == kSetsExamined) break;
    }
    if (pairs > 0 && pairs == seen.folders.size()) return true;
    return sets >= 2 &&
           std::ranges::any_of(names, [&](const auto& name) { return name.second == sets; });
  }

  bool flatPictures() {
    const std::size_t pictures = picturesIn(m_seen);
    if (pictures == 0) return false;
    m_found.layout = DataLayout::Pictures;
    m_found.paths = {m_root};
    m_found.files = pictures;
    m_found.all = m_seen.all;
    const auto first = std::ranges::find_if(m_seen.files, isPictureName);
    (void)m_scan.measure(m_root / *first, m_found);
    describe(m_found);
    return true;
  }

  void unknown() {
    m_found = {};
    FolderProbe folders = m_seen;
    folders.files.clear();
    takeBelow(m_found, dataBelow(m_root, folders, m_scan), m_root);
    if (!m_found.below.empty()) return;
    m_found.description = knownButNotRead();
    if (m_found.description.empty()) m_found.description = onlyJunk();
    if (!m_found.description.empty()) return;
    std::vector<std::string> formats;
    for (const Format& format : allFormats())
      if (format.isFileName != nullptr && !format.onlyNamed) formats.emplace_back(format.title);
    const std::string known = fmt::format(
        "Supported are class folders, pairs and pictures with masks, as {} files, tables that list "
        "pictures, and the formats {}.",
        pictureFormats(), joinWords(formats));
    m_found.description =
        m_seen.files.empty() && m_seen.folders.empty()
            ? "The folder is empty or holds no data. " + known
            : fmt::format(
                  "{}Unknown layout; the first name in `{}` is {}. {}", archiveNote(m_seen),
                  visibleName(m_root.filename().native()),
                  visibleName(m_seen.files.empty() ? m_seen.folders.front() : m_seen.files.front()),
                  known);
  }

  /// Whether there is no file in a small tree of folders.
  static bool holdsNoFile(const fs::path& folder) {
    constexpr int kMost = 1000;
    std::error_code error;
    int seen = 0;
    fs::recursive_directory_iterator at(folder, error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error))
      if (++seen > kMost ||
          (at->is_regular_file(error) && !isJunkFile(at->path().filename().native())))
        return false;
    return !error;
  }

  /// What the folder holds instead of a layout that is read; empty: that is not known.
  std::string knownButNotRead() {
    for (const std::string& name : m_seen.files)
      if (isManifestName(name))
        if (const auto table = manifestContent(m_root / name, m_scan); !table)
          return archiveNote(m_seen) + table.error().message;
    std::string note = loneIndexNote(m_root, m_seen);
    if (!note.empty()) return note;
    note = foreignNote(m_root, m_seen, m_scan);
    if (!note.empty()) {
      note.pop_back();
      return note;
    }
    if (m_seen.files.empty() && !m_seen.folders.empty() && m_seen.all &&
        std::ranges::all_of(m_seen.folders,
                            [&](const std::string& name) { return holdsNoFile(m_root / name); }))
      return fmt::format("{} without files.", countedFiles(m_seen.folders.size(), true, "folder"));
    return sampleFoldersNote(m_root, m_seen, m_scan);
  }

  /// A sentence that names what is not data by its name, if the folder holds nothing else.
  std::string onlyJunk() const {
    if (isRemotePath(m_root.native()) || !m_seen.folders.empty() ||
        !std::ranges::all_of(m_seen.files, isJunkAmongPictures))
      return {};
    std::error_code error;
    if (fs::is_empty(m_root, error) || error) return {};
    const auto listed = listFiles(m_root, {}, {Junk::Skip, true, kKeepJunk});
    return listed ? std::string() : visibleName(listed.error().message) + ".";
  }

  static constexpr std::size_t kSetsExamined = 8;
  static constexpr std::size_t kNamesExamined = 1000;
  static constexpr std::size_t kFoldersProbed = 64;  ///< in the folders of a folder

  fs::path m_root;
  Scan& m_scan;
  FolderProbe m_seen;  ///< of the root
  std::string m_annotations;
  std::string m_others;  ///< a folder with other files next to m_lone
  fs::path m_lone;       ///< the only folder with pictures next to folders with other files
  FolderContent m_found;
};

}  // namespace

namespace {

/// A server is asked for a listing first: a data set's folder is the usual case.
bool looksLikeFile(const fs::path& path) {
  return isRemotePath(path.native()) ? !isFolderAt(path) : isFileAt(path);
}

}  // namespace

FolderContent detectContent(const fs::path& path, const ScanLimits& limits,
                            const std::atomic<bool>* stop) {
  Scan scan(limits, stop);
  FolderContent found =
      looksLikeFile(path) ? detectFile(path, scan) : LayoutDetector(path, scan).detect();
  scan.reportPointers(found);
  return found;
}

}  // namespace millrace
