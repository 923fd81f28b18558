// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "core/kernels/host_device.h"

namespace millrace {

/// Operations on four bytes at a time, as the device's instructions compute them; the host's loops
/// give the same results and are used in tests.

/// Byte i of the result is byte `selector >> 4 i & 7` of low (bytes 0 to 3) and high (bytes 4 to
/// 7).
MILLRACE_HOST_DEVICE inline std::uint32_t permuteBytes(std::uint32_t low, std::uint32_t high,
                                                       std::uint32_t selector) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(low, high, selector);
#else
  const std::uint64_t both = static_cast<std::uint64_t>(high) << 32U | low;
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < 4; ++i)
    result |= static_cast<std::uint32_t>(both >> (8 * (selector >> (4 * i) & 7U)) & 0xffU)
              << (8 * i);
  return result;
#endif
}

/// sum plus the four products of unsigned bytes.
MILLRACE_HOST_DEVICE inline std::uint32_t addProducts(std::uint32_t bytes, std::uint32_t weights,
                                                      std::uint32_t sum) {
#if defined(__CUDA_ARCH__)
  return __dp4a(bytes, weights, sum);
#else
  for (std::uint32_t i = 0; i < 32; i += 8) sum += (bytes >> i & 0xffU) * (weights >> i & 0xffU);
  return sum;
#endif
}

/// The same for signed weights.
MILLRACE_HOST_DEVICE inline std::uint32_t addSignedProducts(std::uint32_t bytes,
                                                            std::uint32_t weights,
                                                            std::uint32_t sum) {
#if defined(__CUDA_ARCH__)
  std::uint32_t result;
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(bytes), "r"(weights), "r"(sum));
  return result;
#else
  for (std::uint32_t i = 0; i < 32; i += 8)
    sum += (bytes >> i & 0xffU) *
           static_cast<std::uint32_t>(static_cast<std::int8_t>(weights >> i & 0xffU));
  return sum;
#endif
}

/// The lower word of high:low shifted right by 0 to 31 bits.
MILLRACE_HOST_DEVICE inline std::uint32_t shiftedRight(std::uint32_t low, std::uint32_t high,
                                                       std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_r(low, high, bits);
#else
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(high) << 32U | low) >> bits);
#endif
}

/// Whether the aligned words that contain the 4 * kWords bytes at `at` end before `end`.
template <int kWords>
MILLRACE_HOST_DEVICE inline bool liesInside(const std::uint8_t* at, const std::uint8_t* end) {
  return end - at >= 4 * kWords + 4;
}

/// Loads 4 * kWords bytes from any address; the memory must begin at a multiple of four. The device
/// reads the aligned words that contain them.
template <int kWords>
MILLRACE_HOST_DEVICE inline void loadWordsInside(const std::uint8_t* at,
                                                 std::uint32_t (&words)[kWords]) {
#if defined(__CUDA_ARCH__)
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  const auto* aligned = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
  const auto bits = static_cast<std::uint32_t>(address & 3U) * 8;
  std::uint32_t last = __ldg(aligned);
  MILLRACE_UNROLL
  for (int i = 0; i < kWords; ++i) {
    const std::uint32_t next = __ldg(aligned + i + 1);
    words[i] = shiftedRight(last, next, bits);
    last = next;
  }
#else
  std::memcpy(words, at, sizeof words);
#endif
}

/// The same if the memory may end earlier: nothing at or after `end` is read; such bytes are 0.
template <int kWords>
MILLRACE_HOST_DEVICE inline void loadWords(const std::uint8_t* at, const std::uint8_t* end,
                                           std::uint32_t (&words)[kWords]) {
#if defined(__CUDA_ARCH__)
  if (liesInside<kWords>(at, end)) return loadWordsInside<kWords>(at, words);
#endif
  MILLRACE_UNROLL
  for (int i = 0; i < kWords; ++i) {
    words[i] = 0;
    for (int k = 0; k < 4; ++k)
      if (at + 4 * i + k < end)
        words[i] |= static_cast<std::uint32_t>(at[4 * i + k]) << static_cast<std::uint32_t>(8 * k);
  }
}

/// A pixel's channels, with the first one in the lowest byte.
template <int kChannels>
MILLRACE_HOST_DEVICE inline std::uint32_t loadPixel(const std::uint8_t* at) {
  std::uint32_t pixel = 0;
  MILLRACE_UNROLL
  for (int c = 0; c < kChannels; ++c)
    pixel |= static_cast<std::uint32_t>(at[c]) << static_cast<std::uint32_t>(8 * c);
  return pixel;
}

MILLRACE_HOST_DEVICE inline std::uint8_t byteAt(std::uint32_t word, int i) {
  return static_cast<std::uint8_t>(word >> static_cast<std::uint32_t>(8 * i));
}

/// Channel c of four neighbouring pixels that are packed in `words`. In unrolled loops c is a
/// compile-time constant.
template <int kChannels>
MILLRACE_HOST_DEVICE inline std::uint32_t fourOfChannel(const std::uint32_t (&words)[kChannels],
                                                        int c) {
  const auto k = static_cast<std::uint32_t>(c);
  if constexpr (kChannels == 1) {
    return words[0];
  } else if constexpr (kChannels == 2) {
    return permuteBytes(words[0], words[1], 0x6420U + 0x1111U * k);
  } else if constexpr (kChannels == 3) {
    const std::uint32_t first = c == 0 ? 0x0630U : c == 1 ? 0x0741U : 0x0052U;
    const std::uint32_t second = c == 0 ? 0x5210U : c == 1 ? 0x6210U : 0x7410U;
    return permuteBytes(permuteBytes(words[0], words[1], first), words[2], second);
  } else {
    const std::uint32_t pair = 0x0040U + 0x0011U * k;
    return permuteBytes(permuteBytes(words[0], words[1], pair),
                        permuteBytes(words[2], words[3], pair), 0x5410U);
  }
}

}  // namespace millrace
