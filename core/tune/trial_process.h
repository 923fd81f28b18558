// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "core/base/result.h"

namespace millrace {

/// Limits of a trial; 0: no limit.
struct TrialLimits {
  double seconds = 0;
  std::uint64_t memoryBytes = 0;  ///< resident
  double stopSeconds = 3;         ///< time to end after it was asked to stop
};

/// How a child process ended.
struct TrialEnd {
  enum class Kind : std::uint8_t {
    Exited,      ///< with exit code `code`
    Signalled,   ///< by signal `code`: a crash, or the kernel's out-of-memory killer
    TimedOut,    ///< killed at the time limit
    OverMemory,  ///< killed at the memory limit
    Stopped      ///< stop() was called
  };
  Kind kind = Kind::Exited;
  int code = 0;
  std::uint64_t peakBytes = 0;  ///< largest resident size seen
  std::string errors;           ///< the last 4 KiB of its standard error
};

/// Describes a child that ended by a signal, or with an exit code and without a message.
std::string wordsOf(const TrialEnd& end);

/// A child process with limits, in a separate process group, so that a crash, a hang or unlimited
/// memory use does not affect the measuring program. Its memory is checked fifty times a second,
/// and it is the first that the kernel kills when memory runs out. Its standard input is a pipe
/// that closes with this process; the child is killed if the thread that called `run` ends before
/// it. `run` once, on one thread; `stop` and `tell` from any.
class TrialProcess {
 public:
  /// `command`: path of an executable and its arguments. `onLine` gets each line of standard
  /// output, on the thread of `run`.
  TrialProcess(std::vector<std::string> command, TrialLimits limits,
               std::function<void(std::string_view)> onLine, const Clock& clock = steadyClock());

  /// Variables that are added to this process's environment or replace some of it. Call it before
  /// `run`.
  void setEnvironment(std::vector<std::pair<std::string, std::string>> variables) {
    m_environment = std::move(variables);
  }
  /// An error if the process could not be started.
  Result<TrialEnd> run();
  /// Writes a line of at most 4 000 bytes to the child's standard input without waiting; does
  /// nothing without a child. The program must ignore SIGPIPE, because the child may have ended
  /// already.
  void tell(std::string_view line) MILLRACE_EXCLUDES(m_mutex);
  /// Interrupts the child, which then has TrialLimits::stopSeconds to end. May be called before
  /// `run`.
  void stop() { m_stopped = true; }

 private:
  class Child;

  void setInput(int descriptor) MILLRACE_EXCLUDES(m_mutex);

  const std::vector<std::string> m_command;
  const TrialLimits m_limits;
  const std::function<void(std::string_view)> m_onLine;
  const Clock& m_clock;
  std::vector<std::pair<std::string, std::string>> m_environment;
  std::atomic<bool> m_stopped{false};

  Mutex m_mutex;
  int m_input MILLRACE_GUARDED_BY(m_mutex) =
      -1;  ///< standard input of the running child; -1 if none
};

}  // namespace millrace
