// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/formats/io/open_file.h"
#include "core/formats/mds/mds_column.h"

namespace millrace {

/// Offsets have 32 bits.
inline constexpr std::uint64_t kLargestMdsShard = std::numeric_limits<std::uint32_t>::max();

/// An open shard: u32 number of samples, u32 offset of each sample and of the end, the columns as
/// JSON, the samples (mosaicml/streaming, streaming/base/format/mds/README.md). Constant after
/// opening; any thread.
struct MdsShard {
  struct Range {
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
  };
  OpenFile file;
  std::vector<std::uint32_t> offsets;

  std::uint32_t samples() const { return static_cast<std::uint32_t>(offsets.size()) - 1; }
  /// The place of a sample; the error says that the shard does not have it, or that its offsets are
  /// outside of the file.
  Result<Range> range(std::uint32_t sample) const;
};

/// Reads the table of offsets. Offsets outside of the file only affect single samples. The error
/// (an impossible header) does not contain the file's name.
Result<MdsShard> openMdsShard(OpenFile file);
/// The columns described in the shard's header.
Result<std::vector<MdsColumn>> columnsOf(const MdsShard& shard);

/// Splits a sample into values, one per column: u32 sizes of the variable-size values, then all
/// values. `values` receives views of `sample`. The error says what does not match.
Status splitMdsSample(const std::vector<MdsColumn>& columns, std::span<const std::byte> sample,
                      std::vector<std::span<const std::byte>>& values);

}  // namespace millrace
