// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/data/dtype.h"
#include "core/data/image_view.h"
#include "core/data/stream_type.h"

namespace millrace {

/// How u8 values are interpreted in conversions from and to floats.
enum class U8Range : std::uint8_t {
  Unit,   ///< pictures: 255 is 1.0 (docs/reference/order-and-randomness.md)
  Plain,  ///< numbers: 255 is 255.0
};

/// Converts `count` elements. The arrays do not overlap, unless both start at the same address and
/// have elements of equal size.
using Converter = void (*)(const std::byte* from, std::byte* to, std::size_t count);

/// A converter between u8, f16, bf16, f32 and f64, to be chosen once at plan time; nullptr for
/// other types. Conversions to f16 and bf16 go through f32 and round to nearest even. Conversions
/// to u8 round to nearest even and clamp to 0 to 255; NaN becomes 0. Arrays must be aligned for
/// their types.
Converter converter(DType from, DType to, U8Range range);

/// Computes (x - mean) / deviation in place for 1 to 4 channels.
void normalise(float* data, Size size, int channels, Layout layout,
               const std::array<float, 4>& mean, const std::array<float, 4>& deviation);

}  // namespace millrace
