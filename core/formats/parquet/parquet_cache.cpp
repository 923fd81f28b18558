// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/parquet/parquet_cache.h"

namespace millrace {

std::shared_ptr<ParquetCache::Slot> ParquetCache::slotOf(const Key& key) {
  const MutexLock lock(m_mutex);
  const auto found = m_kept.find(key);
  if (found != m_kept.end()) {
    m_uses.splice(m_uses.begin(), m_uses, found->second.use);
    return found->second.slot;
  }
  m_uses.push_front(key);
  auto slot = std::make_shared<Slot>();
  m_kept.emplace(key, Kept{slot, 0, m_uses.begin()});
  return slot;
}

void ParquetCache::account(const Key& key, const std::shared_ptr<Slot>& slot, std::size_t bytes) {
  const MutexLock lock(m_mutex);
  const auto found = m_kept.find(key);
  if (found == m_kept.end() || found->second.slot != slot) return;
  found->second.bytes = bytes;
  m_bytes += bytes;
  while (m_bytes > m_budget) {
    const auto oldest = m_kept.find(m_uses.back());
    m_bytes -= oldest->second.bytes;
    m_uses.pop_back();
    m_kept.erase(oldest);
  }
}

void ParquetCache::forget(const Key& key, const std::shared_ptr<Slot>& slot) {
  const MutexLock lock(m_mutex);
  const auto found = m_kept.find(key);
  if (found == m_kept.end() || found->second.slot != slot) return;
  m_uses.erase(found->second.use);
  m_kept.erase(found);
}

Result<ParquetCache::Item> ParquetCache::get(const Key& key,
                                             const std::function<Result<Item>()>& load) {
  const std::shared_ptr<Slot> slot = slotOf(key);
  const MutexLock lock(slot->mutex);
  if (slot->item) return *slot->item;
  Result<Item> made = load();
  if (!made) {
    forget(key, slot);
    return made;
  }
  slot->item = *made;
  account(key, slot, made->bytes());
  return made;
}

std::size_t ParquetCache::bytes() const {
  const MutexLock lock(m_mutex);
  return m_bytes;
}

}  // namespace millrace
