// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace {

/// Loops of sharpness.cpp, compiled for each vector level.
void addRows(const std::uint8_t* above, const std::uint8_t* here, const std::uint8_t* below,
             std::size_t count, std::uint16_t* sums);
/// All pixels of a row except the first and the last; `step` values belong to a pixel. `rest` is 1
/// minus the factor.
void sharpenRow(const std::uint8_t* here, const std::uint16_t* sums, std::size_t count,
                std::size_t step, float rest, std::uint8_t* out);

}  // namespace millrace
