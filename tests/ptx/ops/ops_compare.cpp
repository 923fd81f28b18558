// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Comparisons and selections (PTX ISA, "Comparison and Selection Instructions").
#include <cmath>

#include "tests/ptx/float_rules.h"
#include "tests/ptx/handlers.h"

namespace millrace::ptx {

namespace {

template <class T>
bool isNan(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}

template <class T>
struct Equal {
  static bool of(T a, T b) { return a == b; }
};
template <class T>
struct NotEqual {  // ordered comparison
  static bool of(T a, T b) { return a != b && !isNan(a) && !isNan(b); }
};
template <class T>
struct Less {
  static bool of(T a, T b) { return a < b; }
};
template <class T>
struct LessEqual {
  static bool of(T a, T b) { return a <= b; }
};
template <class T>
struct Greater {
  static bool of(T a, T b) { return a > b; }
};
template <class T>
struct GreaterEqual {
  static bool of(T a, T b) { return a >= b; }
};
template <class T>
struct Number {
  static bool of(T a, T b) { return !isNan(a) && !isNan(b); }
};

enum Combine : std::uint8_t { None, And, Or, Xor };
enum CompareFlags : std::uint8_t { Inverted = 1, NegatedC = 2, Flushed = 4 };

std::uint32_t combined(std::uint32_t found, std::uint32_t c, std::uint8_t how) {
  switch (how) {
    case And: return found & c;
    case Or: return found | c;
    case Xor: return found ^ c;
    default: return found;
  }
}

void putPredicate(Warp& warp, std::uint32_t place, std::uint32_t bits) {
  std::uint32_t& to = warp.predicate(place);
  to = (to & ~warp.active) | (bits & warp.active);
}

/// offset: the flags; count: how it is combined with predicate c; more[0]: the second result. The
/// unordered forms are the inverses of the opposite comparisons.
template <class T, template <class> class Of>
void compare(Warp& warp, const Instruction& i) {
  const T* const a = warp.lanes<T>(i.a);
  const T* const b = warp.lanes<T>(i.b);
  std::uint32_t found = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    T x = a[lane];
    T y = b[lane];
    if constexpr (std::is_floating_point_v<T>)
      if ((i.offset & Flushed) != 0) {
        x = flushed(x);
        y = flushed(y);
      }
    found |= std::uint32_t{Of<T>::of(x, y)} << static_cast<unsigned>(lane);
  }
  if ((i.offset & Inverted) != 0) found = ~found;
  if (i.count == None && i.more[0] == UINT32_MAX) return putPredicate(warp, i.d, found);
  std::uint32_t c = i.count == None ? 0 : warp.predicate(i.c);
  if ((i.offset & NegatedC) != 0) c = ~c;
  putPredicate(warp, i.d, combined(found, c, i.count));
  if (i.more[0] != UINT32_MAX) putPredicate(warp, i.more[0], combined(~found, c, i.count));
}

struct Comparison {
  Handler run = nullptr;
  bool inverted = false;
};

template <class T>
Comparison comparisonOf(const Translation& t) {
  constexpr bool kFloat = std::is_floating_point_v<T>;
  if (t.has("eq")) return {&compare<T, Equal>};
  if (t.has("ne")) return {&compare<T, NotEqual>};
  if (t.has("lt") || (!kFloat && t.has("lo"))) return {&compare<T, Less>};
  if (t.has("le") || (!kFloat && t.has("ls"))) return {&compare<T, LessEqual>};
  if (t.has("gt") || (!kFloat && t.has("hi"))) return {&compare<T, Greater>};
  if (t.has("ge") || (!kFloat && t.has("hs"))) return {&compare<T, GreaterEqual>};
  if constexpr (kFloat) {
    if (t.has("equ")) return {&compare<T, NotEqual>, true};
    if (t.has("neu")) return {&compare<T, Equal>, true};
    if (t.has("ltu")) return {&compare<T, GreaterEqual>, true};
    if (t.has("leu")) return {&compare<T, Greater>, true};
    if (t.has("gtu")) return {&compare<T, LessEqual>, true};
    if (t.has("geu")) return {&compare<T, Less>, true};
    if (t.has("num")) return {&compare<T, Number>};
    if (t.has("nan")) return {&compare<T, Number>, true};
  }
  t.unknown("unknown comparison");
}

Comparison comparisonOf(const Translation& t, Type type) {
  if (type.isFloat() && type.bytes == 4) return comparisonOf<float>(t);
  if (type.isFloat() && type.bytes == 8) return comparisonOf<double>(t);
  Comparison found;
  withInteger(t, type, [&]<class T>() {
    if constexpr (sizeof(T) > 1)
      found = comparisonOf<T>(t);
    else
      t.unknown();
  });
  return found;
}

void makeSetp(Translation& t) {
  t.allow({"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi", "hs",  "equ",
           "neu", "ltu", "leu", "gtu", "geu", "num", "nan", "and", "or", "xor", "ftz"});
  const Type type = t.type(0);
  const Comparison comparison = comparisonOf(t, type);
  const std::uint32_t a = t.source(t.operand(1), type.bytes);
  const std::uint32_t b = t.source(t.operand(2), type.bytes);
  const std::uint8_t how = t.has("and") ? And : t.has("or") ? Or : t.has("xor") ? Xor : None;
  std::uint32_t c = 0;
  bool negated = false;
  if (how != None) {
    Operand third = t.operand(3);
    negated = third.isNegated;
    third.isNegated = false;
    c = t.source(third, 0);
  }
  const std::uint32_t d = t.result(t.operand(0), {Type::Kind::Predicate, 0});
  const std::uint32_t second = t.operand(0).second;
  Instruction& i = t.emit(comparison.run);
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  i.count = how;
  i.offset = (comparison.inverted ? Inverted : 0) | (negated ? NegatedC : 0) |
             (t.has("ftz") ? Flushed : 0);
  const std::uint32_t other = second == 0 ? UINT32_MAX : t.predicate(second - 1);
  i.more[0] = other;
}

template <class T>
void select(Warp& warp, const Instruction& i) {
  T* const d = warp.lanes<T>(i.d);
  const T* const a = warp.lanes<T>(i.a);
  const T* const b = warp.lanes<T>(i.b);
  const std::uint32_t c = warp.predicate(i.c);
  warp.each([=](int lane) {
    d[lane] = (c >> static_cast<unsigned>(lane) & 1U) != 0 ? a[lane] : b[lane];
  });
}
void makeSelp(Translation& t) {
  t.allow({});
  withBits(t, t.type(0), [&]<class T>() {
    const std::uint32_t a = t.source(t.operand(1), sizeof(T));
    const std::uint32_t b = t.source(t.operand(2), sizeof(T));
    const std::uint32_t c = t.source(t.operand(3), 0);
    const std::uint32_t d = t.result(t.operand(0), t.type(0));
    Instruction& i = t.emit(&select<T>);
    i.d = d;
    i.a = a;
    i.b = b;
    i.c = c;
  });
}

}  // namespace

void addCompareMakers(Makers& makers) {
  makers["setp"] = &makeSetp;
  makers["selp"] = &makeSelp;
}

}  // namespace millrace::ptx
