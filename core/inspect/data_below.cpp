// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/formats/io/data_place.h"
#include "core/inspect/scan.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

void look(const fs::path& path, const Scan& scan, int level, std::vector<DataBelow>& found) {
  if (found.size() == kMostBelow || scan.stopped()) return;
  ScanLimits limits = scan.limits();
  limits.below = level;
  FolderContent content = detectContent(path, limits, scan.stop());
  if (content.layout != DataLayout::Unknown) {
    found.push_back({path, std::string(nameOf(content)), std::move(content.description)});
    return;
  }
  for (DataBelow& below : content.below)
    if (found.size() < kMostBelow) found.push_back(std::move(below));
}

}  // namespace

std::vector<DataBelow> dataBelow(const fs::path& folder, const FolderProbe& seen,
                                 const Scan& scan) {
  std::vector<DataBelow> found;
  const int level = scan.limits().below;
  if (level == 0) return found;
  for (const std::string& name : seen.files) look(folder / name, scan, 0, found);
  for (const std::string& name : seen.folders) look(folder / name, scan, level - 1, found);
  return found;
}

void takeBelow(FolderContent& content, std::vector<DataBelow> found, const fs::path& folder) {
  content.below = std::move(found);
  if (content.below.empty()) return;
  const bool here = std::ranges::any_of(content.below, [&](const DataBelow& data) {
    return data.path.parent_path() == folder && isFileAt(data.path);
  });
  content.description =
      content.below.size() == 1
          ? "1 data set is in a folder below."
          : fmt::format("{}{} data sets are {}in the folders below; each has its own pipeline.",
                        content.below.size() == kMostBelow ? "At least " : "",
                        grouped(content.below.size()), here ? "here and " : "");
}

FolderContent withOtherData(FolderContent containers, const fs::path& folder,
                            const FolderProbe& seen, const Scan& scan) {
  const auto isContainer = [](const std::string& name) {
    return formatOfFileName(name) != nullptr;
  };
  FolderProbe rest = seen;
  std::erase_if(rest.files, [&](const std::string& name) {
    return isContainer(name) || !isManifestName(name);
  });
  std::vector<DataBelow> others = dataBelow(folder, rest, scan);
  if (others.empty() || !isReadable(containers)) return containers;
  if (others.size() < containers.files) {
    std::vector<std::string> names;
    for (const DataBelow& data : others)
      names.push_back(fmt::format(
          "`{}` ({})", visibleName(data.path.lexically_relative(folder).native()), data.kind));
    containers.description += fmt::format(" Other data here: {}.", joinWords(names));
    return containers;
  }
  rest = seen;
  rest.folders.clear();
  std::erase_if(rest.files, std::not_fn(isContainer));
  std::vector<DataBelow> all = dataBelow(folder, rest, scan);
  all.insert(all.end(), others.begin(), others.end());
  FolderContent found;
  takeBelow(found, std::move(all), folder);
  return found;
}

}  // namespace millrace
