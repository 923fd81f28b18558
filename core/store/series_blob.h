// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/store/run_record.h"

namespace millrace {

/// The bytes of a piece of a series in the store: for each point the time in seconds, then the
/// value, both IEEE 754 binary64, little endian; 16 bytes a point, nothing else. So a blob grows by
/// appending.
std::vector<std::byte> encodeSeries(std::span<const SeriesPoint> points);

/// Bytes of an incomplete last point are left out.
std::vector<SeriesPoint> decodeSeries(std::span<const std::byte> blob);

}  // namespace millrace
