// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The engine's pools round sizes up and reuse blocks: a kernel that writes too far would stay
// within a block, and could read what an earlier batch left there. Linked with
// -Wl,--wrap=<MemoryPool::takeBlock and give>, this tells the device the requested size: the rest
// of a block is out of bounds, returned blocks count as freed, and new ones as unwritten.
#include <map>
#include <mutex>

#include "core/cuda/memory_pool.h"
#include "tests/ptx/device_memory.h"
#include "tests/ptx/pinned_memory.h"

namespace {

using millrace::MemoryPool;
using millrace::Result;
using millrace::ptx::DeviceMemory;
using millrace::ptx::PinnedMemory;

/// Blocks in use, as their pools know them. Thread-safe.
class LentBlocks {
 public:
  static LentBlocks& instance() {
    static LentBlocks& blocks = *new LentBlocks;
    return blocks;
  }

  /// Whether it is a block of this device and not of an emulated one.
  static bool isKnown(const MemoryPool::Block& block) {
    return isDevice(block) ||
           PinnedMemory::instance().where(block.data, 1) != PinnedMemory::Where::Elsewhere;
  }
  /// The block as its user should see it.
  MemoryPool::Block lend(const MemoryPool::Block& block, std::size_t bytes) {
    if (isDevice(block))
      DeviceMemory::instance().lend(addressOf(block), bytes);
    else
      PinnedMemory::instance().lend(block.data, bytes);
    const std::lock_guard lock(m_mutex);
    m_bytes[block.data] = block.bytes;
    return {block.data, bytes};
  }

  /// The block as its pool knows it.
  MemoryPool::Block takeBack(const MemoryPool::Block& block) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_bytes.find(block.data);
    if (found == m_bytes.end()) return block;  // taken without the wrapper
    const MemoryPool::Block whole{block.data, found->second};
    m_bytes.erase(found);
    if (isDevice(block))
      DeviceMemory::instance().takeBack(addressOf(block));
    else  // core/cuda takes some blocks without the wrapper; they must then be whole
      PinnedMemory::instance().lend(whole.data, whole.bytes);
    return whole;
  }

 private:
  static std::uint64_t addressOf(const MemoryPool::Block& block) {
    return reinterpret_cast<std::uint64_t>(block.data);
  }
  static bool isDevice(const MemoryPool::Block& block) {
    return DeviceMemory::instance().isDevice(addressOf(block));
  }
  std::mutex m_mutex;
  std::map<const std::byte*, std::size_t> m_bytes;
};

}  // namespace

// The members by their linker names: `this` is their first argument.
Result<MemoryPool::Block> takeFromPool(MemoryPool* pool, std::size_t bytes) asm(
    "__real__ZN8millrace10MemoryPool9takeBlockEm");
void giveToPool(MemoryPool* pool, const MemoryPool::Block& block) asm(
    "__real__ZN8millrace10MemoryPool4giveERKNS0_5BlockE");
Result<MemoryPool::Block> takeExactly(MemoryPool* pool, std::size_t bytes) asm(
    "__wrap__ZN8millrace10MemoryPool9takeBlockEm");
void giveWhole(MemoryPool* pool, const MemoryPool::Block& block) asm(
    "__wrap__ZN8millrace10MemoryPool4giveERKNS0_5BlockE");

Result<MemoryPool::Block> takeExactly(MemoryPool* pool, std::size_t bytes) {
  auto block = takeFromPool(pool, bytes);
  if (!block || !LentBlocks::isKnown(*block)) return block;
  return LentBlocks::instance().lend(*block, bytes);
}

void giveWhole(MemoryPool* pool, const MemoryPool::Block& block) {
  giveToPool(pool, LentBlocks::instance().takeBack(block));
}

// Instantiations in the same object as the wrapped functions would call them unwrapped.
template class millrace::TaggedPool<millrace::DeviceMemoryTag>;
template class millrace::TaggedPool<millrace::PinnedMemoryTag>;
template class millrace::PooledBuffer<millrace::DeviceMemoryTag>;
template class millrace::PooledBuffer<millrace::PinnedMemoryTag>;
