// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/inspect/folder_content.h"

namespace millrace {

/// A data set at a path, or one of several that belong together.
struct DataSet {
  std::string name;  ///< of its folder or file
  std::filesystem::path path;
  FolderContent content;
};

/// The data set at `path`. If its training data is in a folder `train`, the held-out sets next to
/// it (`val`, `test`, ...) follow. The error says why there is no readable data.
Result<std::vector<DataSet>> findDataSets(const std::filesystem::path& path,
                                          const ScanLimits& limits, const std::atomic<bool>* stop);

}  // namespace millrace
