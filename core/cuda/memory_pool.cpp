// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/memory_pool.h"

#include <algorithm>

#include "core/base/check.h"

namespace millrace {

MemoryPool::~MemoryPool() {
  const MutexLock lock(m_mutex);
  MILLRACE_CHECK(m_totals.usedBytes == 0,
                 "all blocks must be returned before their pool is destroyed");
  trim();
}

Result<MemoryPool::Block> MemoryPool::takeBlock(std::size_t bytes) {
  const std::size_t wanted =
      std::max<std::size_t>(1, (bytes + kGranularity - 1) / kGranularity) * kGranularity;
  const MutexLock lock(m_mutex);
  auto best = m_free.end();
  for (auto block = m_free.begin(); block != m_free.end(); ++block)
    if (block->bytes >= wanted && block->bytes <= 2 * wanted &&
        (best == m_free.end() || block->bytes < best->bytes))
      best = block;
  Block taken;
  if (best != m_free.end()) {
    taken = *best;
    m_free.erase(best);
  } else {
    MILLRACE_ASSIGN_OR_RETURN(taken, allocate(wanted));
  }
  m_totals.usedBytes += taken.bytes;
  m_totals.peakBytes = std::max(m_totals.peakBytes, m_totals.usedBytes);
  return taken;
}

Result<MemoryPool::Block> MemoryPool::allocate(std::size_t bytes) {
  auto data = m_source->allocate(bytes);
  if (!data && !m_free.empty()) {
    trim();
    data = m_source->allocate(bytes);
  }
  if (!data) return data.error();
  m_totals.heldBytes += bytes;
  ++m_totals.allocations;
  return Block{*data, bytes};
}

void MemoryPool::trim() {
  for (const Block& block : m_free) {
    m_source->free(block.data);
    m_totals.heldBytes -= block.bytes;
  }
  m_free.clear();
}

void MemoryPool::give(const Block& block) {
  const MutexLock lock(m_mutex);
  m_totals.usedBytes -= block.bytes;
  m_free.push_back(block);
}

void MemoryPool::giveBackFree() {
  const MutexLock lock(m_mutex);
  trim();
}

PoolTotals MemoryPool::totals() const {
  const MutexLock lock(m_mutex);
  return m_totals;
}

}  // namespace millrace
