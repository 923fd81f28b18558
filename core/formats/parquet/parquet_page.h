// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/base/result.h"

namespace millrace {

/// The header before a page's bytes (apache/parquet-format, parquet.thrift, PageHeader).
struct ParquetPage {
  enum class Kind : std::uint8_t { Data, Index, Dictionary, DataV2 };
  /// Pages with more values are refused, so that a header does not determine memory use.
  static constexpr std::uint32_t kMostValues = 1U << 24U;
  static constexpr std::uint32_t kLargest = 1U << 30U;

  Kind kind = Kind::Data;
  std::uint32_t headBytes = 0;
  std::uint32_t packedBytes = 0;
  std::uint32_t bytes = 0;  ///< when decompressed
  std::optional<std::uint32_t> crc;
  std::uint32_t values = 0;
  int encoding = 0;
  int levelEncoding = 0;              ///< of definition levels, version 1
  int repetitionEncoding = 0;         ///< version 1
  std::uint32_t rows = 0;             ///< version 2
  std::uint32_t definitionBytes = 0;  ///< version 2
  std::uint32_t repetitionBytes = 0;  ///< version 2
  bool packed = true;                 ///< the values are compressed, if the codec compresses

  bool isData() const { return kind == Kind::Data || kind == Kind::DataV2; }
};

/// Parses the header at the beginning of `bytes`. nullopt: more bytes are needed.
Result<std::optional<ParquetPage>> parseParquetPage(std::span<const std::byte> bytes);

}  // namespace millrace
