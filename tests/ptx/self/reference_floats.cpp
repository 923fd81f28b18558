// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "core/kernels/half.h"
#include "tests/ptx/self/references.h"

namespace millrace::tests {

namespace {

using B = std::uint64_t;
using Quad = __float128;  // 113 bits: products of f64 are exact.

/// An exact sum: `rest` is the difference to `value` (Knuth, "The Art of Computer Programming",
/// 4.2.2, theorem B).
struct Exact {
  Quad value;
  Quad rest;
};
Exact exactSum(Quad a, Quad b) {
  const Quad value = a + b;
  const Quad other = value - a;
  return {value, (a - (value - other)) + (b - other)};
}

/// Rounds in the direction of `how`.
template <class T>
T rounded(const Exact& exact, const std::string& how) {
  const T nearest = static_cast<T>(exact.value);
  const bool isFinite = exact.value - exact.value == 0;
  if (how == "rn" || std::isnan(nearest) || !isFinite) return nearest;
  const Quad missing = exact.value - Quad{nearest};
  if (missing == 0 && exact.rest == 0) return nearest;
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  const bool isAbove = missing != 0 ? missing < 0 : exact.rest < 0;
  const bool wantsAbove = how == "rp" || (how == "rz" && exact.value < 0);
  if (isAbove == wantsAbove) return nearest;
  return std::nextafter(nearest, wantsAbove ? kInfinity : -kInfinity);
}

/// `plain` for round to nearest, as on the host; otherwise computed from `exact`.
template <class T>
Reference arithmetic(T (*plain)(T, T, T), Exact (*exact)(Quad, Quad, Quad),
                     const std::string& how) {
  return [=](B a, B b, B c) {
    const T x = valueOf<T>(a);
    const T y = valueOf<T>(b);
    const T z = valueOf<T>(c);
    return bitsOf(how == "rn" ? plain(x, y, z) : rounded<T>(exact(x, y, z), how));
  };
}

Exact sum(Quad a, Quad b, Quad) { return exactSum(a, b); }
Exact difference(Quad a, Quad b, Quad) { return exactSum(a, -b); }
Exact product(Quad a, Quad b, Quad) { return {a * b, 0}; }
Exact productAndSum(Quad a, Quad b, Quad c) { return exactSum(a * b, c); }

template <class T>
Reference plain(T (*of)(T, T)) {
  return [of](B a, B b, B) { return bitsOf(of(valueOf<T>(a), valueOf<T>(b))); };
}

template <class T>
T leastOf(T a, T b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == 0 && b == 0) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class T>
T mostOf(T a, T b) {
  return -leastOf<T>(-a, -b);
}

template <class T>
void addOfWidth(References& all, const std::string& type) {
  for (const char* how : {"rn", "rz", "rm", "rp"}) {
    const std::string end = std::string(".") + how + type;
    all["add" + end] = arithmetic<T>([](T a, T b, T) { return a + b; }, &sum, how);
    all["sub" + end] = arithmetic<T>([](T a, T b, T) { return a - b; }, &difference, how);
    all["mul" + end] = arithmetic<T>([](T a, T b, T) { return a * b; }, &product, how);
    all["fma" + end] =
        arithmetic<T>([](T a, T b, T c) { return std::fma(a, b, c); }, &productAndSum, how);
  }
  all["div.rn" + type] = plain<T>([](T a, T b) { return a / b; });
  all["min" + type] = plain<T>(&leastOf<T>);
  all["max" + type] = plain<T>(&mostOf<T>);
  all["copysign" + type] =
      plain<T>([](T a, T b) { return std::signbit(a) == std::signbit(b) ? b : -b; });
  all["sqrt.rn" + type] = plain<T>([](T a, T) { return std::sqrt(a); });
  all["rcp.rn" + type] = plain<T>([](T a, T) { return T{1} / a; });
  all["abs" + type] = plain<T>([](T a, T) { return std::signbit(a) ? -a : a; });
  all["neg" + type] = plain<T>([](T a, T) { return -a; });
}

float withoutSubnormals(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value;
}
float between0And1(float value) { return value >= 1 ? 1 : value > 0 ? value : 0; }

template <class To, class From>
To limited(From whole) {
  if (whole >= std::ldexp(From{1}, std::numeric_limits<To>::digits))
    return std::numeric_limits<To>::max();
  const From least = static_cast<From>(std::numeric_limits<To>::min());
  return whole <= least ? std::numeric_limits<To>::min() : static_cast<To>(whole);
}

template <class From>
From wholeOf(From value, const std::string& how) {
  return how == "rni"   ? std::nearbyint(value)
         : how == "rzi" ? std::trunc(value)
         : how == "rmi" ? std::floor(value)
                        : std::ceil(value);
}

template <class To, class From>
void addToInteger(References& all, const std::string& types) {
  for (const char* how : {"rni", "rzi", "rmi", "rpi"})
    all[std::string("cvt.") + how + types] = [how](B a, B, B) -> B {
      const From value = valueOf<From>(a);
      if (!std::isnan(value)) return bitsOf(limited<To>(wholeOf(value, how)));
      // PTX ISA, cvt: NaN.
      if (sizeof(To) == 4 && sizeof(From) == 4) return 0;
      return B{1} << (8 * sizeof(To) - 1);
    };
}
template <class T>
void addIntegral(References& all, const std::string& types) {
  for (const char* how : {"rni", "rzi", "rmi", "rpi"})
    all[std::string("cvt.") + how + types] = [how](B a, B, B) {
      return bitsOf(wholeOf(valueOf<T>(a), how));
    };
}
template <class To, class From>
void addRounded(References& all, const std::string& types) {
  for (const char* how : {"rn", "rz", "rm", "rp"})
    all[std::string("cvt.") + how + types] = [how](B a, B, B) {
      return bitsOf(rounded<To>(Exact{Quad(valueOf<From>(a)), 0}, how));
    };
}
template <class To, class From>
Reference cast() {
  return [](B a, B, B) { return bitsOf(static_cast<To>(valueOf<From>(a))); };
}

}  // namespace

void addFloatReferences(References& all) {
  addOfWidth<float>(all, ".f32");
  addOfWidth<double>(all, ".f64");
  all["add.rn.ftz.f32"] = plain<float>([](float a, float b) {
    return withoutSubnormals(withoutSubnormals(a) + withoutSubnormals(b));
  });
  all["mul.rn.sat.f32"] = plain<float>([](float a, float b) { return between0And1(a * b); });
  all["ex2.approx.ftz.f32"] = plain<float>(
      [](float a, float) { return withoutSubnormals(std::exp2(withoutSubnormals(a))); });
  all["lg2.approx.f32"] = plain<float>([](float a, float) { return std::log2(a); });
  all["rsqrt.approx.f32"] = plain<float>([](float a, float) { return 1 / std::sqrt(a); });
  all["sin.approx.f32"] = plain<float>([](float a, float) { return std::sin(a); });
}

void addConversionReferences(References& all) {
  addToInteger<std::int32_t, float>(all, ".s32.f32");
  addToInteger<std::uint32_t, float>(all, ".u32.f32");
  addToInteger<std::int64_t, float>(all, ".s64.f32");
  addToInteger<std::uint64_t, float>(all, ".u64.f32");
  addToInteger<std::int32_t, double>(all, ".s32.f64");
  addToInteger<std::int64_t, double>(all, ".s64.f64");
  addToInteger<std::uint64_t, double>(all, ".u64.f64");
  addIntegral<float>(all, ".f32.f32");
  addIntegral<double>(all, ".f64.f64");
  addRounded<float, std::int32_t>(all, ".f32.s32");
  addRounded<float, std::uint32_t>(all, ".f32.u32");
  addRounded<float, std::int64_t>(all, ".f32.s64");
  addRounded<float, std::uint64_t>(all, ".f32.u64");
  addRounded<double, std::int64_t>(all, ".f64.s64");
  addRounded<double, std::uint64_t>(all, ".f64.u64");
  addRounded<float, double>(all, ".f32.f64");
  all["cvt.rn.f64.s32"] = cast<double, std::int32_t>();
  all["cvt.f64.f32"] = cast<double, float>();
  all["cvt.sat.f32.f32"] = plain<float>([](float a, float) { return between0And1(a); });
  all["cvt.s32.s16"] = cast<std::int32_t, std::int16_t>();
  all["cvt.u32.u16"] = cast<std::uint32_t, std::uint16_t>();
  all["cvt.s64.s32"] = cast<std::int64_t, std::int32_t>();
  all["cvt.u64.u32"] = cast<std::uint64_t, std::uint32_t>();
  all["cvt.u16.u32"] = cast<std::uint16_t, std::uint32_t>();
  all["cvt.u32.u64"] = cast<std::uint32_t, std::uint64_t>();
  all["cvt.s32.s8"] = cast<std::int32_t, std::int8_t>();
  all["cvt.u32.u8"] = cast<std::uint32_t, std::uint8_t>();
  all["cvt.sat.u8.s32"] = [](B a, B, B) -> B {
    const auto value = valueOf<std::int32_t>(a);
    return value < 0 ? 0 : value > 255 ? 255 : static_cast<B>(value);
  };
  all["cvt.rn.f32.u16"] = cast<float, std::uint16_t>();
  all["cvt.rn.f16.f32"] = [](B a, B, B) -> B { return f16FromF32(valueOf<float>(a)); };
  all["cvt.rn.bf16.f32"] = [](B a, B, B) -> B { return bf16FromF32(valueOf<float>(a)); };
  all["cvt.f32.f16"] = [](B a, B, B) { return bitsOf(f32FromF16(valueOf<std::uint16_t>(a))); };
  all["cvt.f32.bf16"] = [](B a, B, B) { return bitsOf(f32FromBf16(valueOf<std::uint16_t>(a))); };
}

}  // namespace millrace::tests
