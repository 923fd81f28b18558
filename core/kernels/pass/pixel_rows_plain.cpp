// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/pass/axis_rules.h"
#include "core/kernels/pass/pixel_rows.h"

namespace millrace::plain {

namespace {

std::uint8_t blended(const ColumnPlan& plan, std::size_t x) {
  if (plan.pairs == 0) return plan.rows[0][x];
  std::int32_t sum = kHalfWeight;
  for (int i = 0; i < 2 * plan.pairs; ++i) sum += plan.rows[i][x] * plan.fixed[i];
  return byteOfSum(sum);
}

}  // namespace

void resampleRow(const RowPlan& plan, const std::uint8_t* row, std::uint8_t* out) {
  const std::size_t step = plan.planar ? 1 : static_cast<std::size_t>(plan.channels);
  for (int c = 0; c < plan.channels; ++c) {
    std::uint8_t* at = out + static_cast<std::size_t>(c) * (plan.planar ? plan.plane : 1);
    const std::int32_t* fixed = plan.fixed;
    for (int i = 0; i < plan.groups * kGroupPixels; ++i, at += step, fixed += plan.taps) {
      const std::uint8_t* pixel = row + plan.offsets[i] + c;
      if (plan.quads == 0) {
        *at = *pixel;
        continue;
      }
      std::int32_t sum = kHalfWeight;
      for (int k = 0; k < plan.taps; ++k) sum += pixel[k * plan.channels] * fixed[k];
      *at = byteOfSum(sum);
    }
  }
}

void blendRows(const ColumnPlan& plan, std::uint8_t* out) {
  for (std::size_t x = 0; x < plan.count; ++x) out[x] = blended(plan, x);
}

void blendRows(const ColumnPlan& plan, const ExactAffine& affine, float* out) {
  for (std::size_t x = 0; x < plan.count; ++x) {
    const float unit = unitOf(blended(plan, x));
    out[x] = affine.normalise ? normalised(unit, affine.mean, affine.deviation) : unit;
  }
}

}  // namespace millrace::plain
