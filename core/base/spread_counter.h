// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace millrace {

/// A counter that many threads increment without contention: the counts are spread over several
/// cache lines. Lock-free.
class SpreadCounter {
 public:
  void add() { m_lines[lineOfThread()].count.fetch_add(1, std::memory_order_relaxed); }
  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const Line& line : m_lines) sum += line.count.load(std::memory_order_relaxed);
    return sum;
  }

 private:
  static constexpr std::size_t kLines = 16;
  static std::size_t lineOfThread() {
    static std::atomic<std::size_t> threads{0};
    thread_local const std::size_t line = threads.fetch_add(1, std::memory_order_relaxed) % kLines;
    return line;
  }
  struct alignas(64) Line {
    std::atomic<std::uint64_t> count{0};
  };
  std::array<Line, kLines> m_lines;
};

}  // namespace millrace
