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

/// What a trial may take; 0: no limit.
struct TrialLimits {
  double seconds = 0;
  std::uint64_t memoryBytes = 0;  ///< resident
  double stopSeconds = 3;         ///< to end by itself once it is stopped
};

/// How a child process ended.
struct TrialEnd {
  enum class Kind : std::uint8_t {
    Exited,      ///< by itself, with `code`
    Signalled,   ///< by signal `code`: a crash, or the kernel's out-of-memory killer
    TimedOut,    ///< it was killed: limit of seconds
    OverMemory,  ///< it was killed: limit of memory
    Stopped      ///< stop() was called
  };
  Kind kind = Kind::Exited;
  int code = 0;
  std::uint64_t peakBytes = 0;  ///< resident, as far as was seen
  std::string errors;           ///< the last 4 KiB of its standard error
};

/// Of a child that ended by a signal, or with an exit code and no other word.
std::string wordsOf(const TrialEnd& end);

/// One child process with limits, in a process group of its own, so that nothing that it does or
/// suffers reaches the program that measures: a crash, a hang, memory that only grows. Its memory
/// is looked at fifty times a second, and the kernel takes it first when memory runs out. Its
/// standard input is a pipe that ends with this process, and it is killed should the thread that
/// called `run` end without it. `run` once, on one thread; `stop` and `tell` from any.
class TrialProcess {
 public:
  /// `command`: an executable's path and its arguments. `onLine` hears each line of standard output
  /// on the thread of `run`.
  TrialProcess(std::vector<std::string> command, TrialLimits limits,
               std::function<void(std::string_view)> onLine, const Clock& clock = steadyClock());

  /// Variables that the child has besides this process's, or in their place. Before `run`.
  void setEnvironment(std::vector<std::pair<std::string, std::string>> variables) {
    m_environment = std::move(variables);
  }
  /// The error: no process could be started.
  Result<TrialEnd> run();
  /// Writes a line of at most 4 000 bytes to the child's standard input, at once; does nothing
  /// where there is no child. The program ignores SIGPIPE: a child may have ended unseen.
  void tell(std::string_view line) MILLRACE_EXCLUDES(m_mutex);
  /// Interrupts the child, which has TrialLimits::stopSeconds to end; also before `run`.
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
  int m_input MILLRACE_GUARDED_BY(m_mutex) = -1;  ///< of the child while it runs
};

/// A descriptor that holds `text` in memory and which a child inherits: no file to clean up after a
/// kill. The path under which the child reads it is `path`. Moves; closes itself.
class InheritedText {
 public:
  static Result<InheritedText> make(std::string_view text);
  InheritedText(InheritedText&& other) noexcept;
  InheritedText& operator=(InheritedText&&) = delete;
  InheritedText(const InheritedText&) = delete;
  InheritedText& operator=(const InheritedText&) = delete;
  ~InheritedText();

  std::string path() const;

 private:
  explicit InheritedText(int descriptor) : m_descriptor(descriptor) {}
  int m_descriptor;
};

}  // namespace millrace
