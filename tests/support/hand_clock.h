// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>

#include "core/base/clock.h"

namespace millrace::tests {

/// A clock that only moves when a test moves it. Any thread.
class HandClock final : public Clock {
 public:
  SteadyTime now() const override { return SteadyTime(SteadyTime::duration(m_ticks.load())); }
  void pass(double seconds) {
    m_ticks +=
        std::chrono::duration_cast<SteadyTime::duration>(std::chrono::duration<double>(seconds))
            .count();
  }

 private:
  std::atomic<SteadyTime::rep> m_ticks{0};
};

}  // namespace millrace::tests
