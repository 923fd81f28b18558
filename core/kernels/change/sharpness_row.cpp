// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/change/sharpness_row.h"

#include "core/kernels/colour/colour_rules.h"

#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/change/sharpness_row.cpp"
#include <hwy/foreach_target.h>
// clang-format off
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace millrace::HWY_NAMESPACE {

void addRowsHere(const std::uint8_t* HWY_RESTRICT above, const std::uint8_t* HWY_RESTRICT here,
                 const std::uint8_t* HWY_RESTRICT below, std::size_t count,
                 std::uint16_t* HWY_RESTRICT sums) {
  for (std::size_t i = 0; i < count; ++i)
    sums[i] = static_cast<std::uint16_t>(above[i] + here[i] + below[i]);
}

void sharpenRowHere(const std::uint8_t* HWY_RESTRICT here, const std::uint16_t* HWY_RESTRICT sums,
                    std::size_t count, std::size_t step, float rest,
                    std::uint8_t* HWY_RESTRICT out) {
  for (std::size_t i = step; i < count - step; ++i) {
    // The nine values, and the middle four times more. Halves do not occur, because 13 is odd.
    const std::int32_t sum = sums[i - step] + sums[i] + sums[i + step] + 4 * here[i];
    const std::int32_t smooth = (2 * sum + 13) / 26;
    const auto value = static_cast<float>(here[i]);
    out[i] = cutToByte(fusedSum(static_cast<float>(smooth - here[i]), rest, value));
  }
}

}  // namespace millrace::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace {

HWY_EXPORT(addRowsHere);
HWY_EXPORT(sharpenRowHere);

void addRows(const std::uint8_t* above, const std::uint8_t* here, const std::uint8_t* below,
             std::size_t count, std::uint16_t* sums) {
  HWY_DYNAMIC_DISPATCH(addRowsHere)(above, here, below, count, sums);
}
void sharpenRow(const std::uint8_t* here, const std::uint16_t* sums, std::size_t count,
                std::size_t step, float rest, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(sharpenRowHere)(here, sums, count, step, rest, out);
}

}  // namespace millrace
#endif
