// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/result.h"
#include "core/sample_data/sample_data.h"
#include "core/sample_data/sample_kinds.h"

namespace millrace::samples {

struct Made {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

/// Generates `count` samples of a kind in `folder`, which must exist and be empty, on `threads`
/// threads (0: one per core). After a failure all files and folders that were written are removed.
Result<Made> drawInto(const std::filesystem::path& folder, const SampleKindEntry& kind,
                      std::uint32_t count, std::uint64_t seed, unsigned threads,
                      const SampleProgress& progress);

/// Writes a new file; the error names it. After a failure the incomplete file is removed.
Status writeNewFile(const std::filesystem::path& path, const void* data, std::size_t size);

}  // namespace millrace::samples
