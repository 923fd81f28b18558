// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/remote/remote_words.h"
#include "core/remote/ssh_command.h"

namespace millrace {

/// Is notified of what the program on the other machine does, on the thread of `run`.
class RemoteObserver {
 public:
  virtual ~RemoteObserver() = default;
  /// The program there has the same version and gets the request now.
  virtual void onGreeting(const RemoteGreeting&) {}
  /// Bytes of its standard output, without what the login printed.
  virtual void onOutput(std::string_view bytes) = 0;
  /// Bytes of its standard error.
  virtual void onMessage(std::string_view bytes) = 0;
};

/// A `millrace` on another machine, started by `ssh`. It ends soon after this process has ended in
/// any way, and after the connection is lost. `run` once, on one thread; `stop` from any.
class RemoteProcess {
 public:
  /// `patience`: how long a login that cannot ask may take until the greeting.
  RemoteProcess(SshSettings settings, RemoteRequest request, RemoteObserver& observer,
                std::chrono::milliseconds patience = std::chrono::seconds(90));
  ~RemoteProcess();
  RemoteProcess(const RemoteProcess&) = delete;
  RemoteProcess& operator=(const RemoteProcess&) = delete;

  /// Blocks until the program there has ended; its exit code. An error, with a remedy, if it could
  /// not be started or its connection was lost.
  Result<int> run();
  /// Asks the program there to stop, as Ctrl+C would. Before its greeting, the login is ended.
  void stop();
  /// Writes a line to the standard input of the program there, once it has its request. Any thread.
  void tell(std::string_view line) MILLRACE_EXCLUDES(m_mutex);
  bool stopped() const { return m_stopped; }

 private:
  class Child;

  Result<int> ended(const Child& child, bool late) const;
  void ring() const;
  std::string takeLines() MILLRACE_EXCLUDES(m_mutex);

  const SshSettings m_settings;
  const RemoteRequest m_request;
  RemoteObserver& m_observer;
  const std::chrono::milliseconds m_patience;
  std::atomic<bool> m_stopped{false};
  int m_wake = -1;

  Mutex m_mutex;
  std::string m_lines MILLRACE_GUARDED_BY(m_mutex);  ///< not yet given to the child
};

}  // namespace millrace
