// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/kernels/pass/pixel_table.h"

namespace millrace {

/// The two vector loops of the pixel pass. The level is chosen at run time; the bits do not depend
/// on it. Weights of 22 bits are split into high * 2^15 + low, both of 16 bits, so that
/// multiply-add of 16-bit pairs gives exact 32-bit sums.

/// The number of pixels that a row pass computes at a time, and their vector lanes.
inline constexpr int kGroupPixels = 4;
inline constexpr int kGroupLanes = 16;
/// The number of weights per 16-byte load.
inline constexpr int kQuadTaps = 4;
/// Entries of RowPlan::split per quad of a group: high and low of taps 0 and 1, then of 2 and 3.
inline constexpr int kQuadEntries = 4 * 2 * kGroupLanes;

/// How a row of interleaved channels becomes a row of the result.
struct RowPlan {
  int channels = 3;
  int groups = 0;  ///< groups of kGroupPixels; the last may be padded
  int quads = 0;   ///< 0: each output is the pixel at its offset
  bool planar = false;
  std::size_t plane = 0;                  ///< bytes from one channel's row to the next
  const std::int32_t* offsets = nullptr;  ///< byte offset of the first tap of each output
  const std::int32_t* fixed = nullptr;    ///< `taps` weights of 22 bits per output; a single one is
                                          ///< a copy
  int taps = 1;
  const std::int16_t* split = nullptr;  ///< [group][quad][kQuadEntries], 64-byte aligned
};

/// Writes groups * kGroupPixels pixels. `row` must be readable for 16 bytes from the start of each
/// load, `out` writable for 64 bytes after its last pixel (of each plane).
void resampleRow(const RowPlan& plan, const std::uint8_t* row, std::uint8_t* out);

/// A weighted sum of rows. `rows` and `fixed` hold 2 * pairs rows and their weights of 22 bits;
/// each row must be readable for 64 bytes after `count`. No pairs: a copy of rows[0]. `split`: high
/// and low of each pair of weights, two int16 in one int32.
struct ColumnPlan {
  const std::uint8_t* const* rows = nullptr;
  const std::int32_t* fixed = nullptr;
  const std::int32_t* split = nullptr;
  int pairs = 0;
  std::size_t count = 0;
};

void blendRows(const ColumnPlan& plan, std::uint8_t* out);
/// Converts the sums to f32 by an exact affine function.
void blendRows(const ColumnPlan& plan, const ExactAffine& affine, float* out);

/// The same without vectors: the baseline level, and rows of 1 or 2 channels.
namespace plain {
void resampleRow(const RowPlan& plan, const std::uint8_t* row, std::uint8_t* out);
void blendRows(const ColumnPlan& plan, std::uint8_t* out);
void blendRows(const ColumnPlan& plan, const ExactAffine& affine, float* out);
}  // namespace plain

}  // namespace millrace
