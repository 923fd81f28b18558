// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "core/base/result.h"

namespace millrace {

/// What an event is used for. Ordering is cheaper; only a Timed event has times.
enum class EventKind { Ordering, Timed };

/// A mark in a stream (Stream::record) that other streams and host threads can wait for. Created by
/// Device::makeEvent, and destroyed before its device. One thread at a time may record it, any
/// thread may query it. If it is recorded several times, the last record counts. Each error names
/// the call and the device; after a device fault every call fails.
class Event {
 public:
  virtual ~Event() = default;
  /// Whether all work enqueued before the last record is done; true if it was never recorded.
  virtual Result<bool> passed() const = 0;
  /// Blocks the calling thread until the event has passed, without spinning.
  virtual Status wait() const = 0;
  /// Device time between `earlier` and this event. Both must be Timed events of one device, and
  /// must have passed.
  virtual Result<std::chrono::nanoseconds> since(const Event& earlier) const = 0;
};

}  // namespace millrace
