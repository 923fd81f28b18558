// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Data sets for detection, in a format of core/formats/annotations.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/formats/annotations/annotation_format.h"
#include "core/inspect/scan.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// Of several files, the one for training objects; all are examined up to this many.
constexpr std::size_t kMostObjectFiles = 16;
constexpr std::array<std::string_view, 3> kObjectFileWords = {"instances", "train", "bbox"};

std::size_t preference(const fs::path& file) {
  const std::string name = lowerCase(file.filename().native());
  return static_cast<std::size_t>(std::ranges::count_if(
      kObjectFileWords,
      [&](std::string_view word) { return name.find(word) != std::string::npos; }));
}

/// The files in the folder that may hold annotations of all pictures, the best ones first.
std::vector<fs::path> filesIn(const fs::path& folder, const FolderProbe& seen) {
  std::vector<fs::path> files;
  for (const std::string& name : seen.files) {
    const std::string ending = lowerCase(fs::path(name).extension().native());
    if (ending == ".json" || ending == ".csv" || ending == ".yaml" || ending == ".yml")
      files.push_back(folder / name);
  }
  std::ranges::stable_sort(files, std::greater<>(), preference);
  if (files.size() > kMostObjectFiles) files.resize(kMostObjectFiles);
  return files;
}

}  // namespace

std::optional<FolderContent> objectContent(const fs::path& path) {
  const AnnotationFormat* const format = annotationFormatOf(path);
  if (format == nullptr) return std::nullopt;
  FolderContent content;
  content.layout = DataLayout::Objects;
  content.paths = {path};
  content.details = fmt::format(
      "The objects are in the format of {}{}.", format->title,
      fs::is_regular_file(path) ? fmt::format(", in `{}`", visibleName(path.filename().native()))
                                : std::string());
  describe(content);
  return content;
}

std::optional<FolderContent> detectObjects(const fs::path& folder, const FolderProbe& seen,
                                           const Scan& scan) {
  if (auto whole = objectContent(folder)) return whole;
  std::vector<fs::path> files = filesIn(folder, seen);
  for (const std::string& name : seen.folders)
    if (lowerCase(name) == "annotations")
      if (const auto inner = scan.probe(folder / name))
        std::ranges::copy(filesIn(folder / name, *inner), std::back_inserter(files));
  for (const fs::path& file : files) {
    if (scan.stopped()) break;
    if (auto content = objectContent(file)) return content;
  }
  return std::nullopt;
}

}  // namespace millrace
