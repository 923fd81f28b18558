// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace::jpeg {

// The layout of coefficients between the entropy decoder and the inverse transform: groups of four
// neighbouring blocks, row by row of all four, so that a row of the group is one load of up to 64
// bytes. Coefficient (row r, column c) of block b is at r * 32 + b * 8 + c.

constexpr std::size_t kGroupBlocks = 4;
constexpr std::size_t kGroupRow = kGroupBlocks * 8;
constexpr std::size_t kGroupCoefficients = kGroupRow * 8;
/// Where writes after the 63rd coefficient of a block go, relative to the block: the decoder writes
/// first and checks afterwards.
constexpr std::size_t kDump = kGroupCoefficients;
constexpr std::size_t kGroupStride = kGroupCoefficients + kGroupRow;

/// The offset of block `i` in a row of groups.
constexpr std::size_t blockOffset(std::size_t i) {
  return i / kGroupBlocks * kGroupStride + i % kGroupBlocks * 8;
}

}  // namespace millrace::jpeg
