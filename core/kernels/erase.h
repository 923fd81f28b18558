// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "core/base/random.h"
#include "core/data/image_view.h"

namespace millrace {

/// Fills a rectangle inside of the image with one value a channel.
void eraseWithColour(MutableImageView image, Rect rect, const std::array<std::uint8_t, 4>& colour);

/// Fills it with even noise: rows from the top, four bytes of each `draw.bits()`, lowest first, the
/// rest of a row's last draw unused. Same draw, same bytes.
void eraseWithNoise(MutableImageView image, Rect rect, Draw& draw);

}  // namespace millrace
