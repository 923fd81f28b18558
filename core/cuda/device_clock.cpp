// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/device_clock.h"

#include <algorithm>

namespace millrace {

namespace {

/// Two clocks drift by tens of microseconds a second at most. CUDA also gives the time between
/// events as a float of milliseconds.
constexpr std::chrono::nanoseconds kFarthest = std::chrono::seconds(1);

}  // namespace

Result<std::unique_ptr<DeviceClock>> DeviceClock::make(Device& device) {
  std::unique_ptr<DeviceClock> clock(new DeviceClock);
  auto stream = device.makeStream("clock");
  if (!stream) return stream.error();
  clock->m_stream = stream.take();
  auto event = device.makeEvent(EventKind::Timed);
  if (!event) return event.error();
  clock->m_base = event.take();
  MILLRACE_TRY(clock->setBase());
  return clock;
}

/// Asks again and again: a thread that sleeps until then wakes up some tens of microseconds late.
/// Where it was not given the core meanwhile, it tries once more.
Status DeviceClock::setBase() {
  constexpr int kMostTries = 20;
  constexpr std::chrono::nanoseconds kClose = std::chrono::microseconds(100);
  for (int i = 0; i < kMostTries; ++i) {
    MILLRACE_TRY(m_stream->record(*m_base));
    // It passes behind the last question that was answered by no.
    auto earliest = std::chrono::steady_clock::now();
    for (bool there = false; !there;) {
      const auto asked = std::chrono::steady_clock::now();
      const auto passed = m_base->passed();
      if (!passed) return passed.error();
      there = *passed;
      if (!there) earliest = asked;
    }
    const auto span = std::chrono::steady_clock::now() - earliest;
    m_baseTime = earliest + span / 2;
    // The first record also pays for starting the stream.
    if (i > 0 && span < kClose) break;
  }
  return {};
}

/// Asked both ways round: CUDA does not say what it tells of an end that lies before its begin,
/// less than nothing or nothing.
Result<std::chrono::nanoseconds> DeviceClock::sinceBase(const Event& event) const {
  auto after = event.since(*m_base);
  if (!after || after->count() > 0) return after;
  const auto before = m_base->since(event);
  if (!before) return before.error();
  return std::min(*after, -*before);
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
