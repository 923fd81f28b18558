// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/trial_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/check.h"

namespace millrace {

namespace {

constexpr int kPollMs = 20;
constexpr std::size_t kErrorsKept = 4096;

Error failed(const char* what) {
  return Error{fmt::format("could not start a trial: {}: {}", what, std::strerror(errno))};
}

struct Pipe {
  int read = -1;
  int write = -1;
};

std::uint64_t residentBytes(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/statm", process));
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  if (!(file >> size >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// Turns the forked child into the program; makes only calls that are safe after fork.
[[noreturn]] void becomeChild(char* const* command, char* const* variables, pid_t parent, int in,
                              int out, int err) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  const int score = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score >= 0) {
    (void)!::write(score, "1000", 4);
    ::close(score);
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  ::execve(command[0], command, variables);
  ::_exit(127);
}

/// The argument of execve; `words` must outlive it.
std::vector<char*> pointersTo(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// This process's variables with some of them replaced, each as "NAME=VALUE".
std::vector<std::string> variablesWith(
    const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> variables;
  for (char* const* at = environ; *at != nullptr; ++at) {
    const std::string_view variable = *at;
    const std::string_view name = variable.substr(0, variable.find('='));
    if (std::ranges::none_of(changes, [&](const auto& change) { return change.first == name; }))
      variables.emplace_back(variable);
  }
  for (const auto& [name, value] : changes) variables.push_back(fmt::format("{}={}", name, value));
  return variables;
}

}  // namespace

std::string wordsOf(const TrialEnd& end) {
  if (end.kind != TrialEnd::Kind::Signalled)
    return fmt::format("it ended with exit code {}", end.code);
  if (end.code == SIGKILL) return "it was killed (signal 9), which happens when memory runs out";
  return fmt::format("it crashed: signal {} ({})", end.code, ::strsignal(end.code));
}

/// The running child. One thread.
class TrialProcess::Child {
 public:
  ~Child() {
    if (m_process > 0 && !m_status) {
      killGroup(SIGKILL);
      ::waitpid(m_process, nullptr, 0);
    }
    for (const Pipe& pipe : m_pipes)
      for (const int descriptor : {pipe.read, pipe.write})
        if (descriptor >= 0) ::close(descriptor);
  }

  Status start(const std::vector<std::string>& command, const std::vector<std::string>& variables) {
    for (Pipe& pipe : m_pipes) {
      std::array<int, 2> ends{};
      if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failed("pipe");
      pipe = {ends[0], ends[1]};
    }
    const std::vector<char*> arguments = pointersTo(command);
    const std::vector<char*> environment = pointersTo(variables);
    const pid_t parent = ::getpid();
    m_process = ::fork();
    if (m_process < 0) return failed("fork");
    if (m_process == 0)
      becomeChild(arguments.data(), environment.data(), parent, m_pipes[0].read, m_pipes[1].write,
                  m_pipes[2].write);
    ::setpgid(m_process, m_process);
    for (int* end : {&m_pipes[0].read, &m_pipes[1].write, &m_pipes[2].write})
      ::close(std::exchange(*end, -1));
    for (const int end : {m_pipes[1].read, m_pipes[2].read})
      ::fcntl(end, F_SETFL, ::fcntl(end, F_GETFL) | O_NONBLOCK);
    return {};
  }

  /// Waits briefly for output of the child and passes on its complete lines.
  void listen(const std::function<void(std::string_view)>& onLine) {
    std::array<pollfd, 2> waiting{pollfd{m_pipes[1].read, POLLIN, 0},
                                  pollfd{m_pipes[2].read, POLLIN, 0}};
    // Closed descriptors are -1, which poll ignores.
    if (::poll(waiting.data(), waiting.size(), kPollMs) < 0) return;
    drain(m_pipes[1].read, m_line);
    drain(m_pipes[2].read, m_errors);
    std::size_t begun = 0;
    for (std::size_t end = m_line.find('\n'); end != std::string::npos;
         end = m_line.find('\n', begun)) {
      onLine(std::string_view(m_line).substr(begun, end - begun));
      begun = end + 1;
    }
    m_line.erase(0, begun);
    if (m_errors.size() > kErrorsKept) m_errors.erase(0, m_errors.size() - kErrorsKept);
  }

  /// Whether the child has ended.
  bool ended() {
    int status = 0;
    if (!m_status && ::waitpid(m_process, &status, WNOHANG) == m_process) m_status = status;
    return m_status.has_value();
  }
  int input() const { return m_pipes[0].write; }
  void killGroup(int signal) const { ::kill(-m_process, signal); }
  std::uint64_t sampleMemory() {
    m_peak = std::max(m_peak, residentBytes(m_process));
    return m_peak;
  }

  TrialEnd end(TrialEnd::Kind ended) const {
    TrialEnd end;
    const int status = m_status.value_or(0);
    end.kind = ended;
    if (ended == TrialEnd::Kind::Exited && WIFSIGNALED(status))
      end.kind = TrialEnd::Kind::Signalled;
    end.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    end.peakBytes = m_peak;
    end.errors = m_errors;
    return end;
  }

 private:
  static void drain(int& from, std::string& to) {
    std::array<char, 65536> buffer{};
    while (from >= 0) {
      const ssize_t count = ::read(from, buffer.data(), buffer.size());
      if (count > 0) {
        to.append(buffer.data(), static_cast<std::size_t>(count));
        continue;
      }
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return;
      ::close(std::exchange(from, -1));
    }
  }

  pid_t m_process = -1;
  std::array<Pipe, 3> m_pipes;  ///< standard input, output, error
  std::optional<int> m_status;
  std::string m_line;
  std::string m_errors;
  std::uint64_t m_peak = 0;
};

TrialProcess::TrialProcess(std::vector<std::string> command, TrialLimits limits,
                           std::function<void(std::string_view)> onLine, const Clock& clock)
    : m_command(std::move(command)), m_limits(limits), m_onLine(std::move(onLine)), m_clock(clock) {
  MILLRACE_CHECK(!m_command.empty(), "a trial needs a command");
}

Result<TrialEnd> TrialProcess::run() {
  Child child;
  if (m_stopped) return TrialEnd{TrialEnd::Kind::Stopped, 0, 0, {}};
  MILLRACE_TRY(child.start(m_command, variablesWith(m_environment)));
  setInput(child.input());
  const SteadyTime began = m_clock.now();
  std::optional<SteadyTime> interrupted;
  TrialEnd::Kind kind = TrialEnd::Kind::Exited;
  const auto kill = [&](TrialEnd::Kind why) {
    if (kind == TrialEnd::Kind::Exited) kind = why;
    child.killGroup(SIGKILL);
  };
  while (!child.ended()) {
    child.listen(m_onLine);
    const SteadyTime now = m_clock.now();
    if (const std::uint64_t bytes = child.sampleMemory();
        m_limits.memoryBytes > 0 && bytes > m_limits.memoryBytes)
      kill(TrialEnd::Kind::OverMemory);
    if (m_limits.seconds > 0 && toSeconds(now - began) > m_limits.seconds)
      kill(TrialEnd::Kind::TimedOut);
    if (m_stopped && !interrupted) {
      interrupted = now;
      if (kind == TrialEnd::Kind::Exited) kind = TrialEnd::Kind::Stopped;
      child.killGroup(SIGINT);
    }
    if (interrupted && toSeconds(now - *interrupted) > m_limits.stopSeconds)
      kill(TrialEnd::Kind::Stopped);
  }
  setInput(-1);
  child.listen(m_onLine);
  return child.end(kind);
}

void TrialProcess::setInput(int descriptor) {
  const MutexLock lock(m_mutex);
  m_input = descriptor;
}

void TrialProcess::tell(std::string_view line) {
  const std::string whole = fmt::format("{}\n", line);
  const MutexLock lock(m_mutex);
  if (m_input >= 0) (void)!::write(m_input, whole.data(), whole.size());
}

}  // namespace millrace
