// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/remote_figures.h"

#include <algorithm>

namespace millrace {

void RemoteFigures::answer(std::uint64_t bytes, std::optional<std::chrono::nanoseconds> firstByte) {
  m_bytes.fetch_add(bytes, std::memory_order_relaxed);
  if (!firstByte) return;
  const auto& edges = RemoteCounts::kEdges;
  const auto bin = std::ranges::lower_bound(edges, *firstByte) - edges.begin();
  m_firstByte[static_cast<std::size_t>(bin)].fetch_add(1, std::memory_order_relaxed);
}

RemoteCounts RemoteFigures::counts() const {
  RemoteCounts counts;
  counts.requests = m_requests.load(std::memory_order_relaxed);
  counts.retries = m_retries.load(std::memory_order_relaxed);
  counts.second = m_second.load(std::memory_order_relaxed);
  counts.bytes = m_bytes.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < m_firstByte.size(); ++i)
    counts.firstByte[i] = m_firstByte[i].load(std::memory_order_relaxed);
  return counts;
}

RemoteFigures& remoteFigures() {
  static RemoteFigures figures;
  return figures;
}

}  // namespace millrace
