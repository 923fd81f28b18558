// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/block_cache.h"

namespace millrace {

bool BlockCache::knows(const Key& key) const {
  const MutexLock lock(m_mutex);
  return m_entries.contains(key);
}

Result<BlockCache::Block> BlockCache::get(const Key& key) {
  const MutexLock lock(m_mutex);
  const auto found = m_entries.find(key);
  if (found == m_entries.end()) return Block();
  const std::shared_ptr<Entry> entry = found->second;
  while (!entry->block && !entry->error) m_changed.wait(m_mutex);
  if (entry->error) return *entry->error;
  // While this thread waited, it may have been dropped, and another may be in its place.
  if (const auto now = m_entries.find(key); now != m_entries.end() && now->second == entry)
    m_order.splice(m_order.begin(), m_order, entry->place);
  return entry->block;
}

std::uint64_t BlockCache::claim(std::uint64_t object, std::uint64_t first, std::uint64_t end) {
  const MutexLock lock(m_mutex);
  std::uint64_t at = first;
  for (; at < end && !m_entries.contains({object, at}); ++at)
    m_entries.emplace(Key{object, at}, std::make_shared<Entry>());
  return at;
}

void BlockCache::put(const Key& key, std::vector<std::byte> bytes) {
  const MutexLock lock(m_mutex);
  Entry& entry = *m_entries.at(key);
  m_bytes += bytes.size();
  entry.block = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  m_order.push_front(key);
  entry.place = m_order.begin();
  while (m_bytes > kMostBytes && m_order.size() > 1) {
    const auto last = m_entries.find(m_order.back());
    m_bytes -= last->second->block->size();
    m_entries.erase(last);
    m_order.pop_back();
  }
  m_changed.notifyAll();
}

void BlockCache::fail(const Key& key, const Error& error) {
  const MutexLock lock(m_mutex);
  const auto found = m_entries.find(key);
  found->second->error = error;
  m_entries.erase(found);
  m_changed.notifyAll();
}

BlockCache& blockCache() {
  static BlockCache cache;
  return cache;
}

}  // namespace millrace
