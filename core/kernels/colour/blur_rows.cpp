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

void sumRowsHere(const float* const* rows, const float* weights, std::size_t taps,
                 std::size_t count, float* HWY_RESTRICT out) {
  for (std::size_t x = 0; x < count; x += kBlurBlock) {
    float sums[kBlurBlock] = {};
    for (std::size_t k = 0; k < taps; ++k) {
      const float* HWY_RESTRICT row = rows[k] + x;
      const float weight = weights[k];
      for (std::size_t i = 0; i < kBlurBlock; ++i) sums[i] = addTap(sums[i], weight, row[i]);
    }
    for (std::size_t i = 0; i < kBlurBlock; ++i) out[x + i] = sums[i];
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
