// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Data sets whose labels are files next to the folders of pictures: COCO, Pascal VOC, YOLO.
#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/inspect/scan.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

struct Annotations {
  std::string_view folder;  ///< in lower case
  std::string_view ending;
  std::string_view text;
};

constexpr std::array<Annotations, 3> kAnnotations{{
    {"annotations", ".json", "JSON files, as COCO has them"},
    {"annotations", ".xml", "XML files, as Pascal VOC has them"},
    {"labels", ".txt", "text files, as YOLO has them"},
}};

/// The names of files in a folder and in the folders in it.
std::vector<std::string> filesOf(const fs::path& folder, const Scan& scan) {
  constexpr std::size_t kFolders = 8;
  const auto seen = scan.probe(folder);
  if (!seen) return {};
  std::vector<std::string> files = seen->files;
  for (std::size_t i = 0; i < std::min(kFolders, seen->folders.size()); ++i)
    if (const auto inner = scan.probe(folder / seen->folders[i]))
      files.insert(files.end(), inner->files.begin(), inner->files.end());
  return files;
}

}  // namespace

std::string annotationNote(const fs::path& folder, const FolderProbe& seen, const Scan& scan) {
  for (const std::string& name : seen.folders)
    for (const Annotations& kind : kAnnotations) {
      if (lowerCase(name) != kind.folder || scan.stopped()) continue;
      const std::vector<std::string> files = filesOf(folder / name, scan);
      const auto ends = [&](const std::string& file) { return file.ends_with(kind.ending); };
      if (std::ranges::any_of(files, isPictureName) || std::ranges::none_of(files, ends)) continue;
      return fmt::format(
          "`{}` holds {}. Millrace does not read these labels: write them to a table (CSV) with a "
          "column of files and one of labels, or use the pictures alone.",
          singleLine(name), kind.text);
    }
  return {};
}

}  // namespace millrace
