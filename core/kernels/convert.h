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

/// What u8 means when it becomes a float, or a float u8.
enum class U8Range : std::uint8_t {
  Unit,   ///< pictures: 255 is 1 (CONTRACT §2)
  Plain,  ///< numbers: 255 is 255
};

/// `count` elements from one array to another that does not overlap, or starts at the same place
/// and has elements of the same size.
using Converter = void (*)(const std::byte* from, std::byte* to, std::size_t count);

/// Converter among u8, f16, bf16, f32 and f64, chosen once at plan time; null for other types.
/// To f16 and bf16 by way of f32, to nearest even. To u8: to nearest even, clamped to 0 to 255, NaN
/// becomes 0. Arrays are aligned for their types.
Converter converter(DType from, DType to, U8Range range);

/// Picture of any element size (1, 2, 4 or 8 bytes) to the other layout. No overlap; aligned.
void hwcToChw(const std::byte* from, Size size, int channels, std::size_t elementBytes,
              std::byte* to);
void chwToHwc(const std::byte* from, Size size, int channels, std::size_t elementBytes,
              std::byte* to);

/// (x - mean) / deviation in place, for 1 to 4 channels.
void normalise(float* data, Size size, int channels, Layout layout,
               const std::array<float, 4>& mean, const std::array<float, 4>& deviation);

}  // namespace millrace
