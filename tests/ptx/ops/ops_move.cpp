// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// mov and cvta, and what they read: special registers, addresses, the halves of a register.
#include <algorithm>
#include <chrono>

#include "tests/ptx/handlers.h"

namespace millrace::ptx {

namespace {

std::uint64_t globalTimer() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::system_clock::now().time_since_epoch())
                                        .count());
}

using Reader = std::uint64_t (*)(const Warp& warp, int lane);

template <int kAxis>
std::uint64_t threadPlace(const Warp& warp, int lane) {
  return warp.place[kAxis][lane];
}
template <Place3 Block::* kOf, std::uint32_t Place3::* kAxis>
std::uint64_t blockPlace(const Warp& warp, int) {
  return warp.block->*kOf.*kAxis;
}
std::uint64_t laneBit(int lane) { return std::uint64_t{1} << static_cast<unsigned>(lane); }

Reader readerOf(std::string_view name) {
  static const std::map<std::string_view, Reader> readers = {
      {"%tid.x", &threadPlace<0>},
      {"%tid.y", &threadPlace<1>},
      {"%tid.z", &threadPlace<2>},
      {"%ntid.x", &blockPlace<&Block::size, &Place3::x>},
      {"%ntid.y", &blockPlace<&Block::size, &Place3::y>},
      {"%ntid.z", &blockPlace<&Block::size, &Place3::z>},
      {"%ctaid.x", &blockPlace<&Block::index, &Place3::x>},
      {"%ctaid.y", &blockPlace<&Block::index, &Place3::y>},
      {"%ctaid.z", &blockPlace<&Block::index, &Place3::z>},
      {"%nctaid.x", &blockPlace<&Block::grid, &Place3::x>},
      {"%nctaid.y", &blockPlace<&Block::grid, &Place3::y>},
      {"%nctaid.z", &blockPlace<&Block::grid, &Place3::z>},
      {"%laneid", [](const Warp&, int lane) { return static_cast<std::uint64_t>(lane); }},
      {"%lanemask_eq", [](const Warp&, int lane) { return laneBit(lane); }},
      {"%lanemask_lt", [](const Warp&, int lane) { return laneBit(lane) - 1; }},
      {"%lanemask_le", [](const Warp&, int lane) { return laneBit(lane + 1) - 1; }},
      {"%lanemask_gt", [](const Warp&, int lane) { return ~(laneBit(lane + 1) - 1) & kAllLanes; }},
      {"%lanemask_ge", [](const Warp&, int lane) { return ~(laneBit(lane) - 1) & kAllLanes; }},
      {"%globaltimer", [](const Warp&, int) { return globalTimer(); }},
  };
  const auto found = readers.find(name);
  return found == readers.end() ? nullptr : found->second;
}

template <class T>
void readSpecial(Warp& warp, const Instruction& i) {
  // There is no other place for the function's address next to the operands.
  const auto reader = reinterpret_cast<Reader>(i.offset);
  T* const d = warp.lanes<T>(i.d);
  static const Reader timer = readerOf("%globaltimer");
  if (reader == timer) {
    const auto now = static_cast<T>(globalTimer());
    return warp.each([=](int lane) { d[lane] = now; });
  }
  for (int lane = 0; lane < kLanes; ++lane)
    if ((warp.active >> static_cast<unsigned>(lane) & 1U) != 0)
      d[lane] = static_cast<T>(reader(warp, lane));
}

template <class T>
T same(T value) {
  return value;
}
void copyPredicate(Warp& warp, const Instruction& i) {
  std::uint32_t& d = warp.predicate(i.d);
  d = (d & ~warp.active) | (warp.predicate(i.a) & warp.active);
}

void emitCopy(Translation& t, std::uint32_t from, Type type) {
  const std::uint32_t d = t.result(t.operand(0), type);
  Handler run = nullptr;
  if (type.bytes == 0)
    run = &copyPredicate;
  else
    withBits(t, type, [&]<class T>() { run = &apply1<T, T, &same<T>>; });
  Instruction& i = t.emit(run);
  i.d = d;
  i.a = from;
}

void makeSpecial(Translation& t, Type type) {
  const Reader reader = readerOf(t.operand(1).name);
  if (reader == nullptr) t.unknown("unknown special register");
  const std::uint32_t d = t.result(t.operand(0), type);
  Instruction& i =
      t.emit(type.bytes == 8 ? &readSpecial<std::uint64_t> : &readSpecial<std::uint32_t>);
  i.d = d;
  i.offset = reinterpret_cast<std::int64_t>(reader);
}

template <class Whole, class Part>
void pack(Warp& warp, const Instruction& i) {
  Whole* const d = warp.lanes<Whole>(i.d);
  warp.each([&](int lane) {
    Whole whole = 0;
    for (std::uint32_t k = 0; k < i.count; ++k)
      whole |=
          static_cast<Whole>(Whole{warp.lanes<Part>(i.more[k])[lane]} << (8 * sizeof(Part) * k));
    d[lane] = whole;
  });
}
template <class Whole, class Part>
void unpack(Warp& warp, const Instruction& i) {
  const Whole* const a = warp.lanes<Whole>(i.a);
  warp.each([&](int lane) {
    const Whole whole = a[lane];
    for (std::uint32_t k = 0; k < i.count; ++k)
      warp.lanes<Part>(i.more[k])[lane] = static_cast<Part>(whole >> (8 * sizeof(Part) * k));
  });
}

void makePacking(Translation& t, Type type, bool packs) {
  const std::vector<Operand>& parts = t.operand(packs ? 1 : 0).parts;
  if (parts.empty() || parts.size() > 4) t.unknown();
  const auto part = static_cast<std::uint8_t>(type.bytes / parts.size());
  std::uint32_t places[4] = {};
  for (std::size_t k = 0; k < parts.size(); ++k)
    places[k] = packs ? t.source(parts[k], part) : t.result(parts[k], {Type::Kind::Bits, part});
  const std::uint32_t whole =
      packs ? t.result(t.operand(0), type) : t.source(t.operand(1), type.bytes);
  using B = std::uint8_t;
  using H = std::uint16_t;
  using W = std::uint32_t;
  using D = std::uint64_t;
  const Handler run = type.bytes == 8 && part == 4   ? packs ? &pack<D, W> : &unpack<D, W>
                        : type.bytes == 8 && part == 2 ? packs ? &pack<D, H> : &unpack<D, H>
                        : type.bytes == 4 && part == 2 ? packs ? &pack<W, H> : &unpack<W, H>
                        : type.bytes == 4 && part == 1 ? packs ? &pack<W, B> : &unpack<W, B>
                                                       : nullptr;
  if (run == nullptr) t.unknown();
  Instruction& i = t.emit(run);
  i.d = whole;
  i.a = whole;
  i.count = static_cast<std::uint8_t>(parts.size());
  std::copy(std::begin(places), std::end(places), i.more);
}

void makeMov(Translation& t) {
  t.allow({});
  const Type type = t.type(0);
  const Operand& to = t.operand(0);
  const Operand& from = t.operand(1);
  if (to.form == Operand::Form::Vector) return makePacking(t, type, false);
  if (from.form == Operand::Form::Vector) return makePacking(t, type, true);
  if (from.form == Operand::Form::Special) return makeSpecial(t, type);
  if (from.form == Operand::Form::Symbol)
    return emitCopy(t, t.constant(t.symbol(from.name).address, type.bytes), type);
  emitCopy(t, t.source(from, type.bytes), type);
}

void addWindow(Warp& warp, const Instruction& i) {
  auto* const d = warp.lanes<std::uint64_t>(i.d);
  const auto* const a = warp.lanes<std::uint64_t>(i.a);
  const auto window = static_cast<std::uint64_t>(i.offset);
  warp.each([=](int lane) { d[lane] = a[lane] + window; });
}

void makeCvta(Translation& t) {
  t.allow({"to", "global", "shared", "local", "const", "param"});
  const std::uint64_t window = t.has("shared")  ? kSharedWindow
                               : t.has("local") ? kLocalWindow
                               : t.has("param") ? kParamWindow
                                                : 0;
  const Operand& from = t.operand(1);
  const std::uint32_t a = from.form == Operand::Form::Symbol
                              ? t.constant(t.symbol(from.name).address, 8)
                              : t.source(from, 8);
  const std::uint32_t d = t.result(t.operand(0), t.type(0));
  Instruction& i = t.emit(&addWindow);
  i.d = d;
  i.a = a;
  i.offset = static_cast<std::int64_t>(t.has("to") ? 0 - window : window);
}

}  // namespace

void addMoveMakers(Makers& makers) {
  makers["mov"] = &makeMov;
  makers["cvta"] = &makeCvta;
}

}  // namespace millrace::ptx
