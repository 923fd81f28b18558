// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace millrace {

using Nanoseconds = std::chrono::nanoseconds;
using SteadyTime = std::chrono::steady_clock::time_point;

/// Where a measurement takes its time from, so that tests can step it by hand. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual SteadyTime now() const = 0;
};

/// The steady clock of the machine; lives as long as the program.
const Clock& steadyClock();

inline double toSeconds(std::chrono::steady_clock::duration span) {
  return std::chrono::duration<double>(span).count();
}

}  // namespace millrace
