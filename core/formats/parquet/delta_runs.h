// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// Decodes `count` numbers from Parquet's DELTA_BINARY_PACKED (apache/parquet-format, Encodings)
/// and appends them to `to`. Returns the number of bytes read. The error says what is wrong.
Result<std::size_t> appendParquetDeltas(std::span<const std::byte> bytes, std::size_t count,
                                        std::vector<std::int64_t>& to);

}  // namespace millrace
