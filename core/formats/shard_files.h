// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// The names that a pattern with braces stands for, as a shell has them: `{a,b}` and
/// `{000..015}`, which keeps its zeros. Text without braces is itself. Refused: braces within
/// braces, and more than a million names.
Result<std::vector<std::string>> expandBraces(std::string_view pattern);

/// The names that one of a source's paths stands for: itself, where it exists as it is written,
/// else what its braces say. Relative paths start at `base`.
Result<std::vector<std::string>> namesMeant(const std::string& entry,
                                            const std::filesystem::path& base);

/// The files that a container source's paths mean: files, patterns with braces, and folders, of
/// which every file below that `fits` (by its name) is taken, in byte order. Paths are
/// resolved as resolveDataPath does. The error is a sentence with the remedy.
Result<std::vector<std::filesystem::path>> shardFiles(
    const std::vector<std::string>& paths, const std::filesystem::path& base,
    const std::function<bool(std::string_view name)>& fits);

}  // namespace millrace
