// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/device_clock.h"

namespace millrace {

namespace {

/// CUDA gives the time between events as a float of milliseconds, which after 10 s is right to 1
/// us.
constexpr std::chrono::nanoseconds kFarthest = std::chrono::seconds(10);

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

Status DeviceClock::setBase() {
  // The first record also pays for starting the stream.
  for (int i = 0; i < 2; ++i) {
    MILLRACE_TRY(m_stream->record(*m_base));
    MILLRACE_TRY(m_base->wait());
    m_baseTime = std::chrono::steady_clock::now();
  }
  return {};
}

Result<std::uint64_t> DeviceClock::steadyNs(const Event& event) {
  auto after = event.since(*m_base);
  if (!after) return after.error();
  if (*after > kFarthest) {
    MILLRACE_TRY(setBase());
    after = event.since(*m_base);
    if (!after) return after.error();
  }
  return static_cast<std::uint64_t>((m_baseTime + *after).time_since_epoch().count());
}

}  // namespace millrace
