// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/jpeg/colour_rows.h"

#include <bit>
#include <cstring>

#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/codecs/jpeg/colour_rows.cpp"
#include <hwy/foreach_target.h>
// clang-format off
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace millrace::jpeg::HWY_NAMESPACE {

// Loops without vector types are vectorised by the compiler for each level.

void repeatHere(const std::uint8_t* HWY_RESTRICT samples, int count, int times,
                std::uint8_t* HWY_RESTRICT out) {
  if (times == 2)
    for (int i = 0; i < count; ++i) out[2 * i] = out[2 * i + 1] = samples[i];
  else
    for (int i = 0; i < count; ++i)
      out[4 * i] = out[4 * i + 1] = out[4 * i + 2] = out[4 * i + 3] = samples[i];
}

void smoothDownHere(const ChromaRow& row, std::uint8_t* HWY_RESTRICT out) {
  const std::uint8_t* HWY_RESTRICT samples = row.samples;
  const std::uint8_t* HWY_RESTRICT near = row.near;
  const int bias = row.isLower ? 2 : 1;
  for (int i = 0; i < row.count; ++i)
    out[i] = static_cast<std::uint8_t>((3 * samples[i] + near[i] + bias) >> 2);
}

/// The column sums of a row; those of its neighbours are at sums[0] and sums[count + 1].
void columnSumsHere(const ChromaRow& row, std::int16_t* HWY_RESTRICT sums) {
  const std::uint8_t* HWY_RESTRICT samples = row.samples;
  const std::uint8_t* HWY_RESTRICT near = row.near;
  const int first = row.hasLeft ? -1 : 0;
  const int end = row.hasRight ? row.count + 1 : row.count;
  if (near != nullptr)
    for (int i = first; i < end; ++i)
      sums[i + 1] = static_cast<std::int16_t>(3 * samples[i] + near[i]);
  else
    for (int i = first; i < end; ++i) sums[i + 1] = samples[i];
  if (!row.hasLeft) sums[0] = sums[1];
  if (!row.hasRight) sums[row.count + 1] = sums[row.count];
}

template <int kEvenBias, int kOddBias, int kShift>
HWY_INLINE void smoothAcross(const std::int16_t* HWY_RESTRICT sums, int count,
                             std::uint8_t* HWY_RESTRICT out) {
  for (int i = 0; i < count; ++i) {
    const int centre = 3 * sums[i + 1];
    const int even = (centre + sums[i] + kEvenBias) >> kShift;
    const int odd = (centre + sums[i + 2] + kOddBias) >> kShift;
    // Both bytes at once, so that the stores have no gaps.
    const auto both = static_cast<std::uint16_t>(
        std::endian::native == std::endian::little ? even | odd << 8 : even << 8 | odd);
    std::memcpy(out + 2 * i, &both, 2);
  }
}

void smoothAcrossHere(const ChromaRow& row, std::int16_t* sums, std::uint8_t* out) {
  columnSumsHere(row, sums);
  if (row.near != nullptr)
    smoothAcross<8, 7, 4>(sums, row.count, out);
  else
    smoothAcross<1, 2, 2>(sums, row.count, out);
}

#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

namespace hn = hwy::HWY_NAMESPACE;
using D16 = hn::CappedTag<std::int16_t, 32>;
using D32 = hn::Repartition<std::int32_t, D16>;
using D8 = hn::Half<hn::Repartition<std::uint8_t, D16>>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;
constexpr int kLanes = HWY_MAX_BYTES >= 64 ? 32 : HWY_MAX_BYTES / 2;

/// round(value * factor / 2^16) for a 16-bit factor and an 8-bit value.
HWY_INLINE V16 scaled(V16 value, int factor) {
  const D16 d;
  const V16 high =
      hn::MulHigh(hn::Add(value, value), hn::Set(d, static_cast<std::int16_t>(factor)));
  return hn::ShiftRight<1>(hn::Add(high, hn::Set(d, 1)));
}

HWY_INLINE V32 weigh(V16 pairs, V16 weights) {
  const D32 d;
  V32 unused = hn::Zero(d);
  const V32 half = hn::Set(d, 1 << 15);
  return hn::ShiftRight<16>(hn::ReorderWidenMulAccumulate(d, pairs, weights, half, unused));
}

void ycbcrToRgbHere(const std::uint8_t* HWY_RESTRICT y, const std::uint8_t* HWY_RESTRICT cb,
                    const std::uint8_t* HWY_RESTRICT cr, int width,
                    std::uint8_t* HWY_RESTRICT rgb) {
  // The constants of jdcolor.c minus whole multiples of a sample, so that they fit 16 bits: 1.402 =
  // 1 + 0.402, 1.772 = 2 - 0.228, -0.71414 = -1 + 0.28586, in units of 1 / 2^16.
  constexpr int kRed = 91881 - 65536;
  constexpr int kBlue = 116130 - 2 * 65536;
  constexpr std::uint32_t kGreen = static_cast<std::uint32_t>(65536 - 46802) << 16U |
                                   (static_cast<std::uint32_t>(-22554) & 0xffffU);
  const D16 d;
  const D8 d8;
  const V16 centre = hn::Set(d, 128);
  const V16 green = hn::BitCast(d, hn::Set(D32(), static_cast<std::int32_t>(kGreen)));
  for (int x = 0; x < width; x += kLanes) {
    const V16 luma = hn::PromoteTo(d, hn::LoadU(d8, y + x));
    const V16 b = hn::Sub(hn::PromoteTo(d, hn::LoadU(d8, cb + x)), centre);
    const V16 r = hn::Sub(hn::PromoteTo(d, hn::LoadU(d8, cr + x)), centre);
    const V16 red = hn::Add(luma, hn::Add(r, scaled(r, kRed)));
    const V16 blue = hn::Add(luma, hn::Add(hn::Add(b, b), scaled(b, kBlue)));
    const V32 lower = weigh(hn::InterleaveLower(d, b, r), green);
    const V32 upper = weigh(hn::InterleaveUpper(d, b, r), green);
    const V16 both = hn::Add(hn::Sub(luma, r), hn::ReorderDemote2To(d, lower, upper));
    hn::StoreInterleaved3(hn::DemoteTo(d8, red), hn::DemoteTo(d8, both), hn::DemoteTo(d8, blue), d8,
                          rgb + 3 * x);
  }
}

#else

void ycbcrToRgbHere(const std::uint8_t* y, const std::uint8_t* cb, const std::uint8_t* cr,
                    int width, std::uint8_t* rgb) {
  plain::ycbcrToRgb(y, cb, cr, width, rgb);
}

#endif

void greyToRgbHere(const std::uint8_t* HWY_RESTRICT grey, int width,
                   std::uint8_t* HWY_RESTRICT rgb) {
  for (int x = 0; x < width; ++x) rgb[3 * x] = rgb[3 * x + 1] = rgb[3 * x + 2] = grey[x];
}

}  // namespace millrace::jpeg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::jpeg {

HWY_EXPORT(repeatHere);
HWY_EXPORT(smoothDownHere);
HWY_EXPORT(smoothAcrossHere);
HWY_EXPORT(ycbcrToRgbHere);
HWY_EXPORT(greyToRgbHere);

void upsampleRow(const ChromaRow& row, Upsampling how, std::int16_t* sums, std::uint8_t* out) {
  switch (how) {
    case Upsampling::SmoothAcross: HWY_DYNAMIC_DISPATCH(smoothAcrossHere)(row, sums, out); return;
    case Upsampling::Repeat2:
      HWY_DYNAMIC_DISPATCH(repeatHere)(row.samples, row.count, 2, out);
      return;
    case Upsampling::Repeat4:
      HWY_DYNAMIC_DISPATCH(repeatHere)(row.samples, row.count, 4, out);
      return;
    case Upsampling::None: break;
  }
  if (row.near != nullptr)
    HWY_DYNAMIC_DISPATCH(smoothDownHere)(row, out);
  else
    std::memcpy(out, row.samples, static_cast<std::size_t>(row.count));
}

void ycbcrToRgb(const std::uint8_t* y, const std::uint8_t* cb, const std::uint8_t* cr, int width,
                std::uint8_t* rgb) {
  HWY_DYNAMIC_DISPATCH(ycbcrToRgbHere)(y, cb, cr, width, rgb);
}

void greyToRgb(const std::uint8_t* grey, int width, std::uint8_t* rgb) {
  HWY_DYNAMIC_DISPATCH(greyToRgbHere)(grey, width, rgb);
}

}  // namespace millrace::jpeg
#endif
