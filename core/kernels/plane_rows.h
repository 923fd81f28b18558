// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/data/dtype.h"
#include "core/kernels/plane_axis.h"

namespace millrace::planes {

/// The loops of the plane pass, over vectors; the level is chosen at run time, the bits do not
/// depend on it. A row of the result is made of
///
///     rows of a plane, u8     -- blendDown -->       one row as wide as the plane
///                             -- resampleAcross -->  one row as wide as the result
///     such a row of Y, Cb, Cr -- convertColours -->  a row of the result
///
/// Down comes first, against Pillow's order: the way across, which has to gather its samples, is
/// then made once a row of the result, and no rows are kept for their neighbours. What is between
/// the loops stays in the first-level cache.
///
/// In between a sample is an int16 that holds (value - 128) * 2^7: 128 less, so that neither a
/// cubic's overshoot nor the sign of chroma needs a place of its own, and with 7 bits of fraction,
/// so that nothing is rounded to whole levels before the end. Sums of such samples (or of bytes)
/// times weights of 14 bits are exact in 32 bits, so their order does not matter.
inline constexpr int kFractionBits = 7;

/// Samples behind the last one of a row that the loops may read (bytes: of u8 rows) and write.
inline constexpr std::size_t kOverrun = 64;

constexpr std::int16_t saturated(std::int32_t value) {
  return static_cast<std::int16_t>(value < -32768 ? -32768 : value > 32767 ? 32767 : value);
}

/// A weighted sum of rows, without those weights that are 0 for all of a pair.
struct DownPlan {
  const std::uint8_t* const* rows = nullptr;  ///< 2 * pairs
  const std::int16_t* weights = nullptr;      ///< 2 * pairs, as PlaneAxis has them
  int pairs = 1;
  std::size_t count = 0;  ///< samples of a row
};
void blendDown(const DownPlan& plan, std::int16_t* out);

/// Outputs of a group, and the samples from which a 16-byte load takes a pair for each of them.
inline constexpr int kGroupOutputs = 4;
inline constexpr int kWindowSamples = 8;
/// What the longest vectors make at a time, and the samples that two of those hold.
inline constexpr int kMostGroups = 4;
inline constexpr int kWideOutputs = kMostGroups * kGroupOutputs;
inline constexpr int kWideSamples = 64;

/// The weights of an axis, laid out for the loop (AcrossTable), in as many of three ways as fit.
/// By windows: the first samples of four neighbouring outputs lie close together, which they do up
/// to a scale of 2, so that pair k of all four is in the window at offsets[group] + 2 k, and the
/// same shuffle finds it for every k. By wide windows, which AVX-512 can shuffle: the same for all
/// samples of sixteen outputs, up to a scale of 3 or so. By runs, where neither fits or no level
/// has what does: each output takes a run of samples by itself.
struct AcrossPlan {
  const PlaneAxis* axis = nullptr;
  int groups = 0;                         ///< a multiple of kMostGroups; the last may hold padding
  const std::int16_t* weights = nullptr;  ///< [pair][group][output][2]
  const std::int32_t* offsets = nullptr;  ///< from axis->low(), of a group's window
  const std::uint8_t* order = nullptr;    ///< [group][16]: bytes of the window
  const std::int32_t* wideOffsets = nullptr;  ///< from axis->low(), one for kMostGroups groups
  const std::uint16_t* wideOrder = nullptr;   ///< [kMostGroups groups][output][2]: samples
  const std::int32_t* runOffsets = nullptr;   ///< from axis->low(), of an output's run
  const std::int16_t* runWeights = nullptr;   ///< [output][run]
  int run = 0;                                ///< samples, a multiple of kWindowSamples
};
/// `row` begins at the axis' low(). Writes all groups, where it goes by them.
void resampleAcross(const AcrossPlan& plan, const std::int16_t* row, std::int16_t* out);

/// What becomes of colours: v * scale + offset for v in 0 to 255 * 2^7, by channel.
struct ColourPlan {
  DType dtype = DType::F32;  ///< F32, F16, BF16, or U8: rounded to nearest even
  int channels = 3;          ///< 3, or 1: luma alone
  bool planar = false;
  std::size_t plane = 0;  ///< elements from one channel's row to the next, where planar
  std::array<float, 3> scale{};
  std::array<float, 3> offset{};
};
struct ColourRow {
  const std::int16_t* luma = nullptr;
  const std::int16_t* blue = nullptr;  ///< all 0 for grey; not looked at for one channel
  const std::int16_t* red = nullptr;
  std::size_t count = 0;  ///< pixels
};
/// To RGB (ITU-T T.871), cut off at 0 and 255, then the plan's. Writes no more than the row.
void convertColours(const ColourPlan& plan, const ColourRow& row, std::byte* out);

/// In those fractions.
inline constexpr float kMostLevel = 255.0F * (1 << kFractionBits);
inline constexpr float kMiddle = 128.0F * (1 << kFractionBits);
inline constexpr float kRedOfCr = 1.402F;
inline constexpr float kGreenOfCb = 0.344136286F;
inline constexpr float kGreenOfCr = 0.714136286F;
inline constexpr float kBlueOfCb = 1.772F;

/// The references for every vector level, from the axis itself.
namespace plain {
void blendDown(const DownPlan& plan, std::int16_t* out);
void resampleAcross(const PlaneAxis& axis, const std::int16_t* row, std::int16_t* out);
void convertColours(const ColourPlan& plan, const ColourRow& row, std::byte* out);
}  // namespace plain

}  // namespace millrace::planes
