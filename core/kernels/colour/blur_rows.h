// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace {

/// Rows of the blur are padded to a multiple of this, so that loops need no remainder code.
inline constexpr std::size_t kBlurBlock = 64;

/// out[i] = sum over k of weights[k] * rows[k][i], with k ascending; processes whole blocks.
void sumRows(const float* const* rows, const float* weights, std::size_t taps, std::size_t count,
             float* out);
/// Rounds to nearest even and clamps.
void roundRow(const float* values, std::size_t count, std::uint8_t* out);

}  // namespace millrace
