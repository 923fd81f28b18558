// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// atom and red (PTX ISA, "Parallel Synchronization and Communication Instructions"). One lane after
// the other; orders and scopes make no difference because blocks run one after the other.
#include <algorithm>

#include "tests/ptx/access.h"
#include "tests/ptx/handlers.h"

namespace millrace::ptx {

namespace {

template <class T>
T sum(T old, T b, T) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) +
                          static_cast<std::make_unsigned_t<T>>(b));
  else
    return old + b;
}
template <class T>
T least(T old, T b, T) {
  return std::min(old, b);
}
template <class T>
T most(T old, T b, T) {
  return std::max(old, b);
}
template <class T>
T both(T old, T b, T) {
  return old & b;
}
template <class T>
T either(T old, T b, T) {
  return old | b;
}
template <class T>
T differing(T old, T b, T) {
  return old ^ b;
}
template <class T>
T exchanged(T, T b, T) {
  return b;
}
template <class T>
T swapped(T old, T b, T c) {
  return old == b ? c : old;
}
template <class T>
T counted(T old, T b, T) {
  return old >= b ? T{0} : old + 1;
}
template <class T>
T countedDown(T old, T b, T) {
  return old == 0 || old > b ? b : old - 1;
}

template <Space kSpace, class T, T (*kOf)(T, T, T)>
void atomic(Warp& warp, const Instruction& i) {
  const auto* const a = warp.lanes<std::uint64_t>(i.a);
  const T* const b = warp.lanes<T>(i.b);
  const T* const c = warp.lanes<T>(i.c);
  T* const d = warp.lanes<T>(i.d);
  for (std::uint32_t left = warp.active; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::uint64_t address = a[lane] + static_cast<std::uint64_t>(i.offset);
    std::byte* const at = bytesAt<kSpace, sizeof(T)>(warp, lane, address, Access::Atomic);
    T old;
    std::memcpy(&old, at, sizeof old);
    const T value = kOf(old, b[lane], c[lane]);
    std::memcpy(at, &value, sizeof value);
    d[lane] = old;
  }
}

template <class T, T (*kOf)(T, T, T)>
Handler inSpace(const Translation& t) {
  if (t.has("global")) return &atomic<Space::Global, T, kOf>;
  if (t.has("shared")) return &atomic<Space::Shared, T, kOf>;
  return &atomic<Space::Generic, T, kOf>;
}

template <class T>
Handler handlerOf(const Translation& t) {
  if (t.has("add")) return inSpace<T, &sum<T>>(t);
  if (t.has("min")) return inSpace<T, &least<T>>(t);
  if (t.has("max")) return inSpace<T, &most<T>>(t);
  if constexpr (std::is_unsigned_v<T>) {
    if (t.has("and")) return inSpace<T, &both<T>>(t);
    if (t.has("or")) return inSpace<T, &either<T>>(t);
    if (t.has("xor")) return inSpace<T, &differing<T>>(t);
    if (t.has("exch")) return inSpace<T, &exchanged<T>>(t);
    if (t.has("cas")) return inSpace<T, &swapped<T>>(t);
    if (t.has("inc")) return inSpace<T, &counted<T>>(t);
    if (t.has("dec")) return inSpace<T, &countedDown<T>>(t);
  }
  t.unknown("unknown atomic operation");
}

Handler handlerOf(const Translation& t, Type type) {
  if (type.isFloat() && !t.has("add")) t.unknown("unknown atomic operation");
  if (type.isFloat())
    return type.bytes == 4 ? inSpace<float, &sum<float>>(t) : inSpace<double, &sum<double>>(t);
  if (type.bytes == 4)
    return type.isSigned() ? handlerOf<std::int32_t>(t) : handlerOf<std::uint32_t>(t);
  if (type.bytes == 8)
    return type.isSigned() ? handlerOf<std::int64_t>(t) : handlerOf<std::uint64_t>(t);
  t.unknown("unknown atomic operation");
}

template <bool kGives>
void makeAtomic(Translation& t) {
  t.allow({"global", "shared", "relaxed", "acquire", "release", "acq_rel", "cta", "gpu", "sys",
           "add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"});
  const Type type = t.type(0);
  const std::size_t first = kGives ? 1 : 0;
  const Handler run = handlerOf(t, type);
  std::uint64_t offset = 0;
  const std::uint32_t address = addressOf(t, t.operand(first), offset);
  const std::uint32_t b = t.source(t.operand(first + 1), type.bytes);
  const std::uint32_t c = t.has("cas") ? t.source(t.operand(first + 2), type.bytes) : b;
  const std::uint32_t d = kGives ? t.result(t.operand(0), type) : t.scratch(type.bytes);
  Instruction& i = t.emit(run);
  i.a = address;
  i.b = b;
  i.c = c;
  i.d = d;
  i.offset = static_cast<std::int64_t>(offset);
}

}  // namespace

void addAtomicMakers(Makers& makers) {
  makers["atom"] = &makeAtomic<true>;
  makers["red"] = &makeAtomic<false>;
}

}  // namespace millrace::ptx
