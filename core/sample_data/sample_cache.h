// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/sample_data/sample_data.h"
#include "core/sample_data/sample_kinds.h"

namespace millrace::samples {

/// A file in a folder of complete data, which states version, files and bytes.
inline constexpr std::string_view kStampName = ".millrace-sample";

/// Returns the folder `cache`/NAME with the data of a kind, and creates the data first if it is
/// missing or incomplete: implements ensureSampleData() for any folder and kind. A process locks
/// `.NAME.lock`, draws into `.NAME.making-*` next to the destination, and renames it. `threads`: 0:
/// one per core.
Result<std::filesystem::path> ensureInCache(const std::filesystem::path& cache,
                                            const SampleKindEntry& kind,
                                            const SampleProgress& progress, unsigned threads = 0);

/// Whether `cache`/NAME has the stamp of complete data of this version. Does not compare the stamp
/// with the files.
bool isStamped(const std::filesystem::path& cache, const SampleKindEntry& kind);

}  // namespace millrace::samples
