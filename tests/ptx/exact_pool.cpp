// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The engine's pools round up what is asked for and give blocks again: a kernel that goes too far
// would stay within a block, and read what an earlier batch left there. Linked with
// -Wl,--wrap=<MemoryPool::takeBlock and give>, this tells the device what was asked for; the rest
// of a block is out of bounds, what was given back as freed, and what is taken as never written.
#include "core/cuda/memory_pool.h"
#include "tests/ptx/device_memory.h"
#include "tests/ptx/pinned_memory.h"

namespace {

using millrace::MemoryPool;
using millrace::Result;
using millrace::ptx::DeviceMemory;
using millrace::ptx::PinnedMemory;

std::uint64_t addressOf(const MemoryPool::Block& block) {
  return reinterpret_cast<std::uint64_t>(block.data);
}

/// Of `block`, so many bytes are its user's.
void lend(const MemoryPool::Block& block, std::size_t bytes) {
  if (DeviceMemory::instance().isDevice(addressOf(block)))
    DeviceMemory::instance().lend(addressOf(block), bytes);
  else
    PinnedMemory::instance().lend(block.data, bytes);
}

void takeBack(const MemoryPool::Block& block) {
  if (DeviceMemory::instance().isDevice(addressOf(block)))
    DeviceMemory::instance().takeBack(addressOf(block));
  else
    PinnedMemory::instance().lend(block.data, 0);
}

}  // namespace

// As a compiler calls the members: `this` first, a result that is no register's by its address.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
Result<MemoryPool::Block> __real__ZN8millrace10MemoryPool9takeBlockEm(MemoryPool*, std::size_t);
void __real__ZN8millrace10MemoryPool4giveERKNS0_5BlockE(MemoryPool*, const MemoryPool::Block&);

Result<MemoryPool::Block> __wrap__ZN8millrace10MemoryPool9takeBlockEm(MemoryPool* pool,
                                                                      std::size_t bytes) {
  auto block = __real__ZN8millrace10MemoryPool9takeBlockEm(pool, bytes);
  if (block) lend(*block, bytes);
  return block;
}

void __wrap__ZN8millrace10MemoryPool4giveERKNS0_5BlockE(MemoryPool* pool,
                                                        const MemoryPool::Block& block) {
  takeBack(block);
  __real__ZN8millrace10MemoryPool4giveERKNS0_5BlockE(pool, block);
}
}
// NOLINTEND(bugprone-reserved-identifier)

// Copies of these that lie beside the functions which are wrapped would call them unwrapped.
template class millrace::TaggedPool<millrace::DeviceMemoryTag>;
template class millrace::TaggedPool<millrace::PinnedMemoryTag>;
