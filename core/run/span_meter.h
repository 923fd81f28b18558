// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/clock.h"
#include "core/metrics/histogram.h"
#include "core/run/run_result.h"

namespace millrace {

/// Decides from the arrivals of batches where warm-up ends, where windows have their edges and
/// where the measured span ends (CONTRACT §7). Pure bookkeeping: one thread, no clock of its own.
class SpanMeter {
 public:
  struct Limits {
    double warmupSeconds = 0;
    std::uint64_t warmupBatches = 0;  ///< at least so many, for caches to fill
    std::optional<double> seconds;
    std::optional<std::uint64_t> batches;
  };
  enum class Event {
    Warming,
    Began,  ///< this batch ended the warm-up; it is the first edge and not counted
    Counted,
    Window,  ///< counted, and the last window ended with it
    Ended,   ///< counted, and the measured span is over; its last window may have ended too
  };

  SpanMeter(const Limits& limits, SteadyTime start);

  /// A batch of `rows` arrived.
  Event arrived(SteadyTime at, std::uint64_t rows);
  /// The consumer began to wait for a batch, which then arrived.
  void waited(std::uint64_t ns) {
    if (m_measuring) ++m_waits.counts[Histogram::bucketOf(ns)];
  }

  bool measuring() const { return m_measuring; }
  /// Without a warm-up the span begins with the run itself.
  bool beganAtStart() const { return m_beganAtStart; }
  const std::vector<RateWindow>& windows() const { return m_windows; }
  const Histogram& waits() const { return m_waits; }
  std::uint64_t batches() const { return m_batches; }
  std::uint64_t samples() const { return m_samples; }
  /// From the first edge to the last arrival.
  double seconds() const { return toSeconds(m_last - m_begin); }
  double elapsed(SteadyTime now) const {
    return toSeconds(now - (m_measuring ? m_begin : m_start));
  }
  const Limits& limits() const { return m_limits; }

 private:
  bool warmupOver(SteadyTime at) const;
  bool closeWindow(SteadyTime at);
  bool spanOver(SteadyTime at) const;

  const Limits m_limits;
  const SteadyTime m_start;
  bool m_measuring = false;
  bool m_beganAtStart = false;
  std::uint64_t m_warmed = 0;
  SteadyTime m_begin;
  SteadyTime m_last;
  SteadyTime m_windowBegin;
  RateWindow m_window;
  std::uint64_t m_batches = 0;
  std::uint64_t m_samples = 0;
  std::vector<RateWindow> m_windows;
  Histogram m_waits;
};

}  // namespace millrace
