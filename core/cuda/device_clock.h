// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "core/cuda/device.h"

namespace millrace {

/// Puts the events of a device onto the host's steady clock. Right within the time that an idle
/// stream takes to pass an event and to say so. One thread.
class DeviceClock {
 public:
  static Result<std::unique_ptr<DeviceClock>> make(Device& device);

  /// When a Timed event of this device passed, in nanoseconds of std::chrono::steady_clock.
  Result<std::uint64_t> steadyNs(const Event& event);

 private:
  DeviceClock() = default;
  Status setBase();
  Result<std::chrono::nanoseconds> sinceBase(const Event& event) const;

  std::unique_ptr<Stream> m_stream;  ///< nothing else is on it
  std::unique_ptr<Event> m_base;
  std::chrono::steady_clock::time_point m_baseTime;
};

}  // namespace millrace
