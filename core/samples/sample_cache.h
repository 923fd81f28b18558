// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/samples/sample_data.h"
#include "core/samples/sample_kinds.h"

namespace millrace::samples {

/// The folder `cache`/NAME with the data of a kind, made first when it is not there whole: what
/// ensureSampleData promises, for any folder and kind. Makers lock `.NAME.lock`, draw into
/// `.NAME.making-*` beside the place and rename. The folder's `.millrace-sample` says version,
/// files and bytes. `threads` draw; 0: one a core.
Result<std::filesystem::path> ensureInCache(const std::filesystem::path& cache,
                                            const SampleKindEntry& kind,
                                            const SampleProgress& progress, unsigned threads = 0);

/// Whether `cache`/NAME has the stamp of a finished making of this version; what it counts is not
/// compared with what lies there.
bool isStamped(const std::filesystem::path& cache, const SampleKindEntry& kind);

}  // namespace millrace::samples
