// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/result.h"
#include "core/data/buffer.h"
#include "core/formats/parquet/hybrid_runs.h"
#include "core/formats/parquet/parquet_page.h"
#include "core/formats/parquet/parquet_unpacker.h"

namespace millrace {

/// The content of a data page: levels and values. Borrows from the page's bytes or from `memory`.
struct ParquetContent {
  std::span<const std::byte> repetitions;
  std::span<const std::byte> definitions;
  std::span<const std::byte> values;
  Buffer memory;         ///< of a page that was decompressed
  bool borrows = false;  ///< the values are part of the page's bytes
};

/// Decompresses a data page and separates levels from values. The error says what is wrong.
Result<ParquetContent> openParquetPage(const ParquetColumn& column, ParquetCodec codec,
                                       const ParquetPage& page, std::span<const std::byte> bytes,
                                       ParquetUnpacker& unpacker);

/// Fails if the page has a checksum that does not match its bytes.
Status checkParquetSum(const ParquetPage& page, std::span<const std::byte> bytes);

/// Reads the levels of one page. One thread.
class ParquetLevels {
 public:
  ParquetLevels(std::span<const std::byte> bytes, unsigned highest);
  /// Fills `to`. The error says that they are cut off or impossible.
  Status read(std::span<std::uint32_t> to);

 private:
  unsigned m_highest;
  HybridRuns m_runs;
};

}  // namespace millrace
