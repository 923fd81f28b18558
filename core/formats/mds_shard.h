// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/formats/mds_column.h"
#include "core/formats/open_file.h"

namespace millrace {

/// Offsets are 32 bits wide.
inline constexpr std::uint64_t kLargestMdsShard = std::numeric_limits<std::uint32_t>::max();

/// An open shard: u32 number of samples, u32 offset of each sample and of the end, the columns as
/// JSON, the samples (mosaicml/streaming, streaming/base/format/mds/README.md). Constant once
/// opened; any thread.
struct MdsShard {
  struct Range {
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
  };
  OpenFile file;
  std::vector<std::uint32_t> offsets;

  std::uint32_t samples() const { return static_cast<std::uint32_t>(offsets.size()) - 1; }
  /// Where a sample lies; the error says that its offsets lead out of the file.
  Result<Range> range(std::uint32_t sample) const;
};

/// Reads the table of offsets. What leads out of the file fails single samples. The error (a head
/// that cannot be) is a sentence without the file's name.
Result<MdsShard> openMdsShard(OpenFile file);
/// The columns that the shard's own head describes.
Result<std::vector<MdsColumn>> columnsOf(const MdsShard& shard);

/// The values of a sample, one a column: u32 sizes of those whose size is not fixed, then all of
/// them. `values` gets views of `sample`. The error says what does not fit.
Status splitMdsSample(const std::vector<MdsColumn>& columns, std::span<const std::byte> sample,
                      std::vector<std::span<const std::byte>>& values);

}  // namespace millrace
