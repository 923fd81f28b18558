// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/data_sets.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/formats/folder/held_out_names.h"
#include "core/inspect/scan.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTrain = "train";

/// The folder that holds the folder `train` with the content, if there is one at or below `path`.
std::optional<fs::path> dividedFolder(const fs::path& path, const FolderContent& content) {
  std::error_code ignored;
  const fs::path& first = content.paths.front();
  if (content.layout == DataLayout::Classes && !content.where.empty()) return first;
  for (fs::path at = first; at.has_relative_path() && at != path; at = at.parent_path())
    if (at.filename() == kTrain) return at.parent_path();
  return std::nullopt;
}

std::string folderName(const fs::path& path) {
  return path.filename().empty() ? path.parent_path().filename().native()
                                 : path.filename().native();
}

std::string unreadable(const FolderContent& content) {
  std::string text = content.description;
  if (content.below.empty()) return text;
  std::vector<std::string> paths;
  for (const DataBelow& below : content.below)
    paths.push_back("`" + visibleName(below.path.native()) + "`");
  return text + " Give one of them: " + joinWords(paths) + ".";
}

}  // namespace

Result<std::vector<DataSet>> findDataSets(const fs::path& path, const ScanLimits& limits,
                                          const std::atomic<bool>* stop) {
  FolderContent content = detectContent(path, limits, stop);
  if (!isReadable(content)) return Error{unreadable(content)};
  const std::optional<fs::path> divided = dividedFolder(path, content);
  std::vector<DataSet> sets;
  sets.push_back({divided ? std::string(kTrain) : folderName(path),
                  divided ? *divided / kTrain : path, std::move(content)});
  if (!divided) return sets;
  for (const std::string_view name : kHeldOutNames) {
    std::error_code ignored;
    const fs::path folder = *divided / name;
    if (!fs::is_directory(folder, ignored)) continue;
    FolderContent other = detectContent(folder, limits, stop);
    if (isReadable(other)) sets.push_back({std::string(name), folder, std::move(other)});
  }
  return sets;
}

}  // namespace millrace
