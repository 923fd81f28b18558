// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/data/dtype.h"
#include "core/kernels/device/device_pass.h"
#include "core/kernels/half.h"
#include "core/kernels/pass/pixel_table.h"
#include "core/kernels/word_rules.h"

namespace millrace {

/// How the device's pixel pass writes pixels: type and layout.

/// Four elements that are loaded and stored together.
template <class T>
struct alignas(4 * sizeof(T)) Four {
  T v[4];
};

template <int kChannels>
MILLRACE_HOST_DEVICE inline std::uint32_t pixelOfFour(const std::uint32_t (&words)[kChannels],
                                                      int p) {
  const auto k = static_cast<std::uint32_t>(p);
  if constexpr (kChannels == 1) {
    return words[0] >> (8 * k) & 0xffU;
  } else if constexpr (kChannels == 2) {
    return words[p / 2] >> (16 * (k & 1U)) & 0xffffU;
  } else if constexpr (kChannels == 3) {
    // Bytes 3p to 3p + 2, which are in at most two words.
    const int word = p == 3 ? 2 : p == 0 ? 0 : p - 1;
    const std::uint32_t selector = p == 0 ? 0x0210U : p == 1 ? 0x0543U : p == 2 ? 0x0432U : 0x0321U;
    const std::uint32_t next = words[word < 2 ? word + 1 : 2];
    return permuteBytes(words[word], next, selector) & 0xffffffU;
  } else {
    return words[p];
  }
}

MILLRACE_HOST_DEVICE inline float valueOf(const DeviceForm& form, int c, std::uint8_t byte) {
  if (form.exact)
    return byAffine(static_cast<float>(byte), form.normalise, form.mean[c], form.high[c],
                    form.low[c]);
  return form.values[c * 256 + byte];
}

struct ToU8 {
  using Stored = std::uint8_t;
  MILLRACE_HOST_DEVICE static Stored of(const DeviceForm&, int, std::uint8_t byte) { return byte; }
};
struct ToF32 {
  using Stored = float;
  MILLRACE_HOST_DEVICE static Stored of(const DeviceForm& form, int c, std::uint8_t byte) {
    return valueOf(form, c, byte);
  }
};
struct ToF16 {
  using Stored = std::uint16_t;
  MILLRACE_HOST_DEVICE static Stored of(const DeviceForm& form, int c, std::uint8_t byte) {
    return f16FromF32(valueOf(form, c, byte));
  }
};
struct ToBF16 {
  using Stored = std::uint16_t;
  MILLRACE_HOST_DEVICE static Stored of(const DeviceForm& form, int c, std::uint8_t byte) {
    return bf16FromF32(valueOf(form, c, byte));
  }
};

/// Stores the first `valid` elements to `out`, as one vector if all are valid and `out` is aligned.
template <class T>
MILLRACE_HOST_DEVICE inline void storeFour(T* out, const Four<T>& values, int valid) {
  if (valid == 4 && reinterpret_cast<std::uintptr_t>(out) % sizeof(Four<T>) == 0) {
    *reinterpret_cast<Four<T>*>(out) = values;
    return;
  }
  MILLRACE_UNROLL
  for (int i = 0; i < 4; ++i)
    if (i < valid) out[i] = values.v[i];
}

template <int kChannels, class To>
MILLRACE_HOST_DEVICE inline void storePixelsAs(const DeviceForm& form, std::byte* memory,
                                               std::int64_t area, std::int64_t at,
                                               const std::uint32_t (&pixels)[4], int valid) {
  using Stored = typename To::Stored;
  auto* out = reinterpret_cast<Stored*>(memory);
  if (form.planar) {
    MILLRACE_UNROLL
    for (int c = 0; c < kChannels; ++c) {
      Four<Stored> four;
      MILLRACE_UNROLL
      for (int p = 0; p < 4; ++p) four.v[p] = To::of(form, c, byteAt(pixels[p], c));
      storeFour(out + c * area + at, four, valid);
    }
    return;
  }
  out += at * kChannels;
  MILLRACE_UNROLL
  for (int part = 0; part < kChannels; ++part) {
    Four<Stored> four;
    MILLRACE_UNROLL
    for (int i = 0; i < 4; ++i) {
      const int element = 4 * part + i;
      const int c = element % kChannels;
      four.v[i] = To::of(form, c, byteAt(pixels[element / kChannels], c));
    }
    const int left = valid * kChannels - 4 * part;
    storeFour(out + 4 * part, four, left < 0 ? 0 : left < 4 ? left : 4);
  }
}

/// Stores pixels `at` to at + valid of a result whose planes have `area` pixels.
template <int kChannels>
MILLRACE_HOST_DEVICE inline void storePixels(const DeviceForm& form, std::byte* memory,
                                             std::int64_t area, std::int64_t at,
                                             const std::uint32_t (&pixels)[4], int valid) {
  switch (form.dtype) {
    case DType::U8: return storePixelsAs<kChannels, ToU8>(form, memory, area, at, pixels, valid);
    case DType::F16: return storePixelsAs<kChannels, ToF16>(form, memory, area, at, pixels, valid);
    case DType::BF16:
      return storePixelsAs<kChannels, ToBF16>(form, memory, area, at, pixels, valid);
    default: return storePixelsAs<kChannels, ToF32>(form, memory, area, at, pixels, valid);
  }
}

}  // namespace millrace
