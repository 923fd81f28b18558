// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace {

/// Rows of the blur are padded to a multiple of this, so that loops need no end piece.
inline constexpr std::size_t kBlurBlock = 64;

/// out[i] = sum of weights[k] * rows[k][i], k ascending, for whole blocks.
void sumRows(const float* const* rows, const float* weights, std::size_t taps, std::size_t count,
             float* out);
/// To nearest even, clamped.
void roundRow(const float* values, std::size_t count, std::uint8_t* out);

}  // namespace millrace
