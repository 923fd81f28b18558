// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/ptx/pinned_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace millrace::ptx {

PinnedMemory& PinnedMemory::instance() {
  static PinnedMemory& memory = *new PinnedMemory;
  return memory;
}

void* PinnedMemory::allocate(std::size_t bytes) {
  void* const data = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (data == nullptr) return nullptr;
  std::memset(data, 0xa5, bytes);  // no code may rely on zeros
  const std::lock_guard lock(m_mutex);
  m_blocks[reinterpret_cast<std::uint64_t>(data)] = {bytes, bytes};
  return data;
}

bool PinnedMemory::free(void* data) {
  const std::lock_guard lock(m_mutex);
  if (m_blocks.erase(reinterpret_cast<std::uint64_t>(data)) == 0) return false;
  std::free(data);
  return true;
}

void PinnedMemory::lend(const void* data, std::size_t bytes) {
  const std::lock_guard lock(m_mutex);
  const auto block = m_blocks.find(reinterpret_cast<std::uint64_t>(data));
  if (block != m_blocks.end()) block->second.lent = std::min(bytes, block->second.bytes);
}

PinnedMemory::Where PinnedMemory::where(const void* data, std::size_t bytes) const {
  const auto address = reinterpret_cast<std::uint64_t>(data);
  const std::lock_guard lock(m_mutex);
  auto block = m_blocks.upper_bound(address);
  if (block == m_blocks.begin()) return Where::Elsewhere;
  --block;
  const std::uint64_t at = address - block->first;
  if (at >= block->second.bytes) return Where::Elsewhere;
  const std::size_t lent = block->second.lent;
  return at <= lent && bytes <= lent - at ? Where::Inside : Where::Outside;
}

}  // namespace millrace::ptx
