// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <thread>

#include "core/events/stream/run_request.h"

namespace millrace::cli {

/// Reserves SIGINT and SIGTERM for InterruptWatch, in every thread started from now on. Called
/// first in main.
void blockInterrupts();
/// Whether such a signal is pending, for work without an InterruptWatch.
bool interruptPending();

/// Calls `onFirst` on a separate thread at the first SIGINT or SIGTERM, and when events can no
/// longer be written (a full disk). A second signal ends the process at once with exit code 3.
class InterruptWatch {
 public:
  explicit InterruptWatch(std::function<void()> onFirst);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

 private:
  void loop();
  std::function<void()> m_onFirst;
  int m_wake = -1;
  std::thread m_thread;
};

/// Ends the process with exit code 3 if SIGINT or SIGTERM stays pending for some seconds: no
/// InterruptWatch receives it, and the work does not look for it, as when it waits for a pipe or a
/// disk. Files are written under temporary names and stores in transactions, so both stay whole.
class StuckWatch {
 public:
  StuckWatch();
  ~StuckWatch();
  StuckWatch(const StuckWatch&) = delete;
  StuckWatch& operator=(const StuckWatch&) = delete;

 private:
  void loop() const;
  int m_wake = -1;
  std::thread m_thread;
};

/// Reads requests from standard input on a separate thread, one on each line. The end of a pipe
/// means stop, because the parent is gone.
class RequestReader {
 public:
  struct Handlers {
    std::function<void(const RunRequest&)> request;
    std::function<void(const std::string& error)> malformed;
    std::function<void()> ended;
  };
  explicit RequestReader(Handlers handlers);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

 private:
  void loop();
  void handle(const std::string& line);
  Handlers m_handlers;
  int m_wake = -1;
  std::thread m_thread;
};

}  // namespace millrace::cli
