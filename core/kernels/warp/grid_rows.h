// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/data/image_view.h"

namespace millrace {

/// Loops of grid_sample.cpp, compiled for each vector level.

/// places[i] = (across[i] + down) + rest.
void addToPlaces(const float* across, float down, float rest, std::size_t count, float* places);
/// The pixel at each place of an axis with `size` pixels; -1 or `size` if it is outside.
void nearestPixels(const float* places, std::size_t count, std::int32_t size, std::int32_t* pixels);
/// The pixel before each place, -2 to `size`, and the share of the next one.
void pixelsBefore(const float* places, std::size_t count, std::int32_t size, std::int32_t* pixels,
                  float* shares);

/// A row of pixels of 3 or 4 channels that is interpolated. `columns`, `rows`, `right` and `down`
/// are the results of pixelsBefore().
struct GridBlend {
  ImageView from;
  const std::int32_t* columns;
  const std::int32_t* rows;
  const float* right;
  const float* down;
  const std::uint8_t* fill;  ///< nullptr: none is blended in
};
/// Writes the pixels from `begin` on as long as the four pixels around each are inside, but for the
/// picture's last pixel. Returns the first that is not written; `begin` if the machine has no fused
/// sums.
std::size_t blendInside(const GridBlend& blend, std::size_t begin, std::size_t end,
                        std::uint8_t* out);

}  // namespace millrace
