// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <thread>

namespace millrace {

/// The errno value of the first line of this process that an EventWriter could not write; 0 if
/// there is none. Any thread.
int lostEventError();
/// A descriptor that becomes readable when such a line is lost, except to a reader that closed its
/// pipe: measuring for hours is useless if its events are lost. Any thread.
int lostEventDescriptor();

/// Writes lines to a file descriptor on a separate thread, so that a slow reader never delays a
/// run. A snapshot that comes while another one is waiting is dropped and counted; every other line
/// is kept. Thread-safe (monitor).
class EventWriter {
 public:
  explicit EventWriter(int descriptor);
  /// Waits at most five seconds for remaining lines to be written, then discards them.
  ~EventWriter();
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  void write(std::string line);
  void writeSnapshot(std::string line);
  std::uint64_t droppedSnapshots() const;

 private:
  /// Outlives the writer if its reader hangs and the thread must be abandoned.
  struct State;

  std::shared_ptr<State> m_state;
  std::thread m_thread;
};

}  // namespace millrace
