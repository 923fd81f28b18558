// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace millrace {

using Nanoseconds = std::chrono::nanoseconds;
using SteadyTime = std::chrono::steady_clock::time_point;

/// The time source of a measurement; tests replace it with a clock they advance. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual SteadyTime now() const = 0;
};

/// The machine's steady clock; lives until the program ends.
const Clock& steadyClock();

/// Nanoseconds since the steady clock's epoch: the unit of counters and traces.
inline std::uint64_t nanosecondsOf(SteadyTime at) {
  return static_cast<std::uint64_t>(at.time_since_epoch().count());
}

/// The current time in nanoseconds since the steady clock's epoch.
inline std::uint64_t nowNs() { return nanosecondsOf(std::chrono::steady_clock::now()); }

inline double toSeconds(std::chrono::steady_clock::duration span) {
  return std::chrono::duration<double>(span).count();
}

}  // namespace millrace
