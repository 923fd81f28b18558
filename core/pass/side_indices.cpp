// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/side_indices.h"

#include <algorithm>

namespace millrace {

namespace {

std::uint64_t numberOf(PictureKey key) { return std::uint64_t{key.field} << 32U | key.sample; }

}  // namespace

void SideIndices::load(PictureKey key, std::vector<std::byte>& bytes) {
  bytes.clear();
  Part& part = partOf(key);
  const MutexLock lock(part.mutex);
  const auto found = part.kept.find(numberOf(key));
  if (found == part.kept.end()) return;
  const Kept& kept = found->second;
  bytes.assign(kept.bytes.get(), kept.bytes.get() + kept.size);
}

void SideIndices::keep(PictureKey key, std::span<const std::byte> bytes, const SideIndexUse& use) {
  (use.skippedMcus > 0 ? m_hits : m_misses).add();
  if (use.wrong) m_wrong.add();
  if (use.changed) store(key, bytes);
}

void SideIndices::store(PictureKey key, std::span<const std::byte> bytes) {
  Part& part = partOf(key);
  const MutexLock lock(part.mutex);
  const auto found = part.kept.find(numberOf(key));
  const bool isNew = found == part.kept.end();
  const std::size_t before = isNew ? 0 : kEntryBytes + found->second.size;
  const std::size_t after = kEntryBytes + bytes.size();
  if (after > before && !takeRoom(after - before)) return;
  if (after < before) m_used -= before - after;
  Kept& kept = isNew ? part.kept[numberOf(key)] : found->second;
  kept.bytes = std::make_unique<std::byte[]>(bytes.size());
  kept.size = bytes.size();
  std::copy(bytes.begin(), bytes.end(), kept.bytes.get());
  if (isNew) m_entries.fetch_add(1, std::memory_order_relaxed);
}

bool SideIndices::takeRoom(std::size_t bytes) {
  if (m_used.fetch_add(bytes) + bytes <= m_limit) return true;
  m_used -= bytes;
  m_full.store(true, std::memory_order_relaxed);
  return false;
}

SampleCache::Fill SideIndices::fill() const {
  return {.entries = m_entries.load(std::memory_order_relaxed),
          .bytes = m_used.load(std::memory_order_relaxed),
          .limitBytes = m_limit,
          .hits = m_hits.total(),
          .misses = m_misses.total(),
          .damaged = m_wrong.total(),
          .stopped =
              m_full.load(std::memory_order_relaxed) ? "the side index has reached its limit" : ""};
}

}  // namespace millrace
