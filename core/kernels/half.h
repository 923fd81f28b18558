// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/host_device.h"

namespace millrace {

/// 16-bit floats as their bits: IEEE 754 binary16, and bfloat16 (the upper half of an f32).
/// Rounding is to nearest, ties to even; NaN stays a (quiet) NaN, overflow becomes infinity.

MILLRACE_HOST_DEVICE inline std::uint16_t bf16FromF32(float value) {
  const auto bits = sameBits<std::uint32_t>(value);
  if ((bits & 0x7fffffffU) > 0x7f800000U) return static_cast<std::uint16_t>((bits >> 16U) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U);
}

MILLRACE_HOST_DEVICE inline float f32FromBf16(std::uint16_t value) {
  return sameBits<float>(static_cast<std::uint32_t>(value) << 16U);
}

MILLRACE_HOST_DEVICE inline std::uint16_t f16FromF32(float value) {
  const auto bits = sameBits<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const auto nan = static_cast<std::uint16_t>(sign | 0x7e00U | ((magnitude >> 13U) & 0x3ffU));
#if defined(__CUDA_ARCH__)
  std::uint16_t half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
  return magnitude > 0x7f800000U ? nan : half;
#else
  if (magnitude > 0x7f800000U) return nan;
  if (magnitude >= 0x477ff000U) return static_cast<std::uint16_t>(sign | 0x7c00U);
  if (magnitude < 0x38800000U) {
    // Subnormal result: adding 0.5 aligns its last bit with the last bit of the sum, so the
    // addition rounds to nearest even.
    const float sum = sameBits<float>(magnitude) + 0.5F;
    return static_cast<std::uint16_t>(sign | (sameBits<std::uint32_t>(sum) - 0x3f000000U));
  }
  const std::uint32_t rounded = magnitude + 0xfffU + ((magnitude >> 13U) & 1U);
  return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000U) >> 13U));
#endif
}

/// f32FromF16() without a branch on which a warp would diverge. Not for host threads: it uses
/// subnormal f32 numbers, which some programs flush to zero there.
MILLRACE_HOST_DEVICE inline float f32FromF16ByProduct(std::uint16_t value) {
  const std::uint32_t sign = (value & 0x8000U) << 16U;
  const std::uint32_t magnitude = value & 0x7fffU;
  constexpr float kTwoTo112 = 5192296858534827628530496329220096.0F;
  const auto scaled = sameBits<std::uint32_t>(sameBits<float>(magnitude << 13U) * kTwoTo112);
  const std::uint32_t special = 0x7f800000U | (magnitude << 13U);
  return sameBits<float>(sign | (magnitude >= 0x7c00U ? special : scaled));
}

MILLRACE_HOST_DEVICE inline float f32FromF16(std::uint16_t value) {
#if defined(__CUDA_ARCH__)
  return f32FromF16ByProduct(value);
#else
  const std::uint32_t sign = (value & 0x8000U) << 16U;
  const std::uint32_t magnitude = value & 0x7fffU;
  if (magnitude >= 0x7c00U)
    return sameBits<float>(sign | 0x7f800000U | ((magnitude & 0x3ffU) << 13U));
  if (magnitude >= 0x400U) return sameBits<float>(sign | ((magnitude << 13U) + 0x38000000U));
  // Subnormal: a multiple of 2^-24, so this is exact.
  const float size = static_cast<float>(magnitude) * 5.9604644775390625e-8F;
  return sameBits<float>(sign | sameBits<std::uint32_t>(size));
#endif
}

}  // namespace millrace
