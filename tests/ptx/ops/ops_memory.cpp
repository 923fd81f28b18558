// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// ld and st (PTX ISA, "Data Movement and Conversion Instructions").
#include <algorithm>

#include "tests/ptx/access.h"
#include "tests/ptx/handlers.h"

namespace millrace::ptx {

namespace {

template <std::size_t kBytes>
using Word = std::conditional_t<
    kBytes == 1, std::uint8_t,
    std::conditional_t<kBytes == 2, std::uint16_t,
                       std::conditional_t<kBytes == 4, std::uint32_t, std::uint64_t>>>;

/// A parameter of the launch is the same for all lanes; false if their addresses differ.
template <std::size_t kBytes, std::size_t kCount>
bool loadForAll(Warp& warp, const Instruction& i) {
  const auto* const a = warp.lanes<std::uint64_t>(i.a);
  const std::uint64_t first = a[std::countr_zero(warp.active)];
  if ((first & kWindowMask) != 0) return false;
  bool same = true;
  warp.eachInOrder([&](int lane) { same = same && a[lane] == first; });
  if (!same) return false;
  const std::byte* const from =
      paramBytes(warp, std::countr_zero(warp.active), first + static_cast<std::uint64_t>(i.offset),
                 kBytes * kCount, Access::Read);
  for (std::size_t k = 0; k < kCount; ++k) {
    Word<kBytes> value;
    std::memcpy(&value, from + k * kBytes, kBytes);
    auto* const to = warp.lanes<Word<kBytes>>(i.more[k]);
    warp.each([=](int lane) { to[lane] = value; });
  }
  return true;
}

/// Loads or stores `count` elements of kBytes at a + offset, with the places in `more`.
template <Space kSpace, Access kAccess, std::size_t kBytes, std::size_t kCount>
void load(Warp& warp, const Instruction& i) {
  const auto* const a = warp.lanes<std::uint64_t>(i.a);
  if constexpr (kSpace == Space::Param)
    if (loadForAll<kBytes, kCount>(warp, i)) return;
  warp.eachInOrder([&](int lane) {
    const std::uint64_t address = a[lane] + static_cast<std::uint64_t>(i.offset);
    const std::byte* const from = bytesAt<kSpace, kBytes * kCount>(warp, lane, address, kAccess);
    for (std::size_t k = 0; k < kCount; ++k)
      std::memcpy(&warp.lanes<Word<kBytes>>(i.more[k])[lane], from + k * kBytes, kBytes);
  });
}

template <Space kSpace, std::size_t kBytes, std::size_t kCount>
void store(Warp& warp, const Instruction& i) {
  const auto* const a = warp.lanes<std::uint64_t>(i.a);
  warp.eachInOrder([&](int lane) {
    const std::uint64_t address = a[lane] + static_cast<std::uint64_t>(i.offset);
    std::byte value[kBytes * kCount];
    for (std::size_t k = 0; k < kCount; ++k)
      std::memcpy(value + k * kBytes, &warp.lanes<Word<kBytes>>(i.more[k])[lane], kBytes);
    std::memcpy(bytesAt<kSpace, kBytes * kCount>(warp, lane, address, Access::Write, value), value,
                kBytes * kCount);
  });
}

template <Access kAccess, Space kSpace, std::size_t kBytes, std::size_t kCount>
constexpr Handler handlerOf() {
  if constexpr (kAccess == Access::Write)
    return &store<kSpace, kBytes, kCount>;
  else
    return &load<kSpace, kAccess, kBytes, kCount>;
}

template <Access kAccess, Space kSpace, std::size_t kBytes>
Handler ofCount(std::size_t count) {
  if (count == 1) return handlerOf<kAccess, kSpace, kBytes, 1>();
  if (count == 2) return handlerOf<kAccess, kSpace, kBytes, 2>();
  if constexpr (kBytes < 8)
    if (count == 4) return handlerOf<kAccess, kSpace, kBytes, 4>();
  return nullptr;
}

template <Access kAccess, Space kSpace>
Handler ofWidth(std::size_t bytes, std::size_t count) {
  switch (bytes) {
    case 1: return ofCount<kAccess, kSpace, 1>(count);
    case 2: return ofCount<kAccess, kSpace, 2>(count);
    case 4: return ofCount<kAccess, kSpace, 4>(count);
    case 8: return ofCount<kAccess, kSpace, 8>(count);
    default: return nullptr;
  }
}

template <Access kAccess>
Handler memoryHandler(const Translation& t, std::size_t bytes, std::size_t count) {
  if (t.has("nc")) return ofWidth<Access::ReadOnly, Space::Global>(bytes, count);
  if (t.has("global")) return ofWidth<kAccess, Space::Global>(bytes, count);
  if (t.has("shared")) return ofWidth<kAccess, Space::Shared>(bytes, count);
  if (t.has("local")) return ofWidth<kAccess, Space::Local>(bytes, count);
  if (t.has("param")) return ofWidth<kAccess, Space::Param>(bytes, count);
  return ofWidth<kAccess, Space::Generic>(bytes, count);
}

template <bool kLoads>
void makeAccess(Translation& t) {
  t.allow({"global", "shared", "local", "param", "nc", "v2", "v4", "weak"});
  const Type type = t.type(0);
  const Operand& value = t.operand(kLoads ? 0 : 1);
  const std::size_t count = t.has("v2") ? 2 : t.has("v4") ? 4 : 1;
  const auto part = [&](std::size_t k) -> const Operand& {
    return value.form == Operand::Form::Vector ? value.parts[k] : value;
  };
  if (value.form == Operand::Form::Vector && value.parts.size() != count) t.unknown();
  const Handler run = memoryHandler<kLoads ? Access::Read : Access::Write>(t, type.bytes, count);
  if (run == nullptr) t.unknown();
  std::uint64_t offset = 0;
  const std::uint32_t address = addressOf(t, t.operand(kLoads ? 1 : 0), offset);
  std::uint32_t places[4] = {};
  for (std::size_t k = 0; k < count; ++k)
    places[k] = kLoads ? t.result(part(k), type) : t.source(part(k), type.bytes);
  Instruction& i = t.emit(run);
  i.a = address;
  i.offset = static_cast<std::int64_t>(offset);
  std::copy(std::begin(places), std::end(places), i.more);
}

void widenAddress(Warp& warp, const Instruction& i) {
  const auto* const a = warp.lanes<std::uint32_t>(i.a);
  auto* const d = warp.lanes<std::uint64_t>(i.d);
  const auto offset = static_cast<std::uint32_t>(i.offset);
  warp.each([=](int lane) { d[lane] = a[lane] + offset; });
}

}  // namespace

std::uint32_t addressOf(Translation& t, const Operand& memory, std::uint64_t& offset) {
  if (memory.form != Operand::Form::Memory) t.unknown("no address");
  offset = memory.bits;
  if (!memory.name.empty()) return t.constant(t.symbol(memory.name).address, 8);
  Operand base = memory;
  base.form = Operand::Form::Register;
  if (t.widthOf(base) == 8) return t.source(base, 8);
  // Addresses in shared memory have 32 bits, and so does their sum.
  const std::uint32_t a = t.source(base, 4);
  const std::uint32_t d = t.scratch(8);
  Instruction& i = t.emit(&widenAddress);
  i.a = a;
  i.d = d;
  i.offset = static_cast<std::int64_t>(offset);
  offset = 0;
  return d;
}

void addMemoryMakers(Makers& makers) {
  makers["ld"] = &makeAccess<true>;
  makers["st"] = &makeAccess<false>;
}

}  // namespace millrace::ptx
