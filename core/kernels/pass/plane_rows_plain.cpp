// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "core/kernels/element.h"
#include "core/kernels/pass/plane_rows.h"

namespace millrace::planes::plain {

namespace {

/// The vector instructions select in this way if both are zero.
float cutOff(float value) {
  const float positive = value > 0.0F ? value : 0.0F;
  return positive < kMostLevel ? positive : kMostLevel;
}

void storeColour(float value, DType type, std::size_t place, std::byte* out) {
  std::uint16_t half = 0;
  switch (type) {
    case DType::F32: std::memcpy(out + 4 * place, &value, 4); return;
    case DType::F16: half = f16FromF32(value); break;
    case DType::BF16: half = bf16FromF32(value); break;
    default: out[place] = static_cast<std::byte>(roundedToEven(value)); return;
  }
  std::memcpy(out + 2 * place, &half, 2);
}

}  // namespace

void blendDown(const DownPlan& plan, std::int16_t* out) {
  constexpr int kDrop = PlaneAxis::kBits - kFractionBits;
  for (std::size_t x = 0; x < plan.count; ++x) {
    std::int32_t sum = 1 << (kDrop - 1);
    for (int i = 0; i < 2 * plan.pairs; ++i) sum += (plan.rows[i][x] - 128) * plan.weights[i];
    out[x] = saturated(sum >> kDrop);
  }
}

void resampleAcross(const PlaneAxis& axis, const std::int16_t* row, std::int16_t* out) {
  for (int i = 0; i < axis.outputs(); ++i) {
    const std::int16_t* from = row + (axis.first(i) - axis.low());
    std::int32_t sum = 1 << (PlaneAxis::kBits - 1);
    for (int k = 0; k < 2 * axis.pairs(); ++k) sum += from[k] * axis.weights(i)[k];
    out[i] = saturated(sum >> PlaneAxis::kBits);
  }
}

void convertColours(const ColourPlan& plan, const ColourRow& row, std::byte* out) {
  const std::size_t channels = plan.channels == 3 ? 3 : 1;
  for (std::size_t x = 0; x < row.count; ++x) {
    const float luma = static_cast<float>(row.luma[x]) + kMiddle;
    float colour[3] = {luma, luma, luma};
    if (channels == 3) {
      const auto blue = static_cast<float>(row.blue[x]);
      const auto red = static_cast<float>(row.red[x]);
      colour[0] = luma + red * kRedOfCr;
      colour[1] = luma - blue * kGreenOfCb - red * kGreenOfCr;
      colour[2] = luma + blue * kBlueOfCb;
    }
    for (std::size_t c = 0; c < channels; ++c)
      storeColour(cutOff(colour[c]) * plan.scale[c] + plan.offset[c], plan.dtype,
                  plan.planar ? c * plan.plane + x : x * channels + c, out);
  }
}

}  // namespace millrace::planes::plain
