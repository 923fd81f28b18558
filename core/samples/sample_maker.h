// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/result.h"
#include "core/samples/sample_data.h"
#include "core/samples/sample_kinds.h"

namespace millrace::samples {

struct Made {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

/// Draws `count` samples of a kind into `folder`, which is there and empty, on `threads` threads
/// (0: one a core). On failure every file and folder written is removed again.
Result<Made> drawInto(const std::filesystem::path& folder, const SampleKindEntry& kind,
                      std::uint32_t count, std::uint64_t seed, unsigned threads,
                      const SampleProgress& progress);

/// Writes a whole new file; the error names it. What a failure leaves is removed.
Status writeNewFile(const std::filesystem::path& path, const void* data, std::size_t size);

}  // namespace millrace::samples
