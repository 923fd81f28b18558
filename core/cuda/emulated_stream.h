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

/// State shared by the parts of one emulated device. Thread-safe.
class EmulatedState {
 public:
  explicit EmulatedState(const EmulatedOptions& options);

  /// "GPU 0 (emulated)".
  const std::string& place() const { return m_place; }
  /// Every call checks this first; an error once the device has faulted.
  Status operation(const char* call);
  Status alive(const char* call) const;
  /// The same for a record and a query, which tests can make fail.
  Status record();
  Status query();
  /// The error of a call that the device rejects.
  Error refused(const char* call, const char* why) const;

  /// Numbers the work of a stream, from when it is enqueued until it is done.
  std::uint64_t begins();
  void ends(std::uint64_t work);
  /// Waits for all work that has begun so far.
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
