// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "core/base/clock.h"

namespace millrace {

/// Tells the threads of a run when to discard their current work: at once, or after the grace time
/// of a stop. It is tested between the rows of a batch, so a thread delays the end by at most one
/// sample. Lock-free; any thread.
class StopSignal {
 public:
  explicit StopSignal(const Clock& clock) : m_clock(clock) {}

  void drop() { m_dropAt.store(INT64_MIN, std::memory_order_release); }
  /// If called several times, the earliest time counts.
  void dropAt(SteadyTime time) {
    const std::int64_t at = time.time_since_epoch().count();
    std::int64_t before = m_dropAt.load(std::memory_order_relaxed);
    while (at < before && !m_dropAt.compare_exchange_weak(before, at, std::memory_order_release)) {
    }
  }
  bool dropped() const {
    const std::int64_t at = m_dropAt.load(std::memory_order_acquire);
    if (at == INT64_MAX) return false;
    return at == INT64_MIN || m_clock.now().time_since_epoch().count() >= at;
  }

 private:
  const Clock& m_clock;
  std::atomic<std::int64_t> m_dropAt{INT64_MAX};
};

}  // namespace millrace
