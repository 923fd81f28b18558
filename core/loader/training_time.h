// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/clock.h"
#include "core/metrics/histogram.h"
#include "core/run/run_result.h"

namespace millrace {

/// What a program's time goes into: its own steps, from a batch to the call for the next one and as
/// long as they hold that one up, and waiting for batches. What lies between two epochs is neither.
/// One thread at a time.
class TrainingTime {
 public:
  /// The program asks for a batch.
  void asks(SteadyTime now) {
    if (m_handedOut) m_step += now - *m_handedOut;
    m_handedOut.reset();
    if (!m_asked) m_asked = now;
  }
  /// It got one of so many rows.
  void gets(SteadyTime now, std::uint64_t rows) {
    if (m_asked) {
      m_wait += now - *m_asked;
      ++m_waits.counts[Histogram::bucketOf(static_cast<std::uint64_t>((now - *m_asked).count()))];
    }
    m_asked.reset();
    m_handedOut = now;
    count(rows);
  }
  /// For so long the next batch had no memory, because work that the program had enqueued for a GPU
  /// still read it: that is its step.
  void stepsOnADevice(std::chrono::nanoseconds span) {
    if (!m_asked) return;
    *m_asked += span;
    m_step += span;
  }
  /// It got none and does not go on waiting for one: the epoch ended.
  void pauses() { m_asked.reset(); }

  double stepSeconds() const { return toSeconds(m_step); }
  double waitSeconds() const { return toSeconds(m_wait); }
  const Histogram& waits() const { return m_waits; }
  /// In the program's time, steps and waits one after the other. Each ends with the first batch a
  /// second after its begin; later ones are longer, a thousandth of the time so far, so that a
  /// program that trains for weeks keeps some thousands of them.
  const std::vector<RateWindow>& windows() const { return m_windows; }

 private:
  void count(std::uint64_t rows) {
    ++m_window.batches;
    m_window.samples += rows;
    const double now = stepSeconds() + waitSeconds();
    m_window.seconds = now - m_window.startSeconds;
    if (m_window.seconds < std::max(1.0, now * 1e-3)) return;
    m_windows.push_back(m_window);
    m_window = {.startSeconds = now};
  }

  std::optional<SteadyTime> m_asked;
  std::optional<SteadyTime> m_handedOut;
  std::chrono::nanoseconds m_step{0};
  std::chrono::nanoseconds m_wait{0};
  Histogram m_waits;
  RateWindow m_window;
  std::vector<RateWindow> m_windows;
};

}  // namespace millrace
