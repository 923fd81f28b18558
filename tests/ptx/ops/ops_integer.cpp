// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions").
#include <algorithm>
#include <limits>

#include "tests/ptx/handlers.h"
#include "tests/ptx/ops/ops_shared.h"

namespace millrace::ptx {

namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

// As unsigned numbers of at least 32 bits, which wrap.
template <class T>
using Wrapping = std::common_type_t<Unsigned<T>, std::uint32_t>;

template <class T>
T add(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
}
template <class T>
T sub(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
}
template <class T>
T mulLow(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
}
template <class T>
T mulHigh(T a, T b) {
  using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> (8 * sizeof(T)));
}
template <class To, class T>
To mulWide(T a, T b) {
  return mulLow<To>(static_cast<To>(a), static_cast<To>(b));
}
template <class T>
T madLow(T a, T b, T c) {
  return add<T>(mulLow<T>(a, b), c);
}
template <class T>
T madHigh(T a, T b, T c) {
  return add<T>(mulHigh<T>(a, b), c);
}
template <class To, class T>
To madWide(T a, T b, To c) {
  return add<To>(mulWide<To, T>(a, b), c);
}
/// Division by 0 is unspecified; it must not become a division on the host.
template <class T>
T divide(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return sub<T>(0, a);
  return static_cast<T>(a / b);
}
template <class T>
T remainder(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return 0;
  return static_cast<T>(a % b);
}
template <class T>
T least(T a, T b) {
  return std::min(a, b);
}
template <class T>
T most(T a, T b) {
  return std::max(a, b);
}
template <class T>
T negative(T a) {
  return sub<T>(0, a);
}
template <class T>
T magnitude(T a) {
  return a < 0 ? sub<T>(0, a) : a;
}
template <class T>
T addSaturated(T a, T b) {
  const std::int64_t sum = std::int64_t{a} + b;
  return static_cast<T>(
      std::clamp<std::int64_t>(sum, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

#define MILLRACE_PTX_INTEGER(name, function)                                        \
  void name(Translation& t) {                                                       \
    t.allow({});                                                                    \
    withInteger(t, t.type(0), [&]<class T>() { make2<T, T, T, &function<T>>(t); }); \
  }
MILLRACE_PTX_INTEGER(makeDivide, divide)
MILLRACE_PTX_INTEGER(makeRemainder, remainder)
#undef MILLRACE_PTX_INTEGER

void makeMul(Translation& t) {
  t.allow({"lo", "hi", "wide"});
  withInteger(t, t.type(0), [&]<class T>() {
    if (t.has("lo")) return make2<T, T, T, &mulLow<T>>(t);
    if (t.has("hi")) return make2<T, T, T, &mulHigh<T>>(t);
    if constexpr (sizeof(T) == 2 || sizeof(T) == 4) {
      using To = Twice<T>;
      if (t.has("wide")) return make2<To, T, T, &mulWide<To, T>>(t);
    }
    t.unknown();
  });
}

void makeMad(Translation& t) {
  t.allow({"lo", "hi", "wide"});
  withInteger(t, t.type(0), [&]<class T>() {
    if (t.has("lo")) return make3<T, T, T, T, &madLow<T>>(t);
    if (t.has("hi")) return make3<T, T, T, T, &madHigh<T>>(t);
    if constexpr (sizeof(T) == 2 || sizeof(T) == 4) {
      using To = Twice<T>;
      if (t.has("wide")) return make3<To, T, T, To, &madWide<To, T>>(t);
    }
    t.unknown();
  });
}

}  // namespace

void makeIntegerAdd(Translation& t) {
  t.allow({"sat"});
  withInteger(t, t.type(0), [&]<class T>() {
    if constexpr (std::is_same_v<T, std::int32_t>)
      if (t.has("sat")) return make2<T, T, T, &addSaturated<T>>(t);
    if (t.has("sat")) t.unknown();
    make2<T, T, T, &add<T>>(t);
  });
}
void makeIntegerSub(Translation& t) {
  t.allow({});
  withInteger(t, t.type(0), [&]<class T>() { make2<T, T, T, &sub<T>>(t); });
}
void makeIntegerMin(Translation& t) {
  t.allow({});
  withInteger(t, t.type(0), [&]<class T>() { make2<T, T, T, &least<T>>(t); });
}
void makeIntegerMax(Translation& t) {
  t.allow({});
  withInteger(t, t.type(0), [&]<class T>() { make2<T, T, T, &most<T>>(t); });
}
void makeIntegerNeg(Translation& t) {
  t.allow({});
  withInteger(t, t.type(0), [&]<class T>() { make1<T, T, &negative<T>>(t); });
}
void makeIntegerAbs(Translation& t) {
  t.allow({});
  withInteger(t, t.type(0), [&]<class T>() {
    if constexpr (std::is_signed_v<T>)
      make1<T, T, &magnitude<T>>(t);
    else
      t.unknown();
  });
}
void makeIntegerMul(Translation& t) { makeMul(t); }
void makeIntegerDiv(Translation& t) { makeDivide(t); }

void addIntegerMakers(Makers& makers) {
  makers["mad"] = &makeMad;
  makers["rem"] = &makeRemainder;
}

}  // namespace millrace::ptx
