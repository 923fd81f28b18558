// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "core/base/result.h"

namespace millrace {

/// What an event is for. Ordering costs less; only a Timed one can be asked for times.
enum class EventKind { Ordering, Timed };

/// A mark in a stream (Stream::record), which another stream or a host thread can wait for. Made by
/// Device::makeEvent and gone before its device. Recorded by one thread at a time; asked by any.
/// Of several records the last one counts. Each failure says which call failed and on what device;
/// after a device has faulted every call fails.
class Event {
 public:
  virtual ~Event() = default;
  /// Whether all that was enqueued in front of the last record is done; true before any record.
  virtual Result<bool> passed() const = 0;
  /// Blocks the calling thread, without spinning, until `passed`.
  virtual Status wait() const = 0;
  /// Device time from the passing of `earlier` to that of this one. Both are Timed, of one device,
  /// and have passed.
  virtual Result<std::chrono::nanoseconds> since(const Event& earlier) const = 0;
};

}  // namespace millrace
