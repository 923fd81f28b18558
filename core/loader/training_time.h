// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/clock.h"
#include "core/measure/run_result.h"
#include "core/metrics/histogram.h"

namespace millrace {

/// Splits a program's time into its own steps, from receiving a batch to asking for the next, and
/// waiting for batches. Time between two epochs belongs to neither. One thread at a time.
class TrainingTime {
 public:
  /// The program asks for a batch.
  void asks(SteadyTime now) {
    if (m_handedOut) m_step += now - *m_handedOut;
    m_handedOut.reset();
    if (!m_asked) m_asked = now;
  }
  /// The program receives a batch of `rows` rows.
  void gets(SteadyTime now, std::uint64_t rows) {
    if (m_asked) {
      m_wait += now - *m_asked;
      ++m_waits.counts[Histogram::bucketOf(static_cast<std::uint64_t>((now - *m_asked).count()))];
    }
    m_asked.reset();
    m_handedOut = now;
    count(rows);
  }
  /// While the program waits, the next batch had no memory for `span` because the program's GPU
  /// work still read it. That time counts as step.
  void stepsOnADevice(std::chrono::nanoseconds span) {
    if (!m_asked) return;
    *m_asked += span;
    m_step += span;
  }
  /// The program got no batch and stops waiting: the epoch ended.
  void pauses() { m_asked.reset(); }

  double stepSeconds() const { return toSeconds(m_step); }
  double waitSeconds() const { return toSeconds(m_wait); }
  const Histogram& waits() const { return m_waits; }
  /// Rates in the program's time (steps and waits). A window ends with the first batch after one
  /// second; later windows are longer, a thousandth of the time so far, which limits them to some
  /// thousands in weeks of training.
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
