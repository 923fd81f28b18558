// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/ptx/device_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace millrace::ptx {

namespace {

constexpr std::uint64_t kGuard = 256;
/// cudaMalloc's alignment.
constexpr std::uint64_t kAlignment = 256;

void* reserve(std::uint64_t bytes, int protection) {
  void* const at =
      mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at != MAP_FAILED) return at;
  std::perror("PTX device: no address space");
  std::abort();
}

std::size_t totalOfEnvironment() {
  const char* const set = std::getenv("MILLRACE_PTX_MEMORY");
  return set == nullptr ? std::size_t{4} << 30U : std::strtoull(set, nullptr, 10);
}

}  // namespace

DeviceMemory& DeviceMemory::instance() {
  static DeviceMemory& memory = *new DeviceMemory;  // Never destroyed: streams may outlive
                                                    // everything else.
  return memory;
}

DeviceMemory::DeviceMemory() : m_total(totalOfEnvironment()) {
  m_base = reinterpret_cast<std::uint64_t>(reserve(kSize, PROT_NONE));
  constexpr int kBoth = PROT_READ | PROT_WRITE;
  m_data = static_cast<std::byte*>(reserve(kSize, kBoth));
  m_states = static_cast<std::uint8_t*>(reserve(kSize, kBoth));
  m_writers = static_cast<std::uint32_t*>(reserve(kSize * sizeof(std::uint32_t), kBoth));
  m_readers = static_cast<std::uint32_t*>(reserve(kSize * sizeof(std::uint32_t), kBoth));
  m_next = (m_base + kAlignment - 1) / kAlignment * kAlignment + kAlignment;
}

std::uint64_t DeviceMemory::allocate(std::size_t bytes) {
  const std::lock_guard lock(m_mutex);
  const std::uint64_t place = (bytes + kAlignment - 1) / kAlignment * kAlignment + kGuard;
  if (bytes > m_total - m_taken || place > m_base + kSize - m_next) return 0;
  const std::uint64_t address = m_next;
  m_next += place;
  m_taken += bytes;
  m_blocks[address] = {bytes, bytes, true};
  std::memset(states(address), Unwritten, bytes);
  return address;
}

bool DeviceMemory::free(std::uint64_t address) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_blocks.find(address);
  if (found == m_blocks.end() || !found->second.live) return false;
  found->second.live = false;
  m_taken -= found->second.bytes;
  std::memset(states(address), Freed, found->second.bytes);
  return true;
}

void DeviceMemory::lend(std::uint64_t address, std::size_t bytes) {
  const std::lock_guard lock(m_mutex);
  Block& block = m_blocks.at(address);
  block.lent = std::min(bytes, block.bytes);
  std::memset(states(address), Unwritten, block.lent);
  std::memset(states(address + block.lent), Nothing, block.bytes - block.lent);
}

void DeviceMemory::takeBack(std::uint64_t address) {
  const std::lock_guard lock(m_mutex);
  Block& block = m_blocks.at(address);
  block.lent = 0;
  std::memset(states(address), Freed, block.bytes);
}

std::size_t DeviceMemory::freeBytes() const {
  const std::lock_guard lock(m_mutex);
  return m_total - m_taken;
}

const std::pair<const std::uint64_t, DeviceMemory::Block>* DeviceMemory::blockBefore(
    std::uint64_t address) const {
  const auto behind = m_blocks.upper_bound(address);
  return behind == m_blocks.begin() ? nullptr : &*std::prev(behind);
}

bool DeviceMemory::isLive(std::uint64_t address, std::size_t bytes) const {
  const std::lock_guard lock(m_mutex);
  const auto* const block = blockBefore(address);
  if (block == nullptr || !block->second.live) return false;
  const std::uint64_t at = address - block->first;
  return at <= block->second.lent && bytes <= block->second.lent - at;
}

std::string DeviceMemory::describe(std::uint64_t address) const {
  if (!isDevice(address)) return "no address of the device";
  const std::lock_guard lock(m_mutex);
  const auto* const block = blockBefore(address);
  if (block == nullptr) return "before all blocks";
  const std::uint64_t at = address - block->first;
  const std::size_t lent = block->second.lent;
  const bool gone = !block->second.live || lent == 0;
  const std::string of = (gone ? "a freed block of " : "a block of ") +
                         std::to_string(gone ? block->second.bytes : lent);
  return at < (gone ? block->second.bytes : lent)
             ? "byte " + std::to_string(at) + " of " + of
             : std::to_string(at - lent) + " bytes after the end of " + of;
}

void DeviceMemory::forgetWritersAndReaders() {
  madvise(m_writers, kSize * sizeof(std::uint32_t), MADV_DONTNEED);
  madvise(m_readers, kSize * sizeof(std::uint32_t), MADV_DONTNEED);
}

}  // namespace millrace::ptx
