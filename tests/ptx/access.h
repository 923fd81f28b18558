// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "tests/ptx/device_memory.h"
#include "tests/ptx/order.h"
#include "tests/ptx/warp.h"

namespace millrace::ptx {

enum class Space : std::uint8_t { Generic, Global, Shared, Local, Param };
enum class Access : std::uint8_t { Read, ReadOnly, Write, Atomic };

/// One lane's access to memory. Checks that the access is allowed, and whether another thread
/// accessed the bytes without ordering. Each function throws a Fault.

/// Builds the message in the slow cases (access.cpp).
[[noreturn]] void refuse(Fault::Kind kind, int lane, Access access, Space space,
                         std::uint64_t address, std::size_t bytes, const std::string& why);
[[noreturn]] void refuseGlobal(const Warp& warp, int lane, Access access, std::uint64_t address,
                               std::size_t bytes);
[[noreturn]] void refuseRace(const Warp& warp, int lane, Access access, Space space,
                             std::uint64_t address, std::size_t bytes, Conflict with);

template <std::size_t kBytes>
constexpr std::uint64_t repeated(std::uint8_t state) {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < kBytes && i < 8; ++i) all = all << 8U | state;
  return all;
}

/// Whether all states equal `state` after applying `mask`.
template <std::size_t kBytes>
bool allStatesAre(const std::uint8_t* states, std::uint8_t mask, std::uint8_t state) {
  if constexpr (kBytes > 8) {
    return allStatesAre<8>(states, mask, state) &&
           allStatesAre<kBytes - 8>(states + 8, mask, state);
  } else {
    std::uint64_t word = 0;
    std::memcpy(&word, states, kBytes);
    return (word & repeated<kBytes>(mask)) == repeated<kBytes>(state);
  }
}

/// Whether a write only repeats the current value; such a write cannot be noticed, even if another
/// thread writes the same.
inline bool repeats(const std::byte* there, const std::byte* value, std::size_t bytes) {
  return value != nullptr && std::memcmp(there, value, bytes) == 0;
}

template <std::size_t kBytes>
std::byte* globalBytes(Warp& warp, int lane, std::uint64_t address, Access access,
                       const std::byte* value) {
  static DeviceMemory& memory = DeviceMemory::instance();
  if (!memory.isDevice(address) || (address & (kBytes - 1)) != 0)
    refuseGlobal(warp, lane, access, address, kBytes);
  std::uint8_t* const states = memory.states(address);
  const bool reads = access != Access::Write;
  const std::uint8_t mask = reads && warp.block->checksUnwritten ? 3 : 2;
  if (!allStatesAre<kBytes>(states, mask, mask)) refuseGlobal(warp, lane, access, address, kBytes);
  const bool writes = access == Access::Write || access == Access::Atomic;
  if (writes) std::memset(states, DeviceMemory::Written, kBytes);
  std::byte* const data = memory.data(address);
  if (!warp.block->checksRaces) return data;
  OrderPage& page = orderPage(address - memory.base());
  if (page.operation != warp.block->operation || (writes && !page.wrote))
    if (const std::string found = touch(page, writes); !found.empty())
      refuse(Fault::Kind::Race, lane, access, Space::Global, address, kBytes, found);
  const std::uint32_t mine = warp.threads + static_cast<std::uint32_t>(lane);
  std::uint32_t* const writers = memory.writers() + (address - memory.base());
  std::uint32_t* const readers = memory.readers() + (address - memory.base());
  if (!writes) {
    if (access == Access::ReadOnly && wasWritten(warp.block->epoch, writers, kBytes))
      refuse(Fault::Kind::Race, lane, access, Space::Global, address, kBytes,
             "read as read-only, but written in the same launch");
    if (!noteRead<kBytes>(warp.block->epoch, writers, readers, mine))
      refuseRace(warp, lane, access, Space::Global, address, kBytes, Conflict::WithWriter);
    return data;
  }
  const Conflict with =
      noteWrite(warp.block->epoch, writers, readers, kBytes, mine, access == Access::Atomic);
  if (with == Conflict::WithReader ||
      (with == Conflict::WithWriter && !repeats(data, value, kBytes)))
    refuseRace(warp, lane, access, Space::Global, address, kBytes, with);
  return data;
}

template <std::size_t kBytes>
std::byte* sharedBytes(Warp& warp, int lane, std::uint64_t address, Access access,
                       const std::byte* value) {
  Block& block = *warp.block;
  if (address > block.shared.size() || kBytes > block.shared.size() - address)
    refuse(Fault::Kind::Address, lane, access, Space::Shared, address, kBytes,
           "the block has " + std::to_string(block.shared.size()) + " bytes of it");
  if ((address & (kBytes - 1)) != 0)
    refuse(Fault::Kind::Misaligned, lane, access, Space::Shared, address, kBytes, "not aligned");
  std::byte* const data = block.shared.data() + address;
  if (!block.checksRaces) return data;
  const std::uint32_t mine = warp.threads + static_cast<std::uint32_t>(lane);
  // Shared and local memory of other blocks is other memory.
  RaceEpoch epoch = block.epoch;
  epoch.launch = epoch.block;
  std::uint32_t* const writers = block.sharedWriters.data() + address;
  std::uint32_t* const readers = block.sharedReaders.data() + address;
  if (access == Access::Read || access == Access::ReadOnly) {
    if (!noteRead<kBytes>(epoch, writers, readers, mine))
      refuseRace(warp, lane, access, Space::Shared, address, kBytes, Conflict::WithWriter);
    return data;
  }
  const Conflict with = noteWrite(epoch, writers, readers, kBytes, mine, access == Access::Atomic);
  if (with == Conflict::WithReader ||
      (with == Conflict::WithWriter && !repeats(data, value, kBytes)))
    refuseRace(warp, lane, access, Space::Shared, address, kBytes, with);
  return data;
}

/// Memory of the thread alone; in the param space also that of the launch, which is read-only.
std::byte* localBytes(Warp& warp, int lane, std::uint64_t address, std::size_t bytes,
                      Access access);
std::byte* paramBytes(Warp& warp, int lane, std::uint64_t address, std::size_t bytes,
                      Access access);

/// The bytes at `address` in this space. `value`: what is about to be written there.
template <Space kSpace, std::size_t kBytes>
std::byte* bytesAt(Warp& warp, int lane, std::uint64_t address, Access access,
                   const std::byte* value = nullptr) {
  if constexpr (kSpace == Space::Global) {
    return globalBytes<kBytes>(warp, lane, address, access, value);
  } else if constexpr (kSpace == Space::Shared) {
    return sharedBytes<kBytes>(warp, lane, address, access, value);
  } else if constexpr (kSpace == Space::Local) {
    return localBytes(warp, lane, address, kBytes, access);
  } else if constexpr (kSpace == Space::Param) {
    if ((address & kWindowMask) == kLocalWindow)
      return localBytes(warp, lane, address - kLocalWindow, kBytes, access);
    return paramBytes(warp, lane, address, kBytes, access);
  } else {
    const std::uint64_t window = address & kWindowMask;
    if (window == 0) return globalBytes<kBytes>(warp, lane, address, access, value);
    if (window == kSharedWindow)
      return sharedBytes<kBytes>(warp, lane, address - window, access, value);
    if (window == kLocalWindow) return localBytes(warp, lane, address - window, kBytes, access);
    if (window == kParamWindow) return paramBytes(warp, lane, address - window, kBytes, access);
    return globalBytes<kBytes>(warp, lane, address, access, value);
  }
}

}  // namespace millrace::ptx
