// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/store/run_record.h"

namespace millrace {

/// Encodes points of a series: for each point the time in seconds, then the value, both IEEE 754
/// binary64, little-endian; 16 bytes for each point, nothing else. So a blob can grow by appending.
std::vector<std::byte> encodeSeries(std::span<const SeriesPoint> points);

/// Ignores the bytes of an incomplete last point.
std::vector<SeriesPoint> decodeSeries(std::span<const std::byte> blob);

}  // namespace millrace
