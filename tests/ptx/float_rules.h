// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>

namespace millrace::ptx {

/// Floating point as on a GPU: IEEE 754, with one bit pattern for every NaN that f32 arithmetic
/// produces.

inline float canonical(float value) {
  return std::isnan(value) ? std::bit_cast<float>(0x7fff'ffffU) : value;
}
inline double canonical(double value) { return value; }

inline float flushed(float value) {
  return std::fabs(value) < 0x1p-126F ? std::copysign(0.0F, value) : value;
}
inline double flushed(double value) { return value; }

/// Clamps to 0 to 1; NaN becomes 0.
template <class T>
T saturated(T value) {
  return value > 0 ? (value < 1 ? value : T{1}) : T{0};
}

enum class Rounding : std::uint8_t { Nearest, Zero, Down, Up };

/// Sets the host's rounding mode while it exists. Files that use it are compiled with
/// -frounding-math.
class RoundingScope {
 public:
  explicit RoundingScope(Rounding rounding) : m_before(std::fegetround()) {
    constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    std::fesetround(kModes[static_cast<int>(rounding)]);
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;
  ~RoundingScope() { std::fesetround(m_before); }

 private:
  const int m_before;
};

}  // namespace millrace::ptx
