// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "core/base/clock.h"
#include "core/metrics/histogram.h"

namespace millrace {

/// What a program's time goes into: its own steps, from a batch to the call for the next one, and
/// waiting for batches. What lies between two epochs is neither. One thread at a time.
class TrainingTime {
 public:
  /// The program asks for a batch.
  void asks(SteadyTime now) {
    if (m_handedOut) m_step += now - *m_handedOut;
    m_handedOut.reset();
    if (!m_asked) m_asked = now;
  }
  /// It got one.
  void gets(SteadyTime now) {
    if (m_asked) {
      m_wait += now - *m_asked;
      ++m_waits.counts[Histogram::bucketOf(static_cast<std::uint64_t>((now - *m_asked).count()))];
    }
    m_asked.reset();
    m_handedOut = now;
  }
  /// It got none and does not go on waiting for one: the epoch ended.
  void pauses() { m_asked.reset(); }

  double stepSeconds() const { return toSeconds(m_step); }
  double waitSeconds() const { return toSeconds(m_wait); }
  const Histogram& waits() const { return m_waits; }

 private:
  std::optional<SteadyTime> m_asked;
  std::optional<SteadyTime> m_handedOut;
  std::chrono::nanoseconds m_step{0};
  std::chrono::nanoseconds m_wait{0};
  Histogram m_waits;
};

}  // namespace millrace
