// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/epoch_indices.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace millrace {

std::size_t EpochIndices::rowsOf(std::uint64_t b) const {
  const std::size_t from = static_cast<std::size_t>(b) * batchSize;
  return std::min(batchSize, samples() - from);
}

void EpochIndices::setWhole(std::vector<SampleIndex> order, bool dropLast) {
  m_flat = std::move(order);
  const std::size_t count = m_flat.size();
  m_whole.store(true, std::memory_order_release);
  m_samples.store(dropLast ? count - count % batchSize : count, std::memory_order_release);
}

void EpochIndices::append(std::span<const SampleIndex> entries, bool last, bool dropLast) {
  MILLRACE_CHECK(m_flat.empty() && !whole(), "an epoch that is whole does not grow");
  if (m_chunks.empty()) m_chunks.resize(kMostChunks);
  while (!entries.empty()) {
    const std::size_t within = m_count % kChunk;
    auto& chunk = m_chunks.at(m_count / kChunk);
    if (chunk == nullptr) chunk = std::make_unique<SampleIndex[]>(kChunk);
    const std::size_t here = std::min(kChunk - within, entries.size());
    std::ranges::copy(entries.first(here), chunk.get() + within);
    entries = entries.subspan(here);
    m_count += here;
  }
  // Stored before m_samples: a thread that sees the last batch, possibly a partial one, must see
  // this too.
  if (last) m_whole.store(true, std::memory_order_release);
  const bool fullOnly = dropLast || !last;
  m_samples.store(fullOnly ? m_count - m_count % batchSize : m_count, std::memory_order_release);
}

}  // namespace millrace
