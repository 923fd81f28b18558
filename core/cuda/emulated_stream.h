// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "core/base/mutex.h"
#include "core/cuda/emulated_device.h"

namespace millrace {

/// What the parts of one emulated device share. Thread-safe.
class EmulatedState {
 public:
  explicit EmulatedState(const EmulatedOptions& options);

  /// "GPU 0 (emulated)".
  const std::string& place() const { return m_place; }
  /// Every call asks first; the error once the device has faulted.
  Status operation(const char* call);
  Status alive(const char* call) const;
  /// Likewise of a record and a query, which can be told to fail.
  Status record();
  Status query();
  /// The error of a call that the device does not do.
  Error refused(const char* call, const char* why) const;

  /// Work that a stream has to do, by a number, from when it is enqueued until it is done.
  std::uint64_t begins();
  void ends(std::uint64_t work);
  /// Waits for all that has begun by now.
  void waitForAll();

 private:
  const std::string m_place;
  std::atomic<std::uint64_t> m_left;
  std::atomic<std::uint64_t> m_failingRecords;
  std::atomic<std::uint64_t> m_failingQueries;

  Mutex m_mutex;
  Condition m_changed;
  std::uint64_t m_begun MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::set<std::uint64_t> m_open MILLRACE_GUARDED_BY(m_mutex);
};

std::unique_ptr<Event> makeEmulatedEvent(std::shared_ptr<EmulatedState> state, EventKind kind);
std::unique_ptr<Stream> makeEmulatedStream(std::shared_ptr<EmulatedState> state, std::string name);

}  // namespace millrace
