// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

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
  for (const std::string& name : seen.folders) look(folder / name, scan, level - 1, found);
  return found;
}

}  // namespace millrace
