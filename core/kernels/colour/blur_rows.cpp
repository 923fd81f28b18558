// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/colour/blur_rows.h"

#include "core/kernels/colour/blur_rules.h"

#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/colour/blur_rows.cpp"
#include <hwy/foreach_target.h>
// clang-format off
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace millrace::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, 16>;  // four of them fit into a block

/// addTap() for a vector.
template <class V>
HWY_INLINE V addTapHere(V sum, V weight, const float* row) {
  return hn::Add(sum, hn::Mul(weight, hn::LoadU(Floats(), row)));
}

void sumRowsHere(const float* const* rows, const float* weights, std::size_t taps,
                 std::size_t count, float* HWY_RESTRICT out) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t x = 0; x < count; x += 4 * lanes) {
    // Four sums at a time, because each addition waits for the one before.
    auto a = hn::Zero(d);
    auto b = a;
    auto c = a;
    auto e = a;
    for (std::size_t k = 0; k < taps; ++k) {
      const float* row = rows[k] + x;
      const auto weight = hn::Set(d, weights[k]);
      a = addTapHere(a, weight, row);
      b = addTapHere(b, weight, row + lanes);
      c = addTapHere(c, weight, row + 2 * lanes);
      e = addTapHere(e, weight, row + 3 * lanes);
    }
    hn::StoreU(a, d, out + x);
    hn::StoreU(b, d, out + x + lanes);
    hn::StoreU(c, d, out + x + 2 * lanes);
    hn::StoreU(e, d, out + x + 3 * lanes);
  }
}

void roundRowHere(const float* HWY_RESTRICT values, std::size_t count,
                  std::uint8_t* HWY_RESTRICT out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = blurredByte(values[i]);
}

}  // namespace millrace::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace {

HWY_EXPORT(sumRowsHere);
HWY_EXPORT(roundRowHere);

void sumRows(const float* const* rows, const float* weights, std::size_t taps, std::size_t count,
             float* out) {
  HWY_DYNAMIC_DISPATCH(sumRowsHere)(rows, weights, taps, count, out);
}

void roundRow(const float* values, std::size_t count, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(roundRowHere)(values, count, out);
}

}  // namespace millrace
#endif
