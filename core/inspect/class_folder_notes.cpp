// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/base/text/visible_name.h"
#include "core/inspect/scan.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kClassesExamined = 8;
/// Classes of fewer pictures have equal names by chance.
constexpr std::size_t kFewestNames = 4;

/// What a look into the first class folders shows.
struct ClassFolderProbe {
  std::size_t examined = 0;
  std::size_t divided = 0;  ///< folders that hold no picture, but folders
  std::size_t below = 0;    ///< the folders in these
  std::string firstBelow;   ///< `Animalia/Mammalia`
  std::size_t sameNames = 0;
  std::set<std::string> names;  ///< of the pictures in the first class
  std::size_t bands = 0;  ///< folders whose files are called `FOLDER_BAND`, with the same bands
  std::set<std::string> firstBands;

  /// `name`: of the class. `path`: of the folder in it that was looked at.
  void add(const FolderProbe& seen, const std::string& name, const std::string& path) {
    ++examined;
    const bool divides = picturesIn(seen) == 0 && !seen.folders.empty();
    if (divides || path != name) {
      ++divided;
      below += divides ? seen.folders.size() : 1;
      if (firstBelow.empty()) firstBelow = divides ? path + "/" + seen.folders.front() : path;
    }
    std::set<std::string> stems;
    for (const std::string& file : seen.files)
      if (isPictureName(file)) stems.emplace(stemOf(file));
    if (examined == 1) names = stems;
    if (stems == names) ++sameNames;
    std::set<std::string> own;
    for (const std::string& stem : stems)
      if (stem.starts_with(name + "_")) own.insert(stem.substr(name.size() + 1));
    if (examined == 1) firstBands = own;
    if (own.size() > 1 && own.size() == stems.size() && own == firstBands) ++bands;
  }
};

/// Below folders that hold nothing but one folder, as `amazon/images`. `path`: becomes that of the
/// folder.
Result<FolderProbe> probeDown(const fs::path& root, const Scan& scan, std::string& path) {
  constexpr int kDeepest = 4;
  Result<FolderProbe> seen = scan.probe(root / path);
  for (int i = 0; i < kDeepest && seen && picturesIn(*seen) == 0 && seen->folders.size() == 1;
       ++i) {
    path += "/" + seen->folders.front();
    seen = scan.probe(root / path);
  }
  return seen;
}

}  // namespace

void noteClassFolders(const fs::path& root, const Scan& scan, FolderContent& content) {
  ClassFolderProbe found;
  bool twins = false;
  for (const std::string& name : content.classes) {
    if (found.examined == kClassesExamined || scan.stopped()) break;
    std::string path = name;
    const auto seen = probeDown(root, scan, path);
    if (!seen) continue;
    found.add(*seen, name, path);
    if (!twins) twins = noteTwins(seen->files, content);
  }
  if (found.examined < 2) return;
  const auto add = [&](const std::string& sentence) {
    content.details += (content.details.empty() ? "" : " ") + sentence;
  };
  if (found.divided == found.examined && found.below > found.divided)
    add(fmt::format(
        "They hold {}{} more folders, such as `{}`. If those are the classes, list the {} folders "
        "in `image_folder.paths` instead of the one above them.",
        found.examined < content.classes.size() ? "at least " : "", found.below,
        visibleName(found.firstBelow), content.classes.size()));
  if (found.bands == found.examined)
    add(fmt::format(
        "Each holds files that begin with its own name and end with the same words, such as "
        "`{}_{}`. If they are the bands of one sample, write a TIFF file with all bands for each "
        "sample: bands in separate files are not put together.",
        visibleName(content.classes.front()), visibleName(*found.firstBands.begin())));
  if (found.sameNames == found.examined && found.names.size() >= kFewestNames)
    add(fmt::format(
        "The files have the same names in each folder, such as {}. If they belong together, as "
        "the "
        "two sides of a stereo picture do, the folders are no classes: a table (CSV) with a column "
        "for each of them says which files form a sample.",
        visibleName(*found.names.begin())));
}

}  // namespace millrace
