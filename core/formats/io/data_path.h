// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace millrace {

/// Resolves a path parameter of a source: a remote path (core/storage) stays unchanged; relative
/// paths start at `base` (the pipeline file's folder); `sample:NAME` is generated sample data,
/// created if necessary (docs/reference/pipeline-file.md). The error says what to do.
Result<std::filesystem::path> resolveDataPath(const std::string& text,
                                              const std::filesystem::path& base);

}  // namespace millrace
