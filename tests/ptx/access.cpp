// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/ptx/access.h"

#include <cstdio>
#include <cstdlib>

namespace millrace::ptx {

namespace {

const char* nameOf(Space space) {
  switch (space) {
    case Space::Shared: return "shared";
    case Space::Local: return "local";
    case Space::Param: return "parameter";
    default: return "global";
  }
}

const char* nameOf(Access access) {
  switch (access) {
    case Access::Write: return "write";
    case Access::Atomic: return "atomic operation";
    default: return "read";
  }
}

std::string hex(std::uint64_t value) {
  char text[32];
  (void)std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string accessText(Access access, Space space, std::uint64_t address, std::size_t bytes) {
  return std::string(nameOf(access)) + " of " + std::to_string(bytes) + " bytes of " +
         nameOf(space) + " memory at " + hex(address);
}

}  // namespace

void refuse(Fault::Kind kind, int lane, Access access, Space space, std::uint64_t address,
            std::size_t bytes, const std::string& why) {
  throw Fault(kind, lane, accessText(access, space, address, bytes) + ": " + why);
}

void refuseGlobal(const Warp&, int lane, Access access, std::uint64_t address, std::size_t bytes) {
  const DeviceMemory& memory = DeviceMemory::instance();
  const auto because = [&](Fault::Kind kind, const std::string& why) {
    refuse(kind, lane, access, Space::Global, address, bytes, why);
  };
  if (!memory.isDevice(address)) because(Fault::Kind::Address, memory.describe(address));
  if (address % bytes != 0) because(Fault::Kind::Misaligned, "not aligned");
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::uint8_t state = *memory.states(address + i);
    if (state == DeviceMemory::Nothing || state == DeviceMemory::Freed)
      because(Fault::Kind::Address, memory.describe(address + i));
  }
  for (std::size_t i = 0; i < bytes; ++i)
    if (*memory.states(address + i) == DeviceMemory::Unwritten)
      because(Fault::Kind::Unwritten, "never written: " + memory.describe(address + i));
  because(Fault::Kind::Address, memory.describe(address));
  std::abort();
}

void refuseRace(const Warp&, int lane, Access access, Space space, std::uint64_t address,
                std::size_t bytes, Conflict with) {
  refuse(Fault::Kind::Race, lane, access, space, address, bytes,
         std::string("another thread ") + (with == Conflict::WithReader ? "reads" : "writes") +
             " it in the same launch, with no barrier between them");
}

std::byte* localBytes(Warp& warp, int lane, std::uint64_t address, std::size_t bytes,
                      Access access) {
  const std::size_t each = warp.block->program->localBytes;
  if (address > each || bytes > each - address)
    refuse(Fault::Kind::Address, lane, access, Space::Local, address, bytes,
           "the thread has " + std::to_string(each) + " bytes of it");
  if (address % bytes != 0)
    refuse(Fault::Kind::Misaligned, lane, access, Space::Local, address, bytes, "not aligned");
  return warp.local + static_cast<std::size_t>(lane) * each + address;
}

std::byte* paramBytes(Warp& warp, int lane, std::uint64_t address, std::size_t bytes,
                      Access access) {
  std::vector<std::byte>& all = warp.block->parameters;
  if (access == Access::Write || access == Access::Atomic || address > all.size() ||
      bytes > all.size() - address)
    refuse(Fault::Kind::Address, lane, access, Space::Param, address, bytes,
           "the kernel has " + std::to_string(all.size()) + " bytes of it, to be read");
  if (address % bytes != 0)
    refuse(Fault::Kind::Misaligned, lane, access, Space::Param, address, bytes, "not aligned");
  return all.data() + address;
}

}  // namespace millrace::ptx
