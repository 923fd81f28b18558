// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Arithmetic of f32 and f64 (PTX ISA, "Floating-Point Instructions"). Compiled with
// -frounding-math. `.approx` instructions are as exact as the host allows: within the GPU's bounds,
// but not with its bits.
#include "tests/ptx/float_rules.h"
#include "tests/ptx/handlers.h"
#include "tests/ptx/ops/ops_shared.h"

namespace millrace::ptx {

namespace {

template <class T>
struct Sum {
  static T of(T a, T b, T) { return a + b; }
};
template <class T>
struct Difference {
  static T of(T a, T b, T) { return a - b; }
};
template <class T>
struct Product {
  static T of(T a, T b, T) { return a * b; }
};
template <class T>
struct Quotient {
  static T of(T a, T b, T) { return a / b; }
};
template <class T>
struct Fused {
  static T of(T a, T b, T c) { return std::fma(a, b, c); }
};
template <class T>
struct Root {
  static T of(T a, T, T) { return std::sqrt(a); }
};
template <class T>
struct Reciprocal {
  static T of(T a, T, T) { return T{1} / a; }
};

enum Flags : std::uint8_t { Flush = 1, Saturate = 2, Rounds = 4 };

template <class T, template <class> class Of, std::uint8_t kFlags>
void arithmetic(Warp& warp, const Instruction& i) {
  T* const d = warp.lanes<T>(i.d);
  const T* const a = warp.lanes<T>(i.a);
  const T* const b = warp.lanes<T>(i.b);
  const T* const c = warp.lanes<T>(i.c);
  const RoundingScope scope((kFlags & Rounds) != 0 ? static_cast<Rounding>(i.count)
                                                   : Rounding::Nearest);
  warp.each([=](int lane) {
    if constexpr ((kFlags & Flush) != 0)
      d[lane] = flushed(canonical(Of<T>::of(flushed(a[lane]), flushed(b[lane]), flushed(c[lane]))));
    else
      d[lane] = canonical(Of<T>::of(a[lane], b[lane], c[lane]));
    if constexpr ((kFlags & Saturate) != 0) d[lane] = saturated(d[lane]);
  });
}

/// The simple case, in which rounding is not changed.
template <class T, template <class> class Of>
void nearest(Warp& warp, const Instruction& i) {
  T* const d = warp.lanes<T>(i.d);
  const T* const a = warp.lanes<T>(i.a);
  const T* const b = warp.lanes<T>(i.b);
  const T* const c = warp.lanes<T>(i.c);
  warp.each([=](int lane) { d[lane] = canonical(Of<T>::of(a[lane], b[lane], c[lane])); });
}

template <class T, template <class> class Of>
Handler arithmeticOf(std::uint8_t flags) {
  static constexpr Handler kHandlers[] = {
      &nearest<T, Of>,       &arithmetic<T, Of, 1>, &arithmetic<T, Of, 2>, &arithmetic<T, Of, 3>,
      &arithmetic<T, Of, 4>, &arithmetic<T, Of, 5>, &arithmetic<T, Of, 6>, &arithmetic<T, Of, 7>};
  return kHandlers[flags];
}

Rounding roundingOf(const Translation& t) {
  return t.has("rz")   ? Rounding::Zero
         : t.has("rm") ? Rounding::Down
         : t.has("rp") ? Rounding::Up
                       : Rounding::Nearest;
}

template <template <class> class Of>
void makeFloat(Translation& t, std::size_t operands) {
  const Type type = t.type(0);
  if (!type.isFloat() || type.bytes < 4) t.unknown("not of this type");
  const Rounding rounding = roundingOf(t);
  const auto flags =
      static_cast<std::uint8_t>((t.has("ftz") ? Flush : 0) | (t.has("sat") ? Saturate : 0) |
                                (rounding != Rounding::Nearest ? Rounds : 0));
  std::uint32_t from[3] = {};
  for (std::size_t k = 0; k < 3; ++k)
    from[k] = k < operands ? t.source(t.operand(1 + k), type.bytes) : from[0];
  const std::uint32_t d = t.result(t.operand(0), type);
  Instruction& i =
      t.emit(type.bytes == 4 ? arithmeticOf<float, Of>(flags) : arithmeticOf<double, Of>(flags));
  i.d = d;
  i.a = from[0];
  i.b = from[1];
  i.c = from[2];
  i.count = static_cast<std::uint8_t>(rounding);
}

/// Of a float, otherwise of an integer.
template <template <class> class Of, Maker kInteger>
void makeEither(Translation& t) {
  if (!t.type(0).isFloat()) return kInteger(t);
  t.allow({"rn", "rz", "rm", "rp", "ftz", "sat"});
  makeFloat<Of>(t, 2);
}

void makeDiv(Translation& t) {
  if (!t.type(0).isFloat()) return makeIntegerDiv(t);
  t.allow({"rn", "rz", "rm", "rp", "ftz", "approx", "full"});
  makeFloat<Quotient>(t, 2);
}
void makeFma(Translation& t) {
  t.allow({"rn", "rz", "rm", "rp", "ftz", "sat"});
  makeFloat<Fused>(t, 3);
}
void makeSqrt(Translation& t) {
  t.allow({"rn", "rz", "rm", "rp", "ftz", "approx"});
  makeFloat<Root>(t, 1);
}
void makeRcp(Translation& t) {
  t.allow({"rn", "rz", "rm", "rp", "ftz", "approx"});
  makeFloat<Reciprocal>(t, 1);
}

/// In double precision, rounded once.
template <class T>
struct PowerOf2 {
  static T of(T a, T, T) { return static_cast<T>(std::exp2(double{a})); }
};
template <class T>
struct Log2 {
  static T of(T a, T, T) { return static_cast<T>(std::log2(double{a})); }
};
template <class T>
struct Sine {
  static T of(T a, T, T) { return static_cast<T>(std::sin(double{a})); }
};
template <class T>
struct Cosine {
  static T of(T a, T, T) { return static_cast<T>(std::cos(double{a})); }
};
template <class T>
struct Tangent {
  static T of(T a, T, T) { return static_cast<T>(std::tanh(double{a})); }
};
template <class T>
struct ReciprocalRoot {
  static T of(T a, T, T) { return static_cast<T>(1 / std::sqrt(double{a})); }
};
template <template <class> class Of>
void makeApprox(Translation& t) {
  t.allow({"approx", "ftz"});
  makeFloat<Of>(t, 1);
}

/// Of a number and NaN the number; of two NaN the canonical one; -0 is less than +0.
template <class T>
struct Least {
  static T of(T a, T b, T) {
    if (a == b) return std::signbit(a) ? a : b;
    return a < b || std::isnan(b) ? a : b;
  }
};
template <class T>
struct Most {
  static T of(T a, T b, T) {
    if (a == b) return std::signbit(a) ? b : a;
    return a > b || std::isnan(b) ? a : b;
  }
};
template <template <class> class Of, Maker kInteger>
void makeChoice(Translation& t) {
  if (!t.type(0).isFloat()) return kInteger(t);
  t.allow({"ftz"});
  makeFloat<Of>(t, 2);
}

float negative(float a) { return -a; }
double negative(double a) { return -a; }
float magnitude(float a) { return std::fabs(a); }
double magnitude(double a) { return std::fabs(a); }

template <float (*kSingle)(float), double (*kDouble)(double), Maker kInteger>
void makeSign(Translation& t) {
  if (!t.type(0).isFloat()) return kInteger(t);
  t.allow({});  // ftz would have an effect
  if (t.type(0).bytes == 4) return make1<float, float, kSingle>(t);
  if (t.type(0).bytes == 8) return make1<double, double, kDouble>(t);
  t.unknown();
}

/// The sign of a with the magnitude of b.
template <class T>
T withSign(T a, T b) {
  return std::copysign(b, a);
}
void makeCopysign(Translation& t) {
  t.allow({});
  if (t.type(0).bytes == 4) return make2<float, float, float, &withSign<float>>(t);
  make2<double, double, double, &withSign<double>>(t);
}

}  // namespace

void addFloatMakers(Makers& makers) {
  makers["add"] = &makeEither<Sum, &makeIntegerAdd>;
  makers["sub"] = &makeEither<Difference, &makeIntegerSub>;
  makers["mul"] = &makeEither<Product, &makeIntegerMul>;
  makers["div"] = &makeDiv;
  makers["fma"] = &makeFma;
  makers["sqrt"] = &makeSqrt;
  makers["rcp"] = &makeRcp;
  makers["ex2"] = &makeApprox<PowerOf2>;
  makers["lg2"] = &makeApprox<Log2>;
  makers["sin"] = &makeApprox<Sine>;
  makers["cos"] = &makeApprox<Cosine>;
  makers["tanh"] = &makeApprox<Tangent>;
  makers["rsqrt"] = &makeApprox<ReciprocalRoot>;
  makers["min"] = &makeChoice<Least, &makeIntegerMin>;
  makers["max"] = &makeChoice<Most, &makeIntegerMax>;
  makers["neg"] = &makeSign<&negative, &negative, &makeIntegerNeg>;
  makers["abs"] = &makeSign<&magnitude, &magnitude, &makeIntegerAbs>;
  makers["copysign"] = &makeCopysign;
}

}  // namespace millrace::ptx
