// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace millrace {

/// What this process has asked of servers.
struct RemoteCounts {
  /// Upper ends of the bins of the time to the first byte; the last bin has no end.
  static constexpr std::array<std::chrono::milliseconds, 5> kEdges = {
      std::chrono::milliseconds(10), std::chrono::milliseconds(30), std::chrono::milliseconds(100),
      std::chrono::milliseconds(300), std::chrono::milliseconds(1000)};

  std::uint64_t requests = 0;  ///< retries included
  std::uint64_t retries = 0;
  std::uint64_t second = 0;  ///< sent while the first of the same was still waiting; in `requests`
  std::uint64_t bytes = 0;   ///< of bodies
  std::array<std::uint64_t, kEdges.size() + 1> firstByte{};
};

/// Any thread; lock-free.
class RemoteFigures {
 public:
  void request() { m_requests.fetch_add(1, std::memory_order_relaxed); }
  void second() { m_second.fetch_add(1, std::memory_order_relaxed); }
  void retry() { m_retries.fetch_add(1, std::memory_order_relaxed); }
  /// A request has ended. nullopt: without an answer.
  void answer(std::uint64_t bytes, std::optional<std::chrono::nanoseconds> firstByte);
  RemoteCounts counts() const;

 private:
  std::atomic<std::uint64_t> m_requests{0};
  std::atomic<std::uint64_t> m_retries{0};
  std::atomic<std::uint64_t> m_second{0};
  std::atomic<std::uint64_t> m_bytes{0};
  std::array<std::atomic<std::uint64_t>, RemoteCounts::kEdges.size() + 1> m_firstByte{};
};

RemoteFigures& remoteFigures();

}  // namespace millrace
