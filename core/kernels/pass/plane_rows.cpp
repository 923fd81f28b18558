// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The two resampling loops of the plane pass; see plane_rows.h.
#include "core/kernels/pass/plane_rows.h"

#include <cstring>

#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/pass/plane_rows.cpp"
#include <hwy/foreach_target.h>
// clang-format off
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace millrace::planes::HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::CappedTag<std::int32_t, 16>;
using D16 = hn::Repartition<std::int16_t, D32>;
using D8 = hn::Repartition<std::uint8_t, D32>;
using V32 = hn::Vec<D32>;
using V16 = hn::Vec<D16>;
constexpr int kLanes = HWY_MAX_BYTES >= 64 ? 16 : HWY_MAX_BYTES / 4;

/// Lane i: sum + a[2i] * b[2i] + a[2i + 1] * b[2i + 1].
HWY_INLINE V32 addPairs(V32 sum, V16 a, V16 b) {
  V32 unused = hn::Zero(D32());
  return hn::ReorderWidenMulAccumulate(D32(), a, b, sum, unused);
}

// Down: one multiply-add takes two rows whose samples are interleaved, one pair per lane.

/// The bytes at `at`, minus 128, as 16 bits: flipping its highest bit makes a byte signed.
HWY_INLINE V16 samplesAt(const std::uint8_t* at) {
  const hn::Rebind<std::uint8_t, D16> bytes;
  const hn::Rebind<std::int8_t, D16> signedBytes;
  const auto turned = hn::Xor(hn::LoadU(bytes, at), hn::Set(bytes, 0x80));
  return hn::PromoteTo(D16(), hn::BitCast(signedBytes, turned));
}

HWY_INLINE V16 broadcastPair(const std::int16_t* weights) {
  std::int32_t both;
  std::memcpy(&both, weights, sizeof(both));
  return hn::BitCast(D16(), hn::Set(D32(), both));
}

/// The pairs of a plan, in registers if their number is known at compile time.
template <int kPairs>
struct RowPairs {
  HWY_INLINE explicit RowPairs(const DownPlan& plan) {
    for (int i = 0; i < kPairs; ++i) {
      above[i] = plan.rows[2 * i];
      below[i] = plan.rows[2 * i + 1];
      weights[i] = broadcastPair(plan.weights + 2 * i);
    }
  }
  HWY_INLINE void add(const DownPlan&, std::size_t x, V32& lower, V32& upper) const {
    for (int i = 0; i < kPairs; ++i) addRows(above[i] + x, below[i] + x, weights[i], lower, upper);
  }
  static HWY_INLINE void addRows(const std::uint8_t* a, const std::uint8_t* b, V16 weights,
                                 V32& lower, V32& upper) {
    const V16 first = samplesAt(a);
    const V16 second = samplesAt(b);
    lower = addPairs(lower, hn::InterleaveLower(D16(), first, second), weights);
    upper = addPairs(upper, hn::InterleaveUpper(D16(), first, second), weights);
  }

  const std::uint8_t* above[kPairs];
  const std::uint8_t* below[kPairs];
  V16 weights[kPairs];
};
template <>
struct RowPairs<0> {
  HWY_INLINE explicit RowPairs(const DownPlan&) {}
  HWY_INLINE void add(const DownPlan& plan, std::size_t x, V32& lower, V32& upper) const {
    for (int i = 0; i < plan.pairs; ++i)
      RowPairs<1>::addRows(plan.rows[2 * i] + x, plan.rows[2 * i + 1] + x,
                           broadcastPair(plan.weights + 2 * i), lower, upper);
  }
};

template <int kPairs>
HWY_INLINE void blendPairs(const DownPlan& plan, std::int16_t* HWY_RESTRICT out) {
  constexpr int kDrop = PlaneAxis::kBits - kFractionBits;
  const RowPairs<kPairs> pairs(plan);
  for (std::size_t x = 0; x < plan.count; x += 2 * kLanes) {
    V32 lower = hn::Set(D32(), 1 << (kDrop - 1));
    V32 upper = lower;
    pairs.add(plan, x, lower, upper);
    // Packing undoes the interleaving block by block.
    const V16 sums =
        hn::ReorderDemote2To(D16(), hn::ShiftRight<kDrop>(lower), hn::ShiftRight<kDrop>(upper));
    hn::StoreU(sums, D16(), out + x);
  }
}

void blendDownHere(const DownPlan& plan, std::int16_t* out) {
  switch (plan.pairs) {
    case 1: blendPairs<1>(plan, out); break;
    case 2: blendPairs<2>(plan, out); break;
    case 3: blendPairs<3>(plan, out); break;
    default: blendPairs<0>(plan, out);
  }
}

// Across: a 16-byte block of a vector gives four outputs. The loops copy the plan, because the
// compiler would otherwise assume that stores can change it.

/// The window at each of the next offsets, one block each.
HWY_INLINE V16 windows(const std::int16_t* row, const std::int32_t* offsets) {
  const hn::Full128<std::int16_t> d;
#if HWY_MAX_BYTES >= 64
  const hn::Full256<std::int16_t> half;
  const auto lower =
      hn::Combine(half, hn::LoadU(d, row + offsets[1]), hn::LoadU(d, row + offsets[0]));
  const auto upper =
      hn::Combine(half, hn::LoadU(d, row + offsets[3]), hn::LoadU(d, row + offsets[2]));
  return hn::Combine(D16(), upper, lower);
#elif HWY_MAX_BYTES >= 32
  return hn::Combine(D16(), hn::LoadU(d, row + offsets[1]), hn::LoadU(d, row + offsets[0]));
#else
  return hn::LoadU(d, row + offsets[0]);
#endif
}

template <int kPairs>
HWY_INLINE void resampleGroups(const AcrossPlan plan, const std::int16_t* HWY_RESTRICT row,
                               std::int16_t* HWY_RESTRICT out) {
  constexpr int kGroups = kLanes / kGroupOutputs;
  const hn::Rebind<std::int16_t, D32> half;
  const int pairs = kPairs > 0 ? kPairs : plan.axis->pairs();
  const int pairStride = plan.groups * 2 * kGroupOutputs;
  for (int group = 0; group < plan.groups; group += kGroups) {
    const auto order = hn::Load(D8(), plan.order + group * 16);
    const std::int16_t* weights = plan.weights + group * 2 * kGroupOutputs;
    V32 sums = hn::Set(D32(), 1 << (PlaneAxis::kBits - 1));
    for (int pair = 0; pair < pairs; ++pair, weights += pairStride) {
      const V16 window = windows(row + 2 * pair, plan.offsets + group);
      const auto taps = hn::TableLookupBytes(hn::BitCast(D8(), window), order);
      sums = addPairs(sums, hn::BitCast(D16(), taps), hn::Load(D16(), weights));
    }
    hn::StoreU(hn::DemoteTo(half, hn::ShiftRight<PlaneAxis::kBits>(sums)), half,
               out + group * kGroupOutputs);
  }
}

#if HWY_MAX_BYTES >= 64

/// The same for sixteen outputs: two vectors hold the window of all of them.
template <int kPairs>
HWY_INLINE void resampleWideWindows(const AcrossPlan plan, const std::int16_t* HWY_RESTRICT row,
                                    std::int16_t* HWY_RESTRICT out) {
  const hn::Rebind<std::int16_t, D32> half;
  const int pairs = kPairs > 0 ? kPairs : plan.axis->pairs();
  const int pairStride = plan.groups * 2 * kGroupOutputs;
  const std::uint16_t* orders = plan.wideOrder;
  const std::int16_t* firstWeights = plan.weights;
  const int windows = plan.groups / kMostGroups;
  for (int window = 0; window < windows; ++window, out += kWideOutputs) {
    const std::int16_t* const from = row + plan.wideOffsets[window];
    const __m512i lower = _mm512_loadu_si512(from);
    const __m512i upper = _mm512_loadu_si512(from + kWideSamples / 2);
    __m512i order = _mm512_load_si512(orders);
    orders += 2 * kWideOutputs;
    const std::int16_t* weights = firstWeights;
    firstWeights += 2 * kWideOutputs;
    V32 sums = hn::Set(D32(), 1 << (PlaneAxis::kBits - 1));
    for (int pair = 0; pair < pairs; ++pair, weights += pairStride) {
      const V16 taps{_mm512_permutex2var_epi16(lower, order, upper)};
      sums = addPairs(sums, taps, hn::Load(D16(), weights));
      order = _mm512_add_epi16(order, _mm512_set1_epi16(2));
    }
    hn::StoreU(hn::DemoteTo(half, hn::ShiftRight<PlaneAxis::kBits>(sums)), half, out);
  }
}

#endif

template <int kPairs>
HWY_INLINE void resampleBest(const AcrossPlan& plan, const std::int16_t* row, std::int16_t* out) {
#if HWY_MAX_BYTES >= 64
  if (plan.wideOffsets != nullptr) return resampleWideWindows<kPairs>(plan, row, out);
#endif
  resampleGroups<kPairs>(plan, row, out);
}

void resampleRuns(const AcrossPlan& plan, const std::int16_t* HWY_RESTRICT row,
                  std::int16_t* HWY_RESTRICT out) {
  const hn::Full128<std::int16_t> d16;
  const hn::Full128<std::int32_t> d32;
  const std::int16_t* weights = plan.runWeights;
  for (int i = 0; i < plan.axis->outputs(); ++i, weights += plan.run) {
    const std::int16_t* from = row + plan.runOffsets[i];
    auto sums = hn::Zero(d32);
    for (int k = 0; k < plan.run; k += kWindowSamples) {
      auto unused = hn::Zero(d32);
      sums = hn::ReorderWidenMulAccumulate(d32, hn::LoadU(d16, from + k),
                                           hn::Load(d16, weights + k), sums, unused);
    }
    const std::int32_t sum = hn::GetLane(hn::SumOfLanes(d32, sums)) + (1 << (PlaneAxis::kBits - 1));
    out[i] = saturated(sum >> PlaneAxis::kBits);
  }
}

void resampleAcrossHere(const AcrossPlan& plan, const std::int16_t* row, std::int16_t* out) {
  const bool wide = HWY_MAX_BYTES >= 64 && plan.wideOffsets != nullptr;
  if (!wide && plan.offsets == nullptr) return resampleRuns(plan, row, out);
  switch (plan.axis->pairs()) {
    case 1: resampleBest<1>(plan, row, out); break;
    case 2: resampleBest<2>(plan, row, out); break;
    case 3: resampleBest<3>(plan, row, out); break;
    default: resampleBest<0>(plan, row, out);
  }
}

#else

void blendDownHere(const DownPlan& plan, std::int16_t* out) { plain::blendDown(plan, out); }
void resampleAcrossHere(const AcrossPlan& plan, const std::int16_t* row, std::int16_t* out) {
  plain::resampleAcross(*plan.axis, row, out);
}

#endif

}  // namespace millrace::planes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::planes {

HWY_EXPORT(blendDownHere);
HWY_EXPORT(resampleAcrossHere);

void blendDown(const DownPlan& plan, std::int16_t* out) {
  HWY_DYNAMIC_DISPATCH(blendDownHere)(plan, out);
}

void resampleAcross(const AcrossPlan& plan, const std::int16_t* row, std::int16_t* out) {
  HWY_DYNAMIC_DISPATCH(resampleAcrossHere)(plan, row, out);
}

}  // namespace millrace::planes
#endif
