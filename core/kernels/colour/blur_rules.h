// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/element.h"

namespace millrace {

/// The blur of one element, shared by CPU and device.

MILLRACE_HOST_DEVICE inline float addTap(float sum, float weight, float value) {
  return sum + weight * value;
}

/// Rounds to nearest even and clamps.
MILLRACE_HOST_DEVICE inline std::uint8_t blurredByte(float sum) {
  const float low = sum > 0.0F ? sum : 0.0F;
  const float clamped = low < 255.0F ? low : 255.0F;
  return static_cast<std::uint8_t>(static_cast<std::int32_t>(roundedToEven(clamped)));
}

}  // namespace millrace
