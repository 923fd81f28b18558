// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/result.h"

namespace millrace {

/// Where a pool allocates its blocks. Thread-safe.
class MemorySource {
 public:
  virtual ~MemorySource() = default;
  /// Aligned to 256 bytes. The error says how much was requested and how much is left.
  virtual Result<std::byte*> allocate(std::size_t bytes) = 0;
  virtual void free(std::byte* data) = 0;
};

/// The memory that a pool holds.
struct PoolTotals {
  std::size_t heldBytes = 0;  ///< all blocks, including free ones
  std::size_t usedBytes = 0;  ///< blocks in use
  std::size_t peakBytes = 0;  ///< the largest usedBytes so far
  std::uint64_t allocations = 0;
};

/// Keeps blocks and reuses them (the smallest that fits and is at most twice as large as
/// requested), so that the steady state does not allocate. Free blocks are released when an
/// allocation fails, which is then retried once, and by giveBackFree(). Thread-safe.
class MemoryPool {
 public:
  static constexpr std::size_t kGranularity = 512;

  explicit MemoryPool(std::unique_ptr<MemorySource> source) : m_source(std::move(source)) {}
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  struct Block {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
  };
  Result<Block> takeBlock(std::size_t bytes);
  void give(const Block& block);
  /// Releases all free blocks.
  void giveBackFree();
  PoolTotals totals() const;

 private:
  Result<Block> allocate(std::size_t bytes) MILLRACE_REQUIRES(m_mutex);
  void trim() MILLRACE_REQUIRES(m_mutex);

  const std::unique_ptr<MemorySource> m_source;
  mutable Mutex m_mutex;
  std::vector<Block> m_free MILLRACE_GUARDED_BY(m_mutex);
  PoolTotals m_totals MILLRACE_GUARDED_BY(m_mutex);
};

template <class Tag>
class TaggedPool;

/// A block of a pool; the destructor returns it. Work that uses it must be done by then. Move-only;
/// for use by one thread.
template <class Tag>
class PooledBuffer {
 public:
  PooledBuffer() = default;
  PooledBuffer(PooledBuffer&& other) noexcept
      : m_pool(std::move(other.m_pool)), m_block(std::exchange(other.m_block, {})) {}
  PooledBuffer& operator=(PooledBuffer&& other) noexcept {
    std::swap(m_pool, other.m_pool);
    std::swap(m_block, other.m_block);
    return *this;
  }
  ~PooledBuffer() {
    if (m_pool) m_pool->give(m_block);
  }

  std::byte* data() const { return m_block.data; }
  std::size_t bytes() const { return m_block.bytes; }

 private:
  friend class TaggedPool<Tag>;
  PooledBuffer(std::shared_ptr<MemoryPool> pool, const MemoryPool::Block& block)
      : m_pool(std::move(pool)), m_block(block) {}

  std::shared_ptr<MemoryPool> m_pool;
  MemoryPool::Block m_block;
};

/// A pool with a separate buffer type, so that kinds of memory cannot be confused.
template <class Tag>
class TaggedPool : public MemoryPool, public std::enable_shared_from_this<TaggedPool<Tag>> {
 public:
  using MemoryPool::MemoryPool;
  Result<PooledBuffer<Tag>> take(std::size_t bytes) {
    MILLRACE_ASSIGN_OR_RETURN(auto block, this->takeBlock(bytes));
    return PooledBuffer<Tag>(this->shared_from_this(), block);
  }
};

struct DeviceMemoryTag {};
struct PinnedMemoryTag {};
/// Device memory; the host must not access it.
using DeviceBuffer = PooledBuffer<DeviceMemoryTag>;
/// Page-locked host memory.
using PinnedBuffer = PooledBuffer<PinnedMemoryTag>;
using DevicePool = TaggedPool<DeviceMemoryTag>;
using PinnedPool = TaggedPool<PinnedMemoryTag>;

}  // namespace millrace
