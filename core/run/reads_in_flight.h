// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/base/clock.h"

namespace millrace {

/// Decides how many reads from a server are in flight: the rate at which the workers would take
/// samples if they never waited, times the latency of a read (Little's law). It grows step by step
/// while a run goes on. A step that does not bring more samples is taken back: then the server or
/// the network is the limit. The caller's lock protects it.
class ReadsInFlight {
 public:
  ReadsInFlight(std::size_t least, std::size_t most, std::size_t workers);

  std::size_t now() const { return m_now; }
  /// The usual time of a read; 0 before the first.
  std::chrono::nanoseconds latency() const { return m_usual; }
  /// A read has ended.
  void ended(std::chrono::nanoseconds latency);
  /// A worker has its next sample, after waiting for it. Returns whether now() has grown.
  bool taken(std::chrono::nanoseconds waited, SteadyTime time);

 private:
  void begin(SteadyTime time);
  std::size_t wanted(double seconds) const;

  const std::size_t m_most;
  const double m_workers;
  std::size_t m_now;
  std::size_t m_before = 0;  ///< before the last growth, if its effect is not known yet
  double m_rateBefore = 0;   ///< samples per second then
  bool m_settling = false;   ///< the added reads have not brought anything yet
  SteadyTime m_holdUntil{};
  std::chrono::seconds m_hold;
  std::chrono::nanoseconds m_usual{0};

  // Since the last decision.
  SteadyTime m_since{};
  std::size_t m_taken = 0;
  std::size_t m_ended = 0;
  double m_waited = 0;   ///< seconds, of all workers
  double m_latency = 0;  ///< sum in seconds
};

}  // namespace millrace
