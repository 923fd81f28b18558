// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "tests/ptx/translation.h"
#include "tests/ptx/warp.h"

namespace millrace::ptx {

/// Shared by the files of instructions: turns a function of one lane's values into a handler, and
/// maps PTX types to C++ types.

template <class To, class From, To (*kOf)(From)>
void apply1(Warp& warp, const Instruction& i) {
  To* const d = warp.lanes<To>(i.d);
  const From* const a = warp.lanes<From>(i.a);
  warp.each([=](int lane) { d[lane] = kOf(a[lane]); });
}

template <class To, class A, class B, To (*kOf)(A, B)>
void apply2(Warp& warp, const Instruction& i) {
  To* const d = warp.lanes<To>(i.d);
  const A* const a = warp.lanes<A>(i.a);
  const B* const b = warp.lanes<B>(i.b);
  warp.each([=](int lane) { d[lane] = kOf(a[lane], b[lane]); });
}

template <class To, class A, class B, class C, To (*kOf)(A, B, C)>
void apply3(Warp& warp, const Instruction& i) {
  To* const d = warp.lanes<To>(i.d);
  const A* const a = warp.lanes<A>(i.a);
  const B* const b = warp.lanes<B>(i.b);
  const C* const c = warp.lanes<C>(i.c);
  warp.each([=](int lane) { d[lane] = kOf(a[lane], b[lane], c[lane]); });
}

template <class T>
constexpr Type kTypeOf = {std::is_floating_point_v<T> ? Type::Kind::Float
                          : std::is_signed_v<T>       ? Type::Kind::Signed
                                                      : Type::Kind::Unsigned,
                          sizeof(T)};

/// `d = f(a)` for the current statement, and so on: each operand in the width of its type.
template <class To, class From, To (*kOf)(From)>
void make1(Translation& t) {
  const std::uint32_t a = t.source(t.operand(1), sizeof(From));
  const std::uint32_t d = t.result(t.operand(0), kTypeOf<To>);
  Instruction& i = t.emit(&apply1<To, From, kOf>);
  i.a = a;
  i.d = d;
}
template <class To, class A, class B, To (*kOf)(A, B)>
void make2(Translation& t) {
  const std::uint32_t a = t.source(t.operand(1), sizeof(A));
  const std::uint32_t b = t.source(t.operand(2), sizeof(B));
  const std::uint32_t d = t.result(t.operand(0), kTypeOf<To>);
  Instruction& i = t.emit(&apply2<To, A, B, kOf>);
  i.a = a;
  i.b = b;
  i.d = d;
}
template <class To, class A, class B, class C, To (*kOf)(A, B, C)>
void make3(Translation& t) {
  const std::uint32_t a = t.source(t.operand(1), sizeof(A));
  const std::uint32_t b = t.source(t.operand(2), sizeof(B));
  const std::uint32_t c = t.source(t.operand(3), sizeof(C));
  const std::uint32_t d = t.result(t.operand(0), kTypeOf<To>);
  Instruction& i = t.emit(&apply3<To, A, B, C, kOf>);
  i.a = a;
  i.b = b;
  i.c = c;
  i.d = d;
}

/// Calls `use.operator()<T>()` with the integer type for `type`; Bits count as unsigned.
template <class Use>
void withInteger(const Translation& t, Type type, const Use& use) {
  if (type.isFloat() || type.kind == Type::Kind::BFloat) t.unknown("not for floats");
  switch (type.bytes) {
    case 1:
      return type.isSigned() ? use.template operator()<std::int8_t>()
                             : use.template operator()<std::uint8_t>();
    case 2:
      return type.isSigned() ? use.template operator()<std::int16_t>()
                             : use.template operator()<std::uint16_t>();
    case 4:
      return type.isSigned() ? use.template operator()<std::int32_t>()
                             : use.template operator()<std::uint32_t>();
    case 8:
      return type.isSigned() ? use.template operator()<std::int64_t>()
                             : use.template operator()<std::uint64_t>();
    default: t.unknown("not for predicates");
  }
}
/// The same for 16, 32 and 64 bits, always unsigned.
template <class Use>
void withBits(const Translation& t, Type type, const Use& use) {
  switch (type.bytes) {
    case 2: return use.template operator()<std::uint16_t>();
    case 4: return use.template operator()<std::uint32_t>();
    case 8: return use.template operator()<std::uint64_t>();
    default: t.unknown("not of this width");
  }
}

}  // namespace millrace::ptx
