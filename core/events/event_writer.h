// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <thread>

namespace millrace {

/// Writes lines to a file descriptor from a thread of its own, so that a slow reader never holds a
/// run up. Snapshots that come while the last one still waits are dropped and counted; everything
/// else is kept. Monitor.
class EventWriter {
 public:
  explicit EventWriter(int descriptor);
  /// Waits for at most five seconds until what is left is written, then gives it up.
  ~EventWriter();
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  void write(std::string line);
  void writeSnapshot(std::string line);
  std::uint64_t droppedSnapshots() const;

 private:
  /// Outlives the writer when its reader hangs and the thread has to be left behind.
  struct State;

  std::shared_ptr<State> m_state;
  std::thread m_thread;
};

}  // namespace millrace
