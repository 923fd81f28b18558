// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace {

/// sums[i] += bytes[i] * share, rounded after each operation.
void addWeighted(const std::uint8_t* bytes, std::size_t count, float share, float* sums);
/// Truncates to 0 to 255.
void cutToBytes(const float* sums, std::size_t count, std::uint8_t* bytes);

}  // namespace millrace
