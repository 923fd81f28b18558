// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Logic, shifts, bit fields and bytes (PTX ISA, "Logic and Shift Instructions", and the integer
// instructions bfe, bfi, brev, clz, popc, dp4a and prmt).
#include <algorithm>
#include <bit>

#include "tests/ptx/handlers.h"

namespace millrace::ptx {

namespace {

template <class T>
T both(T a, T b) {
  return a & b;
}
template <class T>
T either(T a, T b) {
  return a | b;
}
template <class T>
T differing(T a, T b) {
  return a ^ b;
}
template <class T>
T inverse(T a) {
  return static_cast<T>(~a);
}
template <class T>
T isZero(T a) {
  return a == 0 ? 1 : 0;
}

/// Predicates are bit masks: all lanes at once; those that do not take part are unchanged.
template <std::uint32_t (*kOf)(std::uint32_t, std::uint32_t)>
void predicates2(Warp& warp, const Instruction& i) {
  std::uint32_t& d = warp.predicate(i.d);
  d = (d & ~warp.active) | (kOf(warp.predicate(i.a), warp.predicate(i.b)) & warp.active);
}
void predicateNot(Warp& warp, const Instruction& i) {
  std::uint32_t& d = warp.predicate(i.d);
  d = (d & ~warp.active) | (~warp.predicate(i.a) & warp.active);
}

template <template <class> class Of>
void makeLogic(Translation& t) {
  t.allow({});
  if (t.type(0).bytes == 0) {
    const std::uint32_t a = t.source(t.operand(1), 0);
    const std::uint32_t b = t.source(t.operand(2), 0);
    const std::uint32_t d = t.result(t.operand(0), t.type(0));
    Instruction& i = t.emit(&predicates2<&Of<std::uint32_t>::of>);
    i.d = d;
    i.a = a;
    i.b = b;
    return;
  }
  withBits(t, t.type(0), [&]<class T>() { make2<T, T, T, &Of<T>::of>(t); });
}
template <class T>
struct And {
  static T of(T a, T b) { return both<T>(a, b); }
};
template <class T>
struct Or {
  static T of(T a, T b) { return either<T>(a, b); }
};
template <class T>
struct Xor {
  static T of(T a, T b) { return differing<T>(a, b); }
};

void makeNot(Translation& t) {
  t.allow({});
  if (t.type(0).bytes == 0) {
    const std::uint32_t a = t.source(t.operand(1), 0);
    const std::uint32_t d = t.result(t.operand(0), t.type(0));
    Instruction& i = t.emit(&predicateNot);
    i.d = d;
    i.a = a;
    return;
  }
  withBits(t, t.type(0), [&]<class T>() { make1<T, T, &inverse<T>>(t); });
}
void makeCnot(Translation& t) {
  t.allow({});
  withBits(t, t.type(0), [&]<class T>() { make1<T, T, &isZero<T>>(t); });
}

template <class T>
T shiftLeft(T a, std::uint32_t by) {
  return by < 8 * sizeof(T) ? static_cast<T>(a << by) : T{0};
}
/// For signed numbers the sign is extended afterwards.
template <class T>
T shiftRight(T a, std::uint32_t by) {
  constexpr std::uint32_t kBits = 8 * sizeof(T);
  if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> std::min(by, kBits - 1));
  return by < kBits ? static_cast<T>(a >> by) : T{0};
}
void makeShl(Translation& t) {
  t.allow({});
  withBits(t, t.type(0), [&]<class T>() { make2<T, T, std::uint32_t, &shiftLeft<T>>(t); });
}
void makeShr(Translation& t) {
  t.allow({});
  withInteger(t, t.type(0), [&]<class T>() {
    if constexpr (sizeof(T) > 1)
      make2<T, T, std::uint32_t, &shiftRight<T>>(t);
    else
      t.unknown();
  });
}

template <bool kLeft, bool kWrap>
std::uint32_t funnel(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const std::uint32_t by = kWrap ? c & 31U : std::min(c, 32U);
  const std::uint64_t all = std::uint64_t{b} << 32U | a;
  return static_cast<std::uint32_t>(kLeft ? (all << by) >> 32U : all >> by);
}
void makeShf(Translation& t) {
  t.allow({"l", "r", "wrap", "clamp"});
  using W = std::uint32_t;
  if (t.has("l") && t.has("wrap")) return make3<W, W, W, W, &funnel<true, true>>(t);
  if (t.has("l")) return make3<W, W, W, W, &funnel<true, false>>(t);
  if (t.has("wrap")) return make3<W, W, W, W, &funnel<false, true>>(t);
  make3<W, W, W, W, &funnel<false, false>>(t);
}

std::uint32_t permute(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
  const std::uint64_t all = std::uint64_t{b} << 32U | a;
  std::uint32_t to = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t pick = selector >> (4 * i) & 0xfU;
    std::uint32_t byte = static_cast<std::uint32_t>(all >> (8 * (pick & 7U))) & 0xffU;
    if ((pick & 8U) != 0) byte = (byte & 0x80U) != 0 ? 0xffU : 0U;
    to |= byte << (8 * i);
  }
  return to;
}
void makePrmt(Translation& t) {
  t.allow({});
  using W = std::uint32_t;
  make3<W, W, W, W, &permute>(t);
}

template <class T>
T extractField(T a, std::uint32_t from, std::uint32_t length) {
  constexpr std::uint32_t kBits = 8 * sizeof(T);
  from &= 0xffU;
  length &= 0xffU;
  const std::uint32_t last = std::min(from + length - 1, kBits - 1);
  const bool negative = std::is_signed_v<T> && length != 0 && (a >> last & 1) != 0;
  T to = negative ? static_cast<T>(-1) : T{0};
  for (std::uint32_t i = 0; i < kBits; ++i) {
    if (i >= length || from + i >= kBits) break;
    const T bit = static_cast<T>(T{1} << i);
    to = (a >> (from + i) & 1) != 0 ? static_cast<T>(to | bit) : static_cast<T>(to & ~bit);
  }
  return to;
}
void makeBfe(Translation& t) {
  t.allow({});
  withInteger(t, t.type(0), [&]<class T>() {
    if constexpr (sizeof(T) >= 4)
      make3<T, T, std::uint32_t, std::uint32_t, &extractField<T>>(t);
    else
      t.unknown();
  });
}

template <class T>
void insertField(Warp& warp, const Instruction& i) {
  constexpr std::uint32_t kBits = 8 * sizeof(T);
  const auto* const a = warp.lanes<T>(i.a);
  const auto* const b = warp.lanes<T>(i.b);
  const auto* const from = warp.lanes<std::uint32_t>(i.c);
  const auto* const length = warp.lanes<std::uint32_t>(i.more[0]);
  T* const d = warp.lanes<T>(i.d);
  warp.each([=](int lane) {
    const std::uint32_t at = from[lane] & 0xffU;
    const std::uint32_t bits = length[lane] & 0xffU;
    T to = b[lane];
    for (std::uint32_t k = 0; k < bits && at + k < kBits; ++k) {
      const T bit = T{1} << (at + k);
      to = (a[lane] >> k & 1) != 0 ? to | bit : to & ~bit;
    }
    d[lane] = to;
  });
}
void makeBfi(Translation& t) {
  t.allow({});
  withBits(t, t.type(0), [&]<class T>() {
    const std::uint32_t a = t.source(t.operand(1), sizeof(T));
    const std::uint32_t b = t.source(t.operand(2), sizeof(T));
    const std::uint32_t from = t.source(t.operand(3), 4);
    const std::uint32_t length = t.source(t.operand(4), 4);
    const std::uint32_t d = t.result(t.operand(0), kTypeOf<T>);
    Instruction& i = t.emit(&insertField<T>);
    i.d = d;
    i.a = a;
    i.b = b;
    i.c = from;
    i.more[0] = length;
  });
}

template <class T>
std::uint32_t ones(T a) {
  return static_cast<std::uint32_t>(std::popcount(a));
}
template <class T>
std::uint32_t leadingZeros(T a) {
  return static_cast<std::uint32_t>(std::countl_zero(a));
}
template <class T>
T reversed(T a) {
  T to = 0;
  for (std::uint32_t i = 0; i < 8 * sizeof(T); ++i) to |= (a >> i & 1U) << (8 * sizeof(T) - 1 - i);
  return to;
}

void makePopc(Translation& t) {
  t.allow({});
  if (t.type(0).bytes == 8) return make1<std::uint32_t, std::uint64_t, &ones<std::uint64_t>>(t);
  make1<std::uint32_t, std::uint32_t, &ones<std::uint32_t>>(t);
}
void makeClz(Translation& t) {
  t.allow({});
  if (t.type(0).bytes == 8)
    return make1<std::uint32_t, std::uint64_t, &leadingZeros<std::uint64_t>>(t);
  make1<std::uint32_t, std::uint32_t, &leadingZeros<std::uint32_t>>(t);
}
void makeBrev(Translation& t) {
  t.allow({});
  if (t.type(0).bytes == 8) return make1<std::uint64_t, std::uint64_t, &reversed<std::uint64_t>>(t);
  make1<std::uint32_t, std::uint32_t, &reversed<std::uint32_t>>(t);
}

template <class A, class B>
std::uint32_t dot4(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (std::uint32_t i = 0; i < 4; ++i) {
    const auto x = static_cast<A>(a >> (8 * i));
    const auto y = static_cast<B>(b >> (8 * i));
    c += static_cast<std::uint32_t>(std::int32_t{x} * std::int32_t{y});
  }
  return c;
}
void makeDp4a(Translation& t) {
  t.allow({});
  using W = std::uint32_t;
  const bool a = t.type(0).isSigned();
  const bool b = t.type(1).isSigned();
  if (a && b) return make3<W, W, W, W, &dot4<std::int8_t, std::int8_t>>(t);
  if (a) return make3<W, W, W, W, &dot4<std::int8_t, std::uint8_t>>(t);
  if (b) return make3<W, W, W, W, &dot4<std::uint8_t, std::int8_t>>(t);
  make3<W, W, W, W, &dot4<std::uint8_t, std::uint8_t>>(t);
}

/// d = the bit of `table` that is selected by the bits of a, b and c, for each bit.
void lookUp3(Warp& warp, const Instruction& i) {
  const auto* const a = warp.lanes<std::uint32_t>(i.a);
  const auto* const b = warp.lanes<std::uint32_t>(i.b);
  const auto* const c = warp.lanes<std::uint32_t>(i.c);
  auto* const d = warp.lanes<std::uint32_t>(i.d);
  const std::uint32_t table = i.count;
  warp.each([=](int lane) {
    std::uint32_t to = 0;
    for (std::uint32_t row = 0; row < 8; ++row) {
      if ((table >> row & 1U) == 0) continue;
      to |= ((row & 4U) != 0 ? a[lane] : ~a[lane]) & ((row & 2U) != 0 ? b[lane] : ~b[lane]) &
            ((row & 1U) != 0 ? c[lane] : ~c[lane]);
    }
    d[lane] = to;
  });
}
void makeLop3(Translation& t) {
  t.allow({});
  const std::uint32_t a = t.source(t.operand(1), 4);
  const std::uint32_t b = t.source(t.operand(2), 4);
  const std::uint32_t c = t.source(t.operand(3), 4);
  const std::uint32_t d = t.result(t.operand(0), {Type::Kind::Bits, 4});
  Instruction& i = t.emit(&lookUp3);
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  i.count = static_cast<std::uint8_t>(t.operand(4).bits);
}

}  // namespace

void addBitMakers(Makers& makers) {
  makers["and"] = &makeLogic<And>;
  makers["or"] = &makeLogic<Or>;
  makers["xor"] = &makeLogic<Xor>;
  makers["not"] = &makeNot;
  makers["cnot"] = &makeCnot;
  makers["shl"] = &makeShl;
  makers["shr"] = &makeShr;
  makers["shf"] = &makeShf;
  makers["prmt"] = &makePrmt;
  makers["bfe"] = &makeBfe;
  makers["bfi"] = &makeBfi;
  makers["popc"] = &makePopc;
  makers["clz"] = &makeClz;
  makers["brev"] = &makeBrev;
  makers["dp4a"] = &makeDp4a;
  makers["lop3"] = &makeLop3;
}

}  // namespace millrace::ptx
