// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "core/cuda/device.h"

namespace millrace {

/// Converts the times of a device's events to the host's steady clock. The error is at most the
/// time that an idle stream takes to pass an event and to report it. For use by one thread.
class DeviceClock {
 public:
  static Result<std::unique_ptr<DeviceClock>> make(Device& device);

  /// The time at which a Timed event of this device passed, in nanoseconds of
  /// std::chrono::steady_clock.
  Result<std::uint64_t> steadyNs(const Event& event);

 private:
  DeviceClock() = default;
  Status setBase();
  Result<std::chrono::nanoseconds> sinceBase(const Event& event) const;

  std::unique_ptr<Stream> m_stream;  ///< used for nothing else
  std::unique_ptr<Event> m_base;
  std::chrono::steady_clock::time_point m_baseTime;
};

}  // namespace millrace
