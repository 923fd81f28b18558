// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/clock.h"
#include "core/measure/run_result.h"
#include "core/metrics/histogram.h"

namespace millrace {

/// Decides from the arrivals of batches when warm-up, windows and the measured span end
/// (docs/reference/figures.md). Pure; has no clock. One thread.
class SpanMeter {
 public:
  struct Limits {
    double warmupSeconds = 0;
    std::uint64_t warmupBatches = 0;  ///< minimum number of batches, for caches to fill
    std::optional<double> seconds;
    std::optional<std::uint64_t> batches;
  };
  enum class Event {
    Warming,
    Began,  ///< this batch ended the warm-up; it is not counted
    Counted,
    Window,  ///< counted; a window ended with it
    Ended,   ///< counted; the measured span ended, and possibly a window
  };

  SpanMeter(const Limits& limits, SteadyTime start);

  /// A batch of `rows` arrived; or several batches, the last of them now.
  Event arrived(SteadyTime at, std::uint64_t rows, std::uint64_t batches = 1);
  /// The consumer waited `ns` nanoseconds for a batch that then arrived.
  void waited(std::uint64_t ns) {
    if (m_measuring) ++m_waits.counts[Histogram::bucketOf(ns)];
  }

  bool measuring() const { return m_measuring; }
  const std::vector<RateWindow>& windows() const { return m_windows; }
  const Histogram& waits() const { return m_waits; }
  std::uint64_t batches() const { return m_batches; }
  std::uint64_t samples() const { return m_samples; }
  /// Time from the beginning of the span to the last arrival.
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
