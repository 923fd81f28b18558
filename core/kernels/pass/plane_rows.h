// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/data/dtype.h"
#include "core/kernels/pass/plane_axis.h"

namespace millrace::planes {

/// The vectorised loops of the plane pass. The level is chosen at run time; the bits do not depend
/// on it. A row of the result is computed as
///
///     rows of a plane, u8     -- blendDown -->       one row as wide as the plane
///                             -- resampleAcross -->  one row as wide as the result
///     such a row of Y, Cb, Cr -- convertColours -->  a row of the result
///
/// Columns come first, unlike in Pillow: the horizontal loop, which has to gather its samples, then
/// runs once per result row, and no rows need to be kept for their neighbours. The data between the
/// loops stays in the first-level cache.
///
/// The intermediate samples are int16 values of (value - 128) * 2^7. Subtracting 128 leaves room
/// for a cubic filter's overshoot and for the sign of chroma; with 7 fractional bits nothing is
/// rounded to whole levels before the end. Sums of such samples (or of bytes) times weights of 14
/// bits are exact in 32 bits, so their order does not matter.
inline constexpr int kFractionBits = 7;

/// The number of samples after the end of a row that the loops may read (bytes for u8 rows) and
/// write.
inline constexpr std::size_t kOverrun = 64;

constexpr std::int16_t saturated(std::int32_t value) {
  return static_cast<std::int16_t>(value < -32768 ? -32768 : value > 32767 ? 32767 : value);
}

/// A weighted sum of rows; pairs whose weights are both 0 are left out.
struct DownPlan {
  const std::uint8_t* const* rows = nullptr;  ///< 2 * pairs
  const std::int16_t* weights = nullptr;      ///< 2 * pairs, as PlaneAxis has them
  int pairs = 1;
  std::size_t count = 0;  ///< samples per row
};
void blendDown(const DownPlan& plan, std::int16_t* out);

/// The outputs of a group, and the samples of a 16-byte load that holds a pair for each of them.
inline constexpr int kGroupOutputs = 4;
inline constexpr int kWindowSamples = 8;
/// The number of groups that the longest vectors compute at a time, and the samples that two such
/// vectors hold.
inline constexpr int kMostGroups = 4;
inline constexpr int kWideOutputs = kMostGroups * kGroupOutputs;
inline constexpr int kWideSamples = 64;

/// The weights of an axis, arranged for the loop (AcrossTable) in up to three ways, as far as they
/// fit.
/// Windows: the first samples of four neighbouring outputs are close together, which is the case up
/// to a scale of 2. Pair k of all four is then in the window at offsets[group] + 2 k, and one
/// shuffle works for every k.
/// Wide windows, which AVX-512 can shuffle: the same for all samples of sixteen outputs, up to a
/// scale of about 3.
/// Runs, if neither fits or no vector level supports what fits: each output reads a separate run of
/// samples.
struct AcrossPlan {
  const PlaneAxis* axis = nullptr;
  int groups = 0;                             ///< a multiple of kMostGroups; the last ones may be
                                              ///< padding
  const std::int16_t* weights = nullptr;      ///< [pair][group][output][2]
  const std::int32_t* offsets = nullptr;      ///< of a group's window, relative to axis->low()
  const std::uint8_t* order = nullptr;        ///< [group][16]: bytes of the window
  const std::int32_t* wideOffsets = nullptr;  ///< relative to axis->low(), one per kMostGroups
                                              ///< groups
  const std::uint16_t* wideOrder = nullptr;   ///< [kMostGroups groups][output][2]: samples
  const std::int32_t* runOffsets = nullptr;   ///< of an output's run, relative to axis->low()
  const std::int16_t* runWeights = nullptr;   ///< [output][run]
  int run = 0;                                ///< samples, a multiple of kWindowSamples
};
/// `row` starts at the axis' low(). Writes complete groups if it works by groups.
void resampleAcross(const AcrossPlan& plan, const std::int16_t* row, std::int16_t* out);

/// The conversion of a colour: v * scale + offset for v from 0 to 255 * 2^7, per channel.
struct ColourPlan {
  DType dtype = DType::F32;  ///< F32, F16, BF16, or U8: rounded to nearest even
  int channels = 3;          ///< 3, or 1 for luma alone
  bool planar = false;
  std::size_t plane = 0;  ///< planar results: elements from one channel's row to the next
  std::array<float, 3> scale{};
  std::array<float, 3> offset{};
};
struct ColourRow {
  const std::int16_t* luma = nullptr;
  const std::int16_t* blue = nullptr;  ///< all 0 for grey; unused for one channel
  const std::int16_t* red = nullptr;
  std::size_t count = 0;  ///< pixels
};
/// Converts to RGB (ITU-T T.871), clamps to 0 to 255, and applies the plan. Writes no more than the
/// row.
void convertColours(const ColourPlan& plan, const ColourRow& row, std::byte* out);

/// In the fractions of the intermediate samples.
inline constexpr float kMostLevel = 255.0F * (1 << kFractionBits);
inline constexpr float kMiddle = 128.0F * (1 << kFractionBits);
inline constexpr float kRedOfCr = 1.402F;
inline constexpr float kGreenOfCb = 0.344136286F;
inline constexpr float kGreenOfCr = 0.714136286F;
inline constexpr float kBlueOfCb = 1.772F;

/// The references for every vector level, computed from the axis directly.
namespace plain {
void blendDown(const DownPlan& plan, std::int16_t* out);
void resampleAcross(const PlaneAxis& axis, const std::int16_t* row, std::int16_t* out);
void convertColours(const ColourPlan& plan, const ColourRow& row, std::byte* out);
}  // namespace plain

}  // namespace millrace::planes
