// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/kernels/pixel_table.h"

namespace millrace {

/// The two vector loops of the pixel pass; the level is chosen at run time, the bits do not depend
/// on it. Weights of 22 bits are split into high * 2^15 + low, both of 16 bits, so that the
/// multiply-add of 16-bit pairs gives the exact 32-bit sums.

/// Pixels that a row pass makes at a time, and the vector lanes it needs for them.
inline constexpr int kGroupPixels = 4;
inline constexpr int kGroupLanes = 16;
/// Weights that one 16-byte load feeds.
inline constexpr int kQuadTaps = 4;
/// Entries of RowPlan::split for a quad of a group: high and low of taps 0 and 1, of 2 and 3.
inline constexpr int kQuadEntries = 4 * 2 * kGroupLanes;

/// How a row of interleaved channels becomes a row of the result.
struct RowPlan {
  int channels = 3;
  int groups = 0;  ///< of kGroupPixels; the last may hold padding
  int quads = 0;   ///< 0: each output is the pixel at its offset
  bool planar = false;
  std::size_t plane = 0;                  ///< bytes from one channel's row to the next
  const std::int32_t* offsets = nullptr;  ///< byte offset of the first tap, one an output
  const std::int32_t* fixed = nullptr;    ///< `taps` an output, of 22 bits; one is a copy
  int taps = 1;
  const std::int16_t* split = nullptr;  ///< [group][quad][kQuadEntries], 64-byte aligned
};

/// Writes groups * kGroupPixels pixels; `row` is readable for 16 bytes from each load's start,
/// `out` is writable for 64 bytes behind its last pixel (of each plane).
void resampleRow(const RowPlan& plan, const std::uint8_t* row, std::uint8_t* out);

/// A weighted sum of rows. `rows` and `fixed` hold 2 * pairs rows and their weights of 22 bits,
/// each row readable for 64 bytes behind `count`; no pairs: a copy of rows[0]. `split`: high and
/// low of each pair of weights, two int16 in one int32.
struct ColumnPlan {
  const std::uint8_t* const* rows = nullptr;
  const std::int32_t* fixed = nullptr;
  const std::int32_t* split = nullptr;
  int pairs = 0;
  std::size_t count = 0;
};

void blendRows(const ColumnPlan& plan, std::uint8_t* out);
/// To f32 by an affine that is exact.
void blendRows(const ColumnPlan& plan, const ExactAffine& affine, float* out);

/// The same in plain code: the baseline level, and rows of 1 or 2 channels.
namespace plain {
void resampleRow(const RowPlan& plan, const std::uint8_t* row, std::uint8_t* out);
void blendRows(const ColumnPlan& plan, std::uint8_t* out);
void blendRows(const ColumnPlan& plan, const ExactAffine& affine, float* out);
}  // namespace plain

}  // namespace millrace
