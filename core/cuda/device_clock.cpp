// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/device_clock.h"

#include <algorithm>

namespace millrace {

namespace {

/// The clocks drift by at most tens of microseconds per second. Also, CUDA returns the time between
/// events as a float in milliseconds, which is only precise for short times.
constexpr std::chrono::nanoseconds kFarthest = std::chrono::seconds(1);

}  // namespace

Result<std::unique_ptr<DeviceClock>> DeviceClock::make(Device& device) {
  std::unique_ptr<DeviceClock> clock(new DeviceClock);
  MILLRACE_ASSIGN_OR_RETURN(clock->m_stream, device.makeStream("clock"));
  MILLRACE_ASSIGN_OR_RETURN(clock->m_base, device.makeEvent(EventKind::Timed));
  MILLRACE_TRY(clock->setBase());
  return clock;
}

/// Polls the event, because a sleeping thread would wake up some tens of microseconds late. Tries
/// again if the thread was preempted meanwhile.
Status DeviceClock::setBase() {
  constexpr int kMostTries = 20;
  constexpr std::chrono::nanoseconds kClose = std::chrono::microseconds(100);
  for (int i = 0; i < kMostTries; ++i) {
    MILLRACE_TRY(m_stream->record(*m_base));
    // The event passes after the last query that returned false.
    auto earliest = std::chrono::steady_clock::now();
    for (bool there = false; !there;) {
      const auto asked = std::chrono::steady_clock::now();
      MILLRACE_ASSIGN_OR_RETURN(there, m_base->passed());
      if (!there) earliest = asked;
    }
    const auto span = std::chrono::steady_clock::now() - earliest;
    m_baseTime = earliest + span / 2;
    // The first record also includes the start of the stream.
    if (i > 0 && span < kClose) break;
  }
  return {};
}

/// Queries both orders: CUDA does not define whether the elapsed time is negative or zero if the
/// end precedes the beginning.
Result<std::chrono::nanoseconds> DeviceClock::sinceBase(const Event& event) const {
  auto after = event.since(*m_base);
  if (!after || after->count() > 0) return after;
  MILLRACE_ASSIGN_OR_RETURN(const auto before, m_base->since(event));
  return std::min(*after, -before);
}

Result<std::uint64_t> DeviceClock::steadyNs(const Event& event) {
  auto since = sinceBase(event);
  if (since.ok() && *since > kFarthest) {
    MILLRACE_TRY(setBase());
    since = sinceBase(event);
  }
  if (!since) return since.error();
  return static_cast<std::uint64_t>((m_baseTime + *since).time_since_epoch().count());
}

}  // namespace millrace
