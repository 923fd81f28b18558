// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/remote_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/clock.h"
#include "core/remote/ssh_trouble.h"

namespace millrace {

namespace {

constexpr int kLookEveryMs = 50;
constexpr std::size_t kErrorsKept = 16 * 1024;
/// Shells add the number of the signal.
constexpr int kSignalled = 128;
/// The program found no `ssh`; as shells do.
constexpr int kNoProgram = 127;

Error notStarted(const char* what) {
  return Error{fmt::format("could not start `ssh`: {}: {}", what, std::strerror(errno))};
}

struct PipeEnds {
  int read = -1;
  int write = -1;
};

/// Turns the forked child into `ssh`; makes only calls that are safe after fork. It stays in the
/// terminal's foreground, so that it can ask, but Ctrl+C is this program's alone.
[[noreturn]] void becomeSsh(char* const* words, pid_t parent, int in, int out, int err) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kNoProgram);
  for (const int signal : {SIGTERM, SIGPIPE, SIGXFSZ}) ::signal(signal, SIG_DFL);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGINT);
  ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  ::execvp(words[0], words);
  constexpr std::string_view kMissing = "ssh: not installed\n";
  (void)!::write(STDERR_FILENO, kMissing.data(), kMissing.size());
  ::_exit(kNoProgram);
}

}  // namespace

/// The running `ssh`. One thread.
class RemoteProcess::Child {
 public:
  ~Child() {
    if (m_process > 0 && !m_status) {
      ::kill(m_process, SIGKILL);
      ::waitpid(m_process, nullptr, 0);
    }
    for (const PipeEnds& pipe : m_pipes)
      for (const int descriptor : {pipe.read, pipe.write})
        if (descriptor >= 0) ::close(descriptor);
  }

  Status start(std::vector<std::string> words) {
    for (PipeEnds& pipe : m_pipes) {
      std::array<int, 2> ends{};
      if (::pipe2(ends.data(), O_CLOEXEC) != 0) return notStarted("pipe");
      pipe = {ends[0], ends[1]};
    }
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const pid_t parent = ::getpid();
    // A signal that comes between fork and exec must not find this program's handlers.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    m_process = ::fork();
    if (m_process == 0)
      becomeSsh(pointers.data(), parent, m_pipes[0].read, m_pipes[1].write, m_pipes[2].write);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (m_process < 0) return notStarted("fork");
    for (int* end : {&m_pipes[0].read, &m_pipes[1].write, &m_pipes[2].write})
      ::close(std::exchange(*end, -1));
    for (const int end : {m_pipes[0].write, m_pipes[1].read, m_pipes[2].read})
      ::fcntl(end, F_SETFL, ::fcntl(end, F_GETFL) | O_NONBLOCK);
    return {};
  }

  /// Waits briefly, moves bytes in both directions, and empties what rang at `wake`.
  void work(int wake) {
    std::array<pollfd, 4> waiting{pollfd{m_pipes[1].read, POLLIN, 0},
                                  pollfd{m_pipes[2].read, POLLIN, 0}, pollfd{wake, POLLIN, 0},
                                  pollfd{m_toSend.empty() ? -1 : m_pipes[0].write, POLLOUT, 0}};
    if (::poll(waiting.data(), waiting.size(), kLookEveryMs) < 0) return;
    drain(m_pipes[1].read, m_output);
    drain(m_pipes[2].read, m_messages);
    std::uint64_t rung = 0;
    if (waiting[2].revents != 0) (void)!::read(wake, &rung, sizeof rung);
    flush();
  }

  void send(std::string_view bytes) {
    if (m_pipes[0].write >= 0) m_toSend += bytes;
  }
  void closeInput() {
    m_toSend.clear();
    if (m_pipes[0].write >= 0) ::close(std::exchange(m_pipes[0].write, -1));
  }
  void terminate() const { ::kill(m_process, SIGTERM); }

  bool ended() {
    int status = 0;
    if (!m_status && ::waitpid(m_process, &status, WNOHANG) == m_process) m_status = status;
    return m_status.has_value();
  }
  int code() const {
    const int status = m_status.value_or(0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : kSshFailed;
  }

  std::string& output() { return m_output; }
  std::string& messages() { return m_messages; }
  /// The end of what came on standard error.
  const std::string& errors() const { return m_errors; }
  void noteErrors(std::string_view bytes) {
    m_errors += bytes;
    if (m_errors.size() > kErrorsKept) m_errors.erase(0, m_errors.size() - kErrorsKept);
  }
  bool greeted() const { return m_greeting.has_value(); }
  const std::optional<RemoteGreeting>& greeting() const { return m_greeting; }
  bool lookForGreeting() { return (m_greeting = takeGreeting(m_output)).has_value(); }

 private:
  static void drain(int& from, std::string& to) {
    constexpr std::size_t kMostAtOnce = 4U << 20U;
    std::array<char, 65536> buffer{};
    while (from >= 0 && to.size() < kMostAtOnce) {
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
  void flush() {
    while (!m_toSend.empty() && m_pipes[0].write >= 0) {
      const ssize_t count = ::write(m_pipes[0].write, m_toSend.data(), m_toSend.size());
      if (count > 0) m_toSend.erase(0, static_cast<std::size_t>(count));
      if (count >= 0 || errno == EINTR) continue;
      if (errno != EAGAIN) closeInput();
      return;
    }
  }

  pid_t m_process = -1;
  std::array<PipeEnds, 3> m_pipes;  ///< standard input, output, error
  std::optional<int> m_status;
  std::string m_toSend;
  std::string m_output;
  std::string m_messages;
  std::string m_errors;
  std::optional<RemoteGreeting> m_greeting;
};

RemoteProcess::RemoteProcess(SshSettings settings, RemoteRequest request, RemoteObserver& observer,
                             std::chrono::milliseconds patience)
    : m_settings(std::move(settings)),
      m_request(std::move(request)),
      m_observer(observer),
      m_patience(patience),
      m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

RemoteProcess::~RemoteProcess() {
  if (m_wake >= 0) ::close(m_wake);
}

void RemoteProcess::ring() const {
  const std::uint64_t one = 1;
  (void)!::write(m_wake, &one, sizeof one);
}

void RemoteProcess::stop() {
  m_stopped = true;
  ring();
}

void RemoteProcess::tell(std::string_view line) {
  const MutexLock lock(m_mutex);
  m_lines += line;
  m_lines += '\n';
  ring();
}

std::string RemoteProcess::takeLines() {
  const MutexLock lock(m_mutex);
  return std::exchange(m_lines, {});
}

Result<int> RemoteProcess::run() {
  Child child;
  MILLRACE_TRY(child.start(sshCommand(m_settings)));
  const Clock& clock = steadyClock();
  const SteadyTime began = clock.now();
  SteadyTime beaten = began;
  bool late = false;
  // Once `ssh` has ended, what it wrote is still read.
  for (bool last = false; !last;) {
    last = child.ended();
    child.work(m_wake);
    if (!child.greeted() && child.lookForGreeting()) {
      if (!greetingTrouble(m_settings, *child.greeting()).empty()) {
        child.closeInput();
        break;
      }
      m_observer.onGreeting(*child.greeting());
      child.send(requestBytes(m_request));
    }
    child.noteErrors(child.messages());
    if (child.greeted()) {
      if (!child.messages().empty()) m_observer.onMessage(child.messages());
      if (!child.output().empty()) m_observer.onOutput(child.output());
      child.output().clear();
    }
    child.messages().clear();
    const SteadyTime now = clock.now();
    late = late || (!child.greeted() && !m_settings.asks && now - began > m_patience);
    if (late || (m_stopped && !child.greeted())) child.terminate();
    if (child.greeted()) child.send(takeLines());
    if (m_stopped && child.greeted()) child.closeInput();
    if (child.greeted() && now - beaten >= kRemoteBeat) {
      child.send("\n");
      beaten = now;
    }
  }
  return ended(child, late);
}

Result<int> RemoteProcess::ended(const Child& child, bool late) const {
  if (child.greeted()) {
    if (std::string trouble = greetingTrouble(m_settings, *child.greeting()); !trouble.empty())
      return Error{std::move(trouble)};
    // A shell that did not become the program reports its signal in this way.
    if (child.code() >= kSignalled) return Error{lostTrouble(m_settings, child.errors())};
    return child.code();
  }
  if (m_stopped) return Error{fmt::format("stopped before {} answered", m_settings.host)};
  if (late)
    return Error{fmt::format(
        "{0} did not answer within {1:.0f} s: check that `ssh {0}` does not wait for anything",
        m_settings.host, toSeconds(m_patience))};
  if (child.code() == kNoProgram && child.errors().find("ssh: not installed") == 0)
    return Error{"the program `ssh` is not installed: install the package openssh-client"};
  return Error{sshTrouble(m_settings, child.code(), child.errors())};
}

}  // namespace millrace
