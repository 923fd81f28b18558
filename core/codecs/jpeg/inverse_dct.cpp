// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/jpeg/inverse_dct.h"

#include <cstring>

#include "core/codecs/jpeg/block_layout.h"

#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/codecs/jpeg/inverse_dct.cpp"
#include <hwy/foreach_target.h>
// clang-format off
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace millrace::jpeg::HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

namespace hn = hwy::HWY_NAMESPACE;
using K = DctConstants;

// A vector holds a row of one to four blocks, each in 128 bits; no operation crosses blocks.
using D16 = hn::CappedTag<std::int16_t, kGroupRow>;
using D32 = hn::Repartition<std::int32_t, D16>;
using D64 = hn::Repartition<std::int64_t, D16>;
using D8 = hn::Half<hn::Repartition<std::uint8_t, D16>>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;
constexpr std::size_t kLanes = HWY_MAX_BYTES >= 64 ? 32 : HWY_MAX_BYTES / 2;
constexpr std::size_t kBlocks = kLanes / 8;

/// The weighted sum of two neighbouring 16-bit lanes.
HWY_INLINE V32 weigh(V16 values, V16 weights) {
  const D32 d;
  V32 unused = hn::Zero(d);
  return hn::ReorderWidenMulAccumulate(d, values, weights, hn::Zero(d), unused);
}

HWY_INLINE V16 weights(int even, int odd) {
  const auto both =
      (static_cast<std::uint32_t>(odd) << 16U) | (static_cast<std::uint32_t>(even) & 0xffffU);
  return hn::BitCast(D16(), hn::Set(D32(), static_cast<std::int32_t>(both)));
}

/// 32-bit lanes for the lower and the upper half of a row.
struct Wide {
  V32 lower;
  V32 upper;
};
HWY_INLINE Wide operator+(Wide a, Wide b) {
  return {hn::Add(a.lower, b.lower), hn::Add(a.upper, b.upper)};
}
HWY_INLINE Wide operator-(Wide a, Wide b) {
  return {hn::Sub(a.lower, b.lower), hn::Sub(a.upper, b.upper)};
}

/// The lanes of two rows, interleaved for weigh().
struct Pairs {
  V16 lower;
  V16 upper;
  HWY_INLINE Pairs(V16 a, V16 b)
      : lower(hn::InterleaveLower(D16(), a, b)), upper(hn::InterleaveUpper(D16(), a, b)) {}
  HWY_INLINE Wide weighed(int a, int b) const {
    return {weigh(lower, weights(a, b)), weigh(upper, weights(a, b))};
  }
};

/// Lanes times 2^kBits, without a multiplication.
template <int kUp>
HWY_INLINE V32 scaledLower(V16 row) {
  const D32 d;
  return hn::ShiftRight<16 - kUp>(hn::BitCast(d, hn::InterleaveLower(D16(), hn::Zero(D16()), row)));
}
template <int kUp>
HWY_INLINE Wide scaled(V16 row) {
  const D32 d;
  return {scaledLower<kUp>(row), hn::ShiftRight<16 - kUp>(hn::BitCast(
                                     d, hn::InterleaveUpper(D16(), hn::Zero(D16()), row)))};
}

template <int kDown>
HWY_INLINE V32 descaled(V32 value) {
  return hn::ShiftRight<kDown>(hn::Add(value, hn::Set(D32(), 1 << (kDown - 1))));
}
template <int kDown>
HWY_INLINE V16 narrowed(Wide value) {
  return hn::ReorderDemote2To(D16(), descaled<kDown>(value.lower), descaled<kDown>(value.upper));
}

HWY_INLINE V16 lower32(V16 a, V16 b) {
  const D32 d;
  return hn::BitCast(D16(), hn::InterleaveLower(d, hn::BitCast(d, a), hn::BitCast(d, b)));
}
HWY_INLINE V16 upper32(V16 a, V16 b) {
  const D32 d;
  return hn::BitCast(D16(), hn::InterleaveUpper(d, hn::BitCast(d, a), hn::BitCast(d, b)));
}
HWY_INLINE V16 lower64(V16 a, V16 b) {
  const D64 d;
  return hn::BitCast(D16(), hn::InterleaveLower(d, hn::BitCast(d, a), hn::BitCast(d, b)));
}
HWY_INLINE V16 upper64(V16 a, V16 b) {
  const D64 d;
  return hn::BitCast(D16(), hn::InterleaveUpper(d, hn::BitCast(d, a), hn::BitCast(d, b)));
}

/// Transposes each block.
HWY_INLINE void transpose(V16* HWY_RESTRICT v) {
  const D16 d;
  const V16 a0 = hn::InterleaveLower(d, v[0], v[1]), a1 = hn::InterleaveUpper(d, v[0], v[1]);
  const V16 a2 = hn::InterleaveLower(d, v[2], v[3]), a3 = hn::InterleaveUpper(d, v[2], v[3]);
  const V16 a4 = hn::InterleaveLower(d, v[4], v[5]), a5 = hn::InterleaveUpper(d, v[4], v[5]);
  const V16 a6 = hn::InterleaveLower(d, v[6], v[7]), a7 = hn::InterleaveUpper(d, v[6], v[7]);
  const V16 b0 = lower32(a0, a2), b1 = upper32(a0, a2), b2 = lower32(a1, a3), b3 = upper32(a1, a3);
  const V16 b4 = lower32(a4, a6), b5 = upper32(a4, a6), b6 = lower32(a5, a7), b7 = upper32(a5, a7);
  v[0] = lower64(b0, b4), v[1] = upper64(b0, b4);
  v[2] = lower64(b1, b5), v[3] = upper64(b1, b5);
  v[4] = lower64(b2, b6), v[5] = upper64(b2, b6);
  v[6] = lower64(b3, b7), v[7] = upper64(b3, b7);
}

/// One pass of jidctint.c over eight rows.
template <int kDown>
HWY_INLINE void pass8(V16* HWY_RESTRICT v) {
  const Pairs p26(v[2], v[6]);
  const Wide tmp2 = p26.weighed(K::k0_541, K::k0_541 - K::k1_847);
  const Wide tmp3 = p26.weighed(K::k0_541 + K::k0_765, K::k0_541);
  const Wide tmp0 = scaled<K::kBits>(hn::Add(v[0], v[4]));
  const Wide tmp1 = scaled<K::kBits>(hn::Sub(v[0], v[4]));

  const Pairs z(hn::Add(v[7], v[3]), hn::Add(v[5], v[1]));
  const Wide z3 = z.weighed(K::k1_175 - K::k1_961, K::k1_175);
  const Wide z4 = z.weighed(K::k1_175, K::k1_175 - K::k0_390);
  const Pairs p71(v[7], v[1]);
  const Pairs p53(v[5], v[3]);
  const Wide odd0 = p71.weighed(-K::k0_899, K::k1_501 - K::k0_899) + z4;
  const Wide odd1 = p53.weighed(-K::k2_562, K::k3_072 - K::k2_562) + z3;
  const Wide odd2 = p53.weighed(K::k2_053 - K::k2_562, -K::k2_562) + z4;
  const Wide odd3 = p71.weighed(K::k0_298 - K::k0_899, -K::k0_899) + z3;

  const Wide even0 = tmp0 + tmp3;
  const Wide even1 = tmp1 + tmp2;
  const Wide even2 = tmp1 - tmp2;
  const Wide even3 = tmp0 - tmp3;
  v[0] = narrowed<kDown>(even0 + odd0), v[7] = narrowed<kDown>(even0 - odd0);
  v[1] = narrowed<kDown>(even1 + odd1), v[6] = narrowed<kDown>(even1 - odd1);
  v[2] = narrowed<kDown>(even2 + odd2), v[5] = narrowed<kDown>(even2 - odd2);
  v[3] = narrowed<kDown>(even3 + odd3), v[4] = narrowed<kDown>(even3 - odd3);
}

HWY_INLINE hn::Vec<D8> pixels(V16 row) {
  return hn::DemoteTo(D8(), hn::SaturatedAdd(row, hn::Set(D16(), 128)));
}

/// Reads and dequantises the rows of kBlocks blocks; `wild` collects implausible coefficients.
HWY_INLINE void load(const std::int16_t* HWY_RESTRICT from, const QuantTable& quant,
                     V16* HWY_RESTRICT v, V16& wild) {
  const D16 d;
  for (std::size_t r = 0; r < 8; ++r) {
    const auto steps =
        hn::LoadDup128(d, reinterpret_cast<const std::int16_t*>(quant.data() + r * 8));
    v[r] = hn::Mul(hn::LoadU(d, from + r * kGroupRow), steps);
  }
  const V16 largest = hn::Set(d, kLargestPlausible);
  wild = hn::Max(wild, hn::Sub(hn::Max(v[0], hn::Set(d, -kLargestPlausible)), largest));
  wild = hn::Max(wild, hn::Sub(hn::Set(d, -kLargestPlausible), hn::Min(v[0], largest)));
}

HWY_INLINE void transformTo8(V16* HWY_RESTRICT v, std::uint8_t* out, std::size_t stride) {
  pass8<K::kBits - K::kPass1Bits>(v);
  transpose(v);
  pass8<K::kBits + K::kPass1Bits + 3>(v);
  transpose(v);
  for (std::size_t r = 0; r < 8; ++r) hn::StoreU(pixels(v[r]), D8(), out + r * stride);
}

/// jpeg_idct_4x4 of jidctred.c.
HWY_INLINE void transformTo4(V16* HWY_RESTRICT v, std::uint8_t* out, std::size_t stride) {
  constexpr int kDown1 = K::kBits - K::kPass1Bits + 1;
  constexpr int kDown2 = K::kBits + K::kPass1Bits + 3 + 1;
  const D16 d;
  const Pairs p13(v[1], v[3]);
  const Pairs p57(v[5], v[7]);
  const Wide odd2 = p13.weighed(K::k2_562, K::k0_899) + p57.weighed(-K::k0_601, -K::k0_509);
  const Wide odd0 = p13.weighed(K::k1_061, -K::k2_172) + p57.weighed(K::k1_451, -K::k0_211);
  const Wide tmp0 = scaled<K::kBits + 1>(v[0]);
  const Wide tmp2 = Pairs(v[2], v[6]).weighed(K::k1_847, -K::k0_765);
  const Wide even0 = tmp0 + tmp2;
  const Wide even1 = tmp0 - tmp2;
  const V16 row0 = narrowed<kDown1>(even0 + odd2), row3 = narrowed<kDown1>(even0 - odd2);
  const V16 row1 = narrowed<kDown1>(even1 + odd0), row2 = narrowed<kDown1>(even1 - odd0);

  // Columns of four, two per vector: 0 and 1, 2 and 3, ...
  const V16 a0 = hn::InterleaveLower(d, row0, row1), a1 = hn::InterleaveUpper(d, row0, row1);
  const V16 a2 = hn::InterleaveLower(d, row2, row3), a3 = hn::InterleaveUpper(d, row2, row3);
  const V16 c01 = lower32(a0, a2), c23 = upper32(a0, a2);
  const V16 c45 = lower32(a1, a3), c67 = upper32(a1, a3);

  const V16 c13 = hn::InterleaveUpper(d, c01, c23);
  const V16 c57 = hn::InterleaveUpper(d, c45, c67);
  const V16 c26 = hn::InterleaveLower(d, c23, c67);
  const V32 wide0 = scaledLower<K::kBits + 1>(c01);
  const V32 wide2 = weigh(c26, weights(K::k1_847, -K::k0_765));
  const V32 oddOuter = hn::Add(weigh(c13, weights(K::k2_562, K::k0_899)),
                               weigh(c57, weights(-K::k0_601, -K::k0_509)));
  const V32 oddInner = hn::Add(weigh(c13, weights(K::k1_061, -K::k2_172)),
                               weigh(c57, weights(K::k1_451, -K::k0_211)));
  const V32 outer = hn::Add(wide0, wide2);
  const V32 inner = hn::Sub(wide0, wide2);
  const V32 out0 = descaled<kDown2>(hn::Add(outer, oddOuter));
  const V32 out3 = descaled<kDown2>(hn::Sub(outer, oddOuter));
  const V32 out1 = descaled<kDown2>(hn::Add(inner, oddInner));
  const V32 out2 = descaled<kDown2>(hn::Sub(inner, oddInner));

  const V16 even = hn::ReorderDemote2To(d, out0, out2);
  const V16 odd = hn::ReorderDemote2To(d, out1, out3);
  const V16 b0 = hn::InterleaveLower(d, even, odd), b1 = hn::InterleaveUpper(d, even, odd);
  alignas(64) std::uint8_t bytes[2][kLanes];
  hn::Store(pixels(lower32(b0, b1)), D8(), bytes[0]);
  hn::Store(pixels(upper32(b0, b1)), D8(), bytes[1]);
  for (std::size_t b = 0; b < kBlocks; ++b)
    for (std::size_t r = 0; r < 4; ++r)
      std::memcpy(out + r * stride + b * 4, &bytes[r / 2][b * 8 + r % 2 * 4], 4);
}

/// One result row of jpeg_idct_2x2's second pass: its two pixels are in lane 0 of each block.
struct TwoPixels {
  V32 left;
  V32 right;
};
HWY_INLINE TwoPixels secondPass2(V32 lower, V32 upper) {
  constexpr int kDown2 = K::kBits + K::kPass1Bits + 3 + 2;
  const V16 row = hn::ReorderDemote2To(D16(), lower, upper);
  alignas(16) constexpr std::int16_t kWeights[8] = {0, K::k3_624, 0, -K::k1_272,
                                                    0, K::k0_850, 0, -K::k0_720};
  V32 odd = weigh(row, hn::LoadDup128(D16(), kWeights));
  odd = hn::Add(odd, hn::Shuffle1032(odd));
  odd = hn::Add(odd, hn::Shuffle2301(odd));
  const V32 even = hn::ShiftLeft<K::kBits + 2>(lower);
  return {descaled<kDown2>(hn::Add(even, odd)), descaled<kDown2>(hn::Sub(even, odd))};
}

HWY_INLINE void transformTo2(V16* HWY_RESTRICT v, std::uint8_t* out, std::size_t stride) {
  constexpr int kDown1 = K::kBits - K::kPass1Bits + 2;
  const D32 d;
  const Wide odd = Pairs(v[1], v[3]).weighed(K::k3_624, -K::k1_272) +
                   Pairs(v[5], v[7]).weighed(K::k0_850, -K::k0_720);
  const Wide even = scaled<K::kBits + 2>(v[0]);
  const Wide sums[2] = {even + odd, even - odd};
  for (std::size_t r = 0; r < 2; ++r) {
    const TwoPixels made =
        secondPass2(descaled<kDown1>(sums[r].lower), descaled<kDown1>(sums[r].upper));
    // Left and right interleaved, then both in the lowest 32 bits of a block.
    const V16 both =
        hn::ReorderDemote2To(D16(), hn::InterleaveLower(d, made.left, made.right), hn::Zero(d));
    alignas(64) std::uint8_t bytes[kLanes];
    hn::Store(pixels(both), D8(), bytes);
    for (std::size_t b = 0; b < kBlocks; ++b)
      std::memcpy(out + r * stride + b * 2, &bytes[b * 8], 2);
  }
}

template <int kSize>
HWY_INLINE bool transformAll(const std::int16_t* coefficients, std::size_t groups,
                             const QuantTable& quant, std::uint8_t* out, std::size_t stride) {
  V16 wild = hn::Zero(D16());
  for (std::size_t group = 0; group < groups; ++group, coefficients += kGroupStride)
    for (std::size_t b = 0; b < kGroupBlocks; b += kBlocks, out += kBlocks * kSize) {
      V16 v[8];
      load(coefficients + b * 8, quant, v, wild);
      if constexpr (kSize == 8) transformTo8(v, out, stride);
      if constexpr (kSize == 4) transformTo4(v, out, stride);
      if constexpr (kSize == 2) transformTo2(v, out, stride);
    }
  return hn::AllFalse(D16(), hn::Gt(wild, hn::Zero(D16())));
}

bool inverseDctHere(const std::int16_t* coefficients, std::size_t groups, const QuantTable& quant,
                    int size, std::uint8_t* out, std::size_t stride) {
  switch (size) {
    case 8: return transformAll<8>(coefficients, groups, quant, out, stride);
    case 4: return transformAll<4>(coefficients, groups, quant, out, stride);
    case 2: return transformAll<2>(coefficients, groups, quant, out, stride);
    default: return plain::inverseDct(coefficients, groups, quant, size, out, stride);
  }
}

#else

bool inverseDctHere(const std::int16_t* coefficients, std::size_t groups, const QuantTable& quant,
                    int size, std::uint8_t* out, std::size_t stride) {
  return plain::inverseDct(coefficients, groups, quant, size, out, stride);
}

#endif

}  // namespace millrace::jpeg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::jpeg {

HWY_EXPORT(inverseDctHere);

bool inverseDct(const std::int16_t* coefficients, std::size_t groups, const QuantTable& quant,
                int size, std::uint8_t* out, std::size_t stride) {
  return HWY_DYNAMIC_DISPATCH(inverseDctHere)(coefficients, groups, quant, size, out, stride);
}

}  // namespace millrace::jpeg
#endif
