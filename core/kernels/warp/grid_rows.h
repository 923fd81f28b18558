// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace {

/// Loops of grid_sample.cpp, compiled for each vector level.

/// places[i] = (across[i] + down) + rest.
void addToPlaces(const float* across, float down, float rest, std::size_t count, float* places);
/// The pixel at each place of an axis with `size` pixels; -1 or `size` if it is outside.
void nearestPixels(const float* places, std::size_t count, std::int32_t size, std::int32_t* pixels);
/// The pixel before each place, -2 to `size`, and the share of the next one.
void pixelsBefore(const float* places, std::size_t count, std::int32_t size, std::int32_t* pixels,
                  float* shares);

}  // namespace millrace
