// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/data/dtype.h"
#include "core/data/image_view.h"
#include "core/data/stream_type.h"

namespace millrace {

/// out = share * a + (1 - share) * b for `count` elements of u8, f16, bf16, f32 or f64. Computed in
/// f32 (f64 for f64), and rounded to nearest even for u8, f16 and bf16. `out` may be `a` or `b`.
/// `share` is from 0 to 1. Any thread.
void mix(const std::byte* a, const std::byte* b, double share, DType type, std::size_t count,
         std::byte* out);

/// Copies a rectangle from one packed picture to the same place in another one of the same size,
/// channels, element size and layout (CutMix). The rectangle must be inside the pictures.
void copyBox(const std::byte* from, Size size, int channels, std::size_t elementBytes,
             Layout layout, Rect box, std::byte* to);

}  // namespace millrace
