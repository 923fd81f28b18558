// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "core/base/random.h"
#include "core/data/image_view.h"

namespace millrace {

/// Fills a rectangle inside the image with one value per channel.
void eraseWithColour(MutableImageView image, Rect rect, const std::array<std::uint8_t, 4>& colour);

/// Fills it with uniform noise: rows from the top, four bytes per `draw.bits()`, lowest byte first;
/// the unused bytes of a row's last draw are dropped. Equal draws give equal bytes.
void eraseWithNoise(MutableImageView image, Rect rect, Draw& draw);

}  // namespace millrace
