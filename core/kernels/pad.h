// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "core/data/image_view.h"
#include "core/kernels/affine.h"

namespace millrace {

/// Copies `from` into `to` with its first pixel at (left, top), and fills the rest according to the
/// border rule. `from` must fit inside `to`; both have the same 1 to 4 channels and do not overlap.
/// Any thread.
void pad(ImageView from, int left, int top, Border border, const std::array<std::uint8_t, 4>& fill,
         MutableImageView to);
/// The same for floats, with up to kMostFloatChannels.
void padValues(ValueView from, int left, int top, Border border,
               const std::array<float, kMostFloatChannels>& fill, MutableValueView to);

}  // namespace millrace
