// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/reads_in_flight.h"

#include <algorithm>
#include <cmath>

namespace millrace {

namespace {

constexpr std::chrono::milliseconds kLeastSpan{50};
/// Workers that wait a smaller share of their time need no more reads.
constexpr double kFewWaits = 0.02;
constexpr double kReserve = 1.25;
/// More reads that bring fewer samples than this bring nothing.
constexpr double kGain = 1.05;
constexpr std::chrono::seconds kHold{2};

double secondsOf(std::chrono::nanoseconds time) { return static_cast<double>(time.count()) / 1e9; }

}  // namespace

ReadsInFlight::ReadsInFlight(std::size_t least, std::size_t most, std::size_t workers)
    : m_most(most),
      m_workers(static_cast<double>(std::max<std::size_t>(workers, 1))),
      m_now(std::min(least, most)),
      m_hold(kHold) {}

void ReadsInFlight::begin(SteadyTime time) {
  m_since = time;
  m_taken = m_ended = 0;
  m_waited = m_latency = 0;
}

void ReadsInFlight::ended(std::chrono::nanoseconds latency) {
  ++m_ended;
  m_latency += secondsOf(latency);
  m_usual = m_usual.count() == 0 ? latency : (7 * m_usual + latency) / 8;
}

/// Rate times latency, at most twice what there is: both are only known for that.
std::size_t ReadsInFlight::wanted(double seconds) const {
  const double worked = std::max(m_workers * seconds - m_waited, 1e-3 * m_workers * seconds);
  const double rate = static_cast<double>(m_taken) * m_workers / worked;
  const double latency = m_latency / static_cast<double>(m_ended);
  const double most = std::min(2 * static_cast<double>(m_now), static_cast<double>(m_most));
  return std::max(m_now,
                  static_cast<std::size_t>(std::min(std::ceil(kReserve * rate * latency), most)));
}

bool ReadsInFlight::taken(std::chrono::nanoseconds waited, SteadyTime time) {
  if (m_since == SteadyTime{}) begin(time);
  ++m_taken;
  m_waited += secondsOf(waited);
  // A decision needs what the reads in flight have brought.
  if (m_now == m_most || m_ended < m_now || time - m_since < kLeastSpan) return false;
  const double seconds = secondsOf(time - m_since);
  const double rate = static_cast<double>(m_taken) / seconds;
  const std::size_t before = m_now;
  if (m_settling) {
    m_settling = false;
  } else if (m_before > 0 && rate < kGain * m_rateBefore) {
    m_now = m_before;
    m_holdUntil = time + m_hold;
    m_hold *= 2;
    m_before = 0;
  } else if (m_waited > kFewWaits * m_workers * seconds && time >= m_holdUntil) {
    m_now = wanted(seconds);
    m_settling = m_now > before;
    m_before = m_settling ? before : 0;
    m_rateBefore = rate;
  }
  begin(time);
  return m_now > before;
}

}  // namespace millrace
