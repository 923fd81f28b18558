// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// cvt (PTX ISA, "Data Movement and Conversion Instructions: cvt"). Compiled with -frounding-math.
#include <algorithm>
#include <limits>

#include "tests/ptx/float_rules.h"
#include "tests/ptx/handlers.h"

namespace millrace::ptx {

namespace {

enum ConvertFlags : std::uint8_t { Flush = 1, Saturate = 2, ToIntegral = 4 };

template <class To, class From>
To saturatedTo(From value) {
  constexpr auto kLeast = static_cast<__int128>(+std::numeric_limits<To>::min());
  constexpr auto kMost = static_cast<__int128>(+std::numeric_limits<To>::max());
  const auto wide = static_cast<__int128>(+value);
  return static_cast<To>(wide < kLeast ? kLeast : wide > kMost ? kMost : wide);
}
template <class To, class From>
To truncatedTo(From value) {
  return static_cast<To>(value);
}

void makeIntegerToInteger(Translation& t, Type to, Type from) {
  t.allow({"sat"});
  withInteger(t, from, [&]<class From>() {
    withInteger(t, to, [&]<class To>() {
      if (t.has("sat")) return make1<To, From, &saturatedTo<To, From>>(t);
      make1<To, From, &truncatedTo<To, From>>(t);
    });
  });
}

template <class T>
T integral(T value, Rounding rounding) {
  switch (rounding) {
    case Rounding::Zero: return std::trunc(value);
    case Rounding::Down: return std::floor(value);
    case Rounding::Up: return std::ceil(value);
    default: return std::nearbyint(value);  // the host rounds to nearest even
  }
}

template <class To, class From>
void fromInteger(Warp& warp, const Instruction& i) {
  const RoundingScope scope(static_cast<Rounding>(i.count));
  const From* const a = warp.lanes<From>(i.a);
  To* const d = warp.lanes<To>(i.d);
  const bool saturates = (i.offset & Saturate) != 0;
  warp.each([=](int lane) {
    const To value = static_cast<To>(a[lane]);
    d[lane] = saturates ? saturated(value) : value;
  });
}

/// Values that do not fit become the nearest one that does; NaN as in the ISA.
template <class To, class From>
void toInteger(Warp& warp, const Instruction& i) {
  const From* const a = warp.lanes<From>(i.a);
  To* const d = warp.lanes<To>(i.d);
  const auto rounding = static_cast<Rounding>(i.count);
  const bool flushes = (i.offset & Flush) != 0;
  constexpr To kOfNan = sizeof(To) == 8 || sizeof(From) == 8
                            ? static_cast<To>(std::uint64_t{1} << (8 * sizeof(To) - 1))
                            : To{0};
  // The first number above the range of To is a power of 2 and thus exact.
  const From above = std::ldexp(From{1}, std::numeric_limits<To>::digits);
  const From below = std::is_signed_v<To> ? -above : From{0};
  warp.each([=](int lane) {
    const From value = integral(flushes ? flushed(a[lane]) : a[lane], rounding);
    d[lane] = std::isnan(value) ? kOfNan
              : value >= above  ? std::numeric_limits<To>::max()
              : value <= below  ? std::numeric_limits<To>::min()
                                : static_cast<To>(value);
  });
}

template <class To, class From>
void floatToFloat(Warp& warp, const Instruction& i) {
  const From* const a = warp.lanes<From>(i.a);
  To* const d = warp.lanes<To>(i.d);
  const auto rounding = static_cast<Rounding>(i.count);
  const auto flags = static_cast<std::uint8_t>(i.offset);
  const RoundingScope scope((flags & ToIntegral) != 0 ? Rounding::Nearest : rounding);
  warp.each([=](int lane) {
    const From from = (flags & Flush) != 0 ? flushed(a[lane]) : a[lane];
    To value = static_cast<To>((flags & ToIntegral) != 0 ? integral(from, rounding) : from);
    if ((flags & Flush) != 0) value = flushed(value);
    d[lane] = (flags & Saturate) != 0 ? saturated(value) : canonical(value);
  });
}

/// Rounds to 16 bits with `kMantissa` fraction bits and the smallest normal exponent `kLeast`.
template <int kMantissa, int kLeast>
std::uint16_t shortFloat(float value, Rounding rounding) {
  constexpr std::uint16_t kInfinity = 0x7fffU >> kMantissa << kMantissa;
  if (std::isnan(value)) return 0x7fffU;
  const bool negative = std::signbit(value);
  const std::uint16_t sign = negative ? 0x8000U : 0;
  const float size = std::fabs(value);
  if (std::isinf(size)) return sign | kInfinity;
  if (size == 0) return sign;
  // In units of the last place: an integer, which the fraction may increase by one.
  const int exponent = std::max(std::ilogb(size), kLeast);
  const double units = std::ldexp(double{size}, kMantissa - exponent);
  const bool up = rounding == (negative ? Rounding::Down : Rounding::Up);
  const double whole = rounding == Rounding::Nearest ? std::nearbyint(units)
                       : up                          ? std::ceil(units)
                                                     : std::floor(units);
  // An overflowing mantissa carries into the exponent, as intended.
  const double bits = whole + std::ldexp(double(exponent - kLeast), kMantissa);
  const bool huge = bits >= kInfinity;
  if (huge && rounding != Rounding::Nearest && !up) return sign | (kInfinity - 1U);
  return sign | (huge ? kInfinity : static_cast<std::uint16_t>(bits));
}

template <int kMantissa, int kLeast>
void toShort(Warp& warp, const Instruction& i) {
  const RoundingScope scope(Rounding::Nearest);
  const float* const a = warp.lanes<float>(i.a);
  auto* const d = warp.lanes<std::uint16_t>(i.d);
  const auto rounding = static_cast<Rounding>(i.count);
  warp.each([=](int lane) { d[lane] = shortFloat<kMantissa, kLeast>(a[lane], rounding); });
}

template <int kMantissa, int kLeast>
float longFloat(std::uint16_t bits) {
  const int exponent = (bits & 0x7fffU) >> kMantissa;
  const int mantissa = bits & ((1U << kMantissa) - 1);
  constexpr int kSpecial = 0x7fff >> kMantissa;
  if (exponent == kSpecial && mantissa != 0) return std::bit_cast<float>(0x7fff'ffffU);
  const float size = exponent == kSpecial ? INFINITY
                     : exponent == 0 ? std::ldexp(static_cast<float>(mantissa), kLeast - kMantissa)
                                     : std::ldexp(static_cast<float>(mantissa + (1 << kMantissa)),
                                                  exponent - 1 + kLeast - kMantissa);
  return (bits & 0x8000U) != 0 ? -size : size;
}

constexpr int kHalfMantissa = 10;
constexpr int kHalfLeast = -14;
constexpr int kBrainMantissa = 7;
constexpr int kBrainLeast = -126;

Rounding roundingOf(const Translation& t) {
  if (t.has("rz") || t.has("rzi")) return Rounding::Zero;
  if (t.has("rm") || t.has("rmi")) return Rounding::Down;
  if (t.has("rp") || t.has("rpi")) return Rounding::Up;
  return Rounding::Nearest;
}

void emitConversion(Translation& t, Handler run, Type to, Type from) {
  const std::uint32_t a = t.source(t.operand(1), from.bytes);
  const std::uint32_t d = t.result(t.operand(0), to);
  Instruction& i = t.emit(run);
  i.a = a;
  i.d = d;
  i.count = static_cast<std::uint8_t>(roundingOf(t));
  const bool toIntegral = t.has("rni") || t.has("rzi") || t.has("rmi") || t.has("rpi");
  i.offset =
      (t.has("ftz") ? Flush : 0) | (t.has("sat") ? Saturate : 0) | (toIntegral ? ToIntegral : 0);
}

void makeFromInteger(Translation& t, Type to, Type from) {
  t.allow({"rn", "rz", "rm", "rp", "sat"});
  withInteger(t, from, [&]<class From>() {
    if (to.bytes == 4) return emitConversion(t, &fromInteger<float, From>, to, from);
    if (to.bytes == 8) return emitConversion(t, &fromInteger<double, From>, to, from);
    t.unknown("unknown conversion");
  });
}
void makeToInteger(Translation& t, Type to, Type from) {
  t.allow({"rni", "rzi", "rmi", "rpi", "ftz"});
  withInteger(t, to, [&]<class To>() {
    if (from.bytes == 4) return emitConversion(t, &toInteger<To, float>, to, from);
    if (from.bytes == 8) return emitConversion(t, &toInteger<To, double>, to, from);
    t.unknown("unknown conversion");
  });
}
bool isShort(Type type) { return type.bytes == 2; }

void makeFloatToFloat(Translation& t, Type to, Type from) {
  t.allow({"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "ftz", "sat"});
  if ((isShort(to) || isShort(from)) && (t.has("ftz") || t.has("sat"))) t.unknown();
  const auto emit = [&](Handler run) { emitConversion(t, run, to, from); };
  constexpr Type kSingle{Type::Kind::Float, 4};
  constexpr Type kDouble{Type::Kind::Float, 8};
  constexpr Type kHalf{Type::Kind::Float, 2};
  constexpr Type kBrain{Type::Kind::BFloat, 2};
  if (to == kSingle && from == kSingle) return emit(&floatToFloat<float, float>);
  if (to == kSingle && from == kDouble) return emit(&floatToFloat<float, double>);
  if (to == kDouble && from == kSingle) return emit(&floatToFloat<double, float>);
  if (to == kDouble && from == kDouble) return emit(&floatToFloat<double, double>);
  if (to == kHalf && from == kSingle) return emit(&toShort<kHalfMantissa, kHalfLeast>);
  if (to == kBrain && from == kSingle) return emit(&toShort<kBrainMantissa, kBrainLeast>);
  if (to == kSingle && from == kHalf)
    return emit(&apply1<float, std::uint16_t, &longFloat<kHalfMantissa, kHalfLeast>>);
  if (to == kSingle && from == kBrain)
    return emit(&apply1<float, std::uint16_t, &longFloat<kBrainMantissa, kBrainLeast>>);
  t.unknown("unknown conversion");
}

bool isAnyFloat(Type type) { return type.isFloat() || type.kind == Type::Kind::BFloat; }

void makeCvt(Translation& t) {
  const Type to = t.type(0);
  const Type from = t.type(1);
  if (t.typeCount() != 2) t.unknown("unknown conversion");
  if (isAnyFloat(to) && isAnyFloat(from)) return makeFloatToFloat(t, to, from);
  if (isAnyFloat(to)) return makeFromInteger(t, to, from);
  if (isAnyFloat(from)) return makeToInteger(t, to, from);
  makeIntegerToInteger(t, to, from);
}

}  // namespace

void addConversionMakers(Makers& makers) { makers["cvt"] = &makeCvt; }

}  // namespace millrace::ptx
