// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/pass/pixel_rows.h"

#include <cstring>

#include "core/kernels/pass/resample_weights.h"

#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/pass/pixel_rows.cpp"
#include <hwy/foreach_target.h>
// clang-format off
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace millrace::HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

namespace hn = hwy::HWY_NAMESPACE;

// The sums of a group take kGroupLanes lanes: one to four vectors, depending on the level.
using D32 = hn::CappedTag<std::int32_t, kGroupLanes>;
using D16 = hn::Repartition<std::int16_t, D32>;
using D8 = hn::Repartition<std::uint8_t, D32>;
using D128 = hn::Full128<std::uint8_t>;
using V32 = hn::Vec<D32>;
using V16 = hn::Vec<D16>;
using V8 = hn::Vec<D8>;
constexpr int kLanes = HWY_MAX_BYTES >= 64 ? 16 : HWY_MAX_BYTES >= 32 ? 8 : 4;
constexpr int kVectors = kGroupLanes / kLanes;
constexpr int kBlocks = kLanes / 4;
constexpr std::int32_t kHalf = 1 << 21;

/// Lane i: sum + a[2i] * b[2i] + a[2i + 1] * b[2i + 1].
HWY_INLINE V32 addPairs(V32 sum, V16 a, V16 b) {
  const D32 d;
  V32 unused = hn::Zero(d);
  return hn::ReorderWidenMulAccumulate(d, a, b, sum, unused);
}

HWY_INLINE V32 rounded(V32 high, V32 low) {
  return hn::ShiftRight<AxisWeights::kBits>(hn::Add(hn::ShiftLeft<15>(high), low));
}

/// Loads one block of 16 bytes from each offset.
HWY_INLINE V8 loadBlocks(const std::uint8_t* row, const std::int32_t* offsets) {
  const D128 d;
#if HWY_MAX_BYTES >= 64
  const hn::Full256<std::uint8_t> half;
  const D8 full;
  const auto lower =
      hn::Combine(half, hn::LoadU(d, row + offsets[1]), hn::LoadU(d, row + offsets[0]));
  const auto upper =
      hn::Combine(half, hn::LoadU(d, row + offsets[3]), hn::LoadU(d, row + offsets[2]));
  return hn::Combine(full, upper, lower);
#elif HWY_MAX_BYTES >= 32
  const D8 full;
  return hn::Combine(full, hn::LoadU(d, row + offsets[1]), hn::LoadU(d, row + offsets[0]));
#else
  return hn::LoadU(d, row + offsets[0]);
#endif
}

/// Packs a group's sums to sixteen bytes, four per pixel; saturating twice is Pillow's clip8. The
/// pixels are in the order of kPackedAt.
HWY_INLINE hn::Vec<D128> packGroup(const V32* sums) {
  const D128 d;
#if HWY_MAX_BYTES >= 64
  return hn::DemoteTo(d, sums[0]);
#elif HWY_MAX_BYTES >= 32
  return hn::DemoteTo(d, hn::ReorderDemote2To(D16(), sums[0], sums[1]));
#else
  const hn::Half<D128> half;
  const auto lower = hn::DemoteTo(half, hn::ReorderDemote2To(D16(), sums[0], sums[1]));
  const auto upper = hn::DemoteTo(half, hn::ReorderDemote2To(D16(), sums[2], sums[3]));
  return hn::Combine(d, upper, lower);
#endif
}
/// The position of each pixel in packGroup()'s result: two vectors of two pixels are packed block
/// by block.
constexpr int kPackedAt[4] = {0, HWY_MAX_BYTES == 32 ? 2 : 1, HWY_MAX_BYTES == 32 ? 1 : 2, 3};
constexpr int kInOrder[4] = {0, 1, 2, 3};

/// Shuffle order that widens the bytes of two taps to 16 bits, for each channel of a pixel.
template <int kChannels>
HWY_INLINE V8 tapOrder(int firstTap) {
  alignas(16) std::uint8_t order[16];
  for (int c = 0; c < 4; ++c) {
    const bool used = c < kChannels;
    const int first = firstTap * kChannels + c;
    order[4 * c] = static_cast<std::uint8_t>(used ? first : 0x80);
    order[4 * c + 1] = 0x80;
    order[4 * c + 2] = static_cast<std::uint8_t>(used ? first + kChannels : 0x80);
    order[4 * c + 3] = 0x80;
  }
  return hn::LoadDup128(D8(), order);
}

/// Shuffle order from four bytes per pixel to packed pixels, or to four values per plane.
template <int kChannels, bool kPlanar>
HWY_INLINE hn::Vec<D128> storeOrder(const int* pixelAt) {
  alignas(16) std::uint8_t order[16];
  for (std::uint8_t& byte : order) byte = 0x80;
  for (int pixel = 0; pixel < kGroupPixels; ++pixel)
    for (int c = 0; c < kChannels; ++c)
      order[kPlanar ? c * kGroupPixels + pixel : pixel * kChannels + c] =
          static_cast<std::uint8_t>(pixelAt[pixel] * 4 + c);
  return hn::Load(D128(), order);
}

template <int kChannels, bool kPlanar>
HWY_INLINE void storeGroup(hn::Vec<D128> bytes, hn::Vec<D128> order, std::size_t plane, int group,
                           std::uint8_t* out) {
  const D128 d;
  const auto sorted = hn::TableLookupBytesOr0(bytes, order);
  if constexpr (kPlanar) {
    const auto words = hn::BitCast(hn::Full128<std::uint32_t>(), sorted);
    std::uint8_t* at = out + group * kGroupPixels;
    const std::uint32_t word[4] = {hn::ExtractLane(words, 0), hn::ExtractLane(words, 1),
                                   hn::ExtractLane(words, 2), hn::ExtractLane(words, 3)};
    for (int c = 0; c < kChannels; ++c)
      std::memcpy(at + static_cast<std::size_t>(c) * plane, word + c, kGroupPixels);
  } else {
    hn::StoreU(sorted, d, out + group * kGroupPixels * kChannels);
  }
}

template <int kChannels, bool kPlanar, int kQuads>
HWY_INLINE void resampleGroups(const RowPlan& plan, const std::uint8_t* HWY_RESTRICT row,
                               std::uint8_t* HWY_RESTRICT out) {
  const D32 d32;
  const D16 d16;
  const V8 taps01 = tapOrder<kChannels>(0);
  const V8 taps23 = tapOrder<kChannels>(2);
  const auto order = storeOrder<kChannels, kPlanar>(kPackedAt);
  const int quads = kQuads > 0 ? kQuads : plan.quads;
  const std::int16_t* split = plan.split;
  const std::int32_t* offsets = plan.offsets;
  for (int group = 0; group < plan.groups; ++group, offsets += kGroupPixels) {
    V32 sums[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      V32 high = hn::Zero(d32);
      V32 low = hn::Set(d32, kHalf);
      for (int quad = 0; quad < quads; ++quad) {
        const V8 pixels = loadBlocks(row + quad * kQuadTaps * kChannels, offsets + v * kBlocks);
        const V16 first = hn::BitCast(d16, hn::TableLookupBytesOr0(pixels, taps01));
        const V16 second = hn::BitCast(d16, hn::TableLookupBytesOr0(pixels, taps23));
        const std::int16_t* entry = split + quad * kQuadEntries + v * 2 * kLanes;
        high = addPairs(high, first, hn::Load(d16, entry));
        low = addPairs(low, first, hn::Load(d16, entry + 2 * kGroupLanes));
        high = addPairs(high, second, hn::Load(d16, entry + 4 * kGroupLanes));
        low = addPairs(low, second, hn::Load(d16, entry + 6 * kGroupLanes));
      }
      sums[v] = rounded(high, low);
    }
    split += quads * kQuadEntries;
    storeGroup<kChannels, kPlanar>(packGroup(sums), order, plan.plane, group, out);
  }
}

template <int kChannels, bool kPlanar>
HWY_INLINE void gatherGroups(const RowPlan& plan, const std::uint8_t* HWY_RESTRICT row,
                             std::uint8_t* HWY_RESTRICT out) {
  const hn::Simd<std::uint32_t, 1, 0> one;
  const hn::Full128<std::uint32_t> four;
  const hn::Half<decltype(four)> two;
  const auto order = storeOrder<kChannels, kPlanar>(kInOrder);
  const std::int32_t* offsets = plan.offsets;
  for (int group = 0; group < plan.groups; ++group, offsets += kGroupPixels) {
    std::uint32_t pixels[4];
    for (int i = 0; i < 4; ++i) std::memcpy(pixels + i, row + offsets[i], 4);
    const auto lower = hn::Combine(two, hn::Set(one, pixels[1]), hn::Set(one, pixels[0]));
    const auto upper = hn::Combine(two, hn::Set(one, pixels[3]), hn::Set(one, pixels[2]));
    storeGroup<kChannels, kPlanar>(hn::BitCast(D128(), hn::Combine(four, upper, lower)), order,
                                   plan.plane, group, out);
  }
}

template <int kChannels, bool kPlanar>
HWY_INLINE void resampleChannels(const RowPlan& plan, const std::uint8_t* row, std::uint8_t* out) {
  if (plan.quads == 0)
    gatherGroups<kChannels, kPlanar>(plan, row, out);
  else if (plan.quads == 1)
    resampleGroups<kChannels, kPlanar, 1>(plan, row, out);
  else
    resampleGroups<kChannels, kPlanar, -1>(plan, row, out);
}

void resampleRowHere(const RowPlan& plan, const std::uint8_t* row, std::uint8_t* out) {
  if (plan.channels < 3)
    plain::resampleRow(plan, row, out);
  else if (plan.channels == 3)
    plan.planar ? resampleChannels<3, true>(plan, row, out)
                : resampleChannels<3, false>(plan, row, out);
  else
    plan.planar ? resampleChannels<4, true>(plan, row, out)
                : resampleChannels<4, false>(plan, row, out);
}

using DBytes = hn::Rebind<std::uint8_t, D16>;
using DFloat = hn::Rebind<float, D32>;
using VFloat = hn::Vec<DFloat>;
/// The number of values that one step of blendRows() computes.
constexpr std::size_t kStep = 2 * kLanes;

/// The weights of a ColumnPlan as vectors, kept in registers if there are few.
template <int kPairs>
class Blend {
 public:
  HWY_INLINE explicit Blend(const ColumnPlan& plan) : m_plan(plan) {
    for (int i = 0; i < kHeld; ++i) m_weights[i] = broadcast(i);
  }

  /// The values x to x + kStep, from 0 to 255.
  HWY_INLINE V16 at(std::size_t x) const {
    const D16 d16;
    const D32 d32;
    if constexpr (kPairs == 0) return hn::PromoteTo(d16, hn::LoadU(DBytes(), m_plan.rows[0] + x));
    V32 highLower = hn::Zero(d32);
    V32 highUpper = hn::Zero(d32);
    V32 lowLower = hn::Set(d32, kHalf);
    V32 lowUpper = lowLower;
    const int pairs = kPairs > 0 ? kPairs : m_plan.pairs;
    for (int pair = 0; pair < pairs; ++pair) {
      const V16 a = hn::PromoteTo(d16, hn::LoadU(DBytes(), m_plan.rows[2 * pair] + x));
      const V16 b = hn::PromoteTo(d16, hn::LoadU(DBytes(), m_plan.rows[2 * pair + 1] + x));
      const V16 lower = hn::InterleaveLower(d16, a, b);
      const V16 upper = hn::InterleaveUpper(d16, a, b);
      const V16 high = weight(2 * pair);
      const V16 low = weight(2 * pair + 1);
      highLower = addPairs(highLower, lower, high);
      highUpper = addPairs(highUpper, upper, high);
      lowLower = addPairs(lowLower, lower, low);
      lowUpper = addPairs(lowUpper, upper, low);
    }
    // Packing undoes the interleaving block by block.
    const V16 sum =
        hn::ReorderDemote2To(d16, rounded(highLower, lowLower), rounded(highUpper, lowUpper));
    return hn::Min(hn::Max(sum, hn::Zero(d16)), hn::Set(d16, 255));
  }

 private:
  static constexpr int kHeld = kPairs > 0 ? 2 * kPairs : 0;

  HWY_INLINE V16 broadcast(int i) const {
    return hn::BitCast(D16(), hn::Set(D32(), m_plan.split[i]));
  }
  HWY_INLINE V16 weight(int i) const {
    if constexpr (kPairs > 0)
      return m_weights[i];
    else
      return broadcast(i);
  }

  const ColumnPlan m_plan;
  V16 m_weights[kHeld > 0 ? kHeld : 1];
};

template <int kPairs>
HWY_INLINE void blendBytes(const ColumnPlan& plan, std::uint8_t* HWY_RESTRICT out) {
  const Blend<kPairs> blend(plan);
  const DBytes d;
  std::size_t x = 0;
  for (; x + kStep <= plan.count; x += kStep) hn::StoreU(hn::DemoteTo(d, blend.at(x)), d, out + x);
  if (x == plan.count) return;
  std::uint8_t rest[kStep];
  hn::StoreU(hn::DemoteTo(d, blend.at(x)), d, rest);
  std::memcpy(out + x, rest, plan.count - x);
}

/// byAffine() of pixel_table.h on vectors.
template <bool kNormalise>
class Affine {
 public:
  HWY_INLINE explicit Affine(const ExactAffine& affine)
      : m_mean(hn::Set(DFloat(), affine.mean)),
        m_deviation(hn::Set(DFloat(), affine.deviation)),
        m_high(hn::Set(DFloat(), affine.high)),
        m_low(hn::Set(DFloat(), affine.low)) {}

  HWY_INLINE VFloat operator()(V32 value) const {
    const DFloat d;
    const VFloat v = hn::ConvertTo(d, value);
#if HWY_NATIVE_FMA
    const VFloat unit = hn::MulAdd(v, hn::Set(d, ExactAffine::kHigh255),
                                   hn::Mul(v, hn::Set(d, ExactAffine::kLow255)));
    if constexpr (!kNormalise) return unit;
    const VFloat centred = hn::Sub(unit, m_mean);
    return hn::MulAdd(centred, m_high, hn::Mul(centred, m_low));
#else
    const VFloat unit = hn::Div(v, hn::Set(d, 255.0F));
    if constexpr (!kNormalise) return unit;
    return hn::Div(hn::Sub(unit, m_mean), m_deviation);
#endif
  }

 private:
  VFloat m_mean;
  VFloat m_deviation;
  VFloat m_high;
  VFloat m_low;
};

template <int kPairs, bool kNormalise>
HWY_INLINE void blendFloats(const ColumnPlan& plan, const ExactAffine& values,
                            float* HWY_RESTRICT out) {
  const Blend<kPairs> blend(plan);
  const Affine<kNormalise> affine(values);
  const DFloat d;
  const hn::Half<D16> half;
  std::size_t x = 0;
  for (; x < plan.count; x += kStep) {
    const V16 sum = blend.at(x);
    const VFloat lower = affine(hn::PromoteTo(D32(), hn::LowerHalf(half, sum)));
    const VFloat upper = affine(hn::PromoteTo(D32(), hn::UpperHalf(half, sum)));
    if (HWY_LIKELY(x + kStep <= plan.count)) {
      hn::StoreU(lower, d, out + x);
      hn::StoreU(upper, d, out + x + kLanes);
      continue;
    }
    float rest[kStep];
    hn::StoreU(lower, d, rest);
    hn::StoreU(upper, d, rest + kLanes);
    std::memcpy(out + x, rest, (plan.count - x) * sizeof(float));
  }
}

void blendToBytesHere(const ColumnPlan& plan, std::uint8_t* out) {
  switch (plan.pairs) {
    case 0: blendBytes<0>(plan, out); break;
    case 1: blendBytes<1>(plan, out); break;
    case 2: blendBytes<2>(plan, out); break;
    default: blendBytes<-1>(plan, out);
  }
}

template <bool kNormalise>
HWY_INLINE void blendToFloats(const ColumnPlan& plan, const ExactAffine& affine, float* out) {
  switch (plan.pairs) {
    case 0: blendFloats<0, kNormalise>(plan, affine, out); break;
    case 1: blendFloats<1, kNormalise>(plan, affine, out); break;
    case 2: blendFloats<2, kNormalise>(plan, affine, out); break;
    default: blendFloats<-1, kNormalise>(plan, affine, out);
  }
}

void blendToFloatsHere(const ColumnPlan& plan, const ExactAffine& affine, float* out) {
  if (affine.normalise)
    blendToFloats<true>(plan, affine, out);
  else
    blendToFloats<false>(plan, affine, out);
}

#else

void resampleRowHere(const RowPlan& plan, const std::uint8_t* row, std::uint8_t* out) {
  plain::resampleRow(plan, row, out);
}
void blendToBytesHere(const ColumnPlan& plan, std::uint8_t* out) { plain::blendRows(plan, out); }
void blendToFloatsHere(const ColumnPlan& plan, const ExactAffine& affine, float* out) {
  plain::blendRows(plan, affine, out);
}

#endif

}  // namespace millrace::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace {

HWY_EXPORT(resampleRowHere);
HWY_EXPORT(blendToBytesHere);
HWY_EXPORT(blendToFloatsHere);

void resampleRow(const RowPlan& plan, const std::uint8_t* row, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(resampleRowHere)(plan, row, out);
}

void blendRows(const ColumnPlan& plan, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(blendToBytesHere)(plan, out);
}

void blendRows(const ColumnPlan& plan, const ExactAffine& affine, float* out) {
  HWY_DYNAMIC_DISPATCH(blendToFloatsHere)(plan, affine, out);
}

}  // namespace millrace
#endif
