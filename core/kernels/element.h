// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/half.h"

namespace millrace {

/// Rounds to nearest even for magnitudes below 2^22 (float) or 2^51 (double): the sum has no bits
/// left for a fraction.
MILLRACE_HOST_DEVICE inline float roundedToEven(float value) {
  constexpr float kMagic = 12582912.0F;
  return (value + kMagic) - kMagic;
}
MILLRACE_HOST_DEVICE inline double roundedToEven(double value) {
  constexpr double kMagic = 6755399441055744.0;
  return (value + kMagic) - kMagic;
}

/// How an element is stored and converted to a number; `write` rounds to nearest even. For kernels
/// that are templates over the element type.
struct U8Element {
  using Stored = std::uint8_t;
  MILLRACE_HOST_DEVICE static float read(Stored value) { return static_cast<float>(value); }
};
struct F16Element {
  using Stored = std::uint16_t;
  MILLRACE_HOST_DEVICE static float read(Stored value) { return f32FromF16(value); }
  MILLRACE_HOST_DEVICE static Stored write(double value) {
    return f16FromF32(static_cast<float>(value));
  }
};
struct BF16Element {
  using Stored = std::uint16_t;
  MILLRACE_HOST_DEVICE static float read(Stored value) { return f32FromBf16(value); }
  MILLRACE_HOST_DEVICE static Stored write(double value) {
    return bf16FromF32(static_cast<float>(value));
  }
};
struct F32Element {
  using Stored = float;
  MILLRACE_HOST_DEVICE static float read(Stored value) { return value; }
  MILLRACE_HOST_DEVICE static Stored write(double value) { return static_cast<float>(value); }
};
struct F64Element {
  using Stored = double;
  MILLRACE_HOST_DEVICE static double read(Stored value) { return value; }
  MILLRACE_HOST_DEVICE static Stored write(double value) { return value; }
};

}  // namespace millrace
